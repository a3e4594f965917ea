#include "report/runs/timing_report.h"

#include <math.h>
#include <string.h>

#include "report/drawing/region.h"
#include "report/runs/cycle_stack.h"

enum { DIGITS = 4, COLUMNS_MAX = 48, HEADER = 64 };

/* ---- tables ---- */

#define SLOT_PATH(X, field, name, help) name,

/* Metrics in the order of their columns. */
static const char *const launch_paths[] = {"core.cycles",
                                           "core.ipc",
                                           SLOT_LIST(SLOT_PATH, ) "stream.memory_instructions",
                                           "stream.transactions",
                                           "l1i.accesses",
                                           "l1i.misses",
                                           "l1d.accesses",
                                           "l1d.misses",
                                           "l1d.miss_rate",
                                           "l1d.pending_hits",
                                           "l1d.fails",
                                           "l2.accesses",
                                           "l2.misses",
                                           "l2.miss_rate",
                                           "tlb.accesses",
                                           "tlb.misses",
                                           "tlb.hit_rate",
                                           "l2tlb.accesses",
                                           "l2tlb.misses",
                                           "walk.count",
                                           "walk.memory_accesses",
                                           "dram.bytes",
                                           NULL};
static const char *const time_paths[] = {"core.ipc", SLOT_LIST(SLOT_PATH, ) "l1d.miss_rate",
                                         "dram.bytes", NULL};

/* Of a scene, whose banks have no schedulers. */
static const char *const tile_paths[] = {"tile.requests",
                                         "tile.load.most",
                                         "tile.imbalance",
                                         "tile.stall.queue",
                                         "tile.stall.miss",
                                         "tile.stall.writeback",
                                         "tile.stall.execute",
                                         "tile.stall.input",
                                         "tile.stall.bank",
                                         "tile.queue.mean",
                                         NULL};

static bool is_scene(const struct timing_part *items, size_t count)
{
    return count && !isnan(items->metrics.tile_requests);
}

const char *timeline_what(const struct timing_part *items, size_t count)
{
    return is_scene(items, count) ? "load of the banks over time"
                                  : "cycles of schedulers over time";
}

/* "core.stall.data" is "data" for people, who have little room. */
static const char *short_path(const char *path)
{
    static const char *const groups[] = {"core.", "tile.", "stall."};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (!strncmp(path, groups[i], strlen(groups[i])))
            path += strlen(groups[i]);
    return path;
}

/* A table with `first` columns and one for each metric. */
static struct table *create_table(const char *const *first, const char *const *paths)
{
    const char *headers[COLUMNS_MAX + 1] = {0};
    char names[COLUMNS_MAX][HEADER];
    size_t count = 0;
    for (; first[count]; count++)
        headers[count] = first[count];
    for (; *paths && count < COLUMNS_MAX; paths++, count++) {
        snprintf(names[count], HEADER, ">%s|%s", short_path(*paths), *paths);
        headers[count] = names[count];
    }
    return table_create(headers);
}

static void add_metrics(struct table *table, const char *const *paths,
                        const struct metrics *metrics)
{
    char text[QUANTITY_TEXT];
    for (; *paths; paths++) {
        const struct metric *metric = metric_find(*paths);
        const double value = metric_get(metric, metrics);
        table_number(table, value, quantity_print_short(value, metric->unit, DIGITS, text));
    }
}

/* Whether a column says anything: the depth answers it, and for people some launch has it. */
static bool column_wanted(const char *path, const struct timing_parts *launches, enum depth depth,
                          bool known)
{
    const struct metric *metric = metric_find(path);
    bool any = !known;
    for (size_t i = 0; i < launches->count && !any; i++)
        any = !isnan(metric_get(metric, &launches->items[i].metrics));
    return any && metric_answered(metric, depth);
}

struct table *launches_table(const struct timing_parts *launches, const struct trace_source *source,
                             enum depth depth, bool known)
{
    static const char *const first[] = {">launch", "name", ">blocks", NULL};
    const char *paths[sizeof launch_paths / sizeof *launch_paths] = {0};
    for (size_t i = 0, count = 0; launch_paths[i]; i++)
        if (column_wanted(launch_paths[i], launches, depth, known))
            paths[count++] = launch_paths[i];
    struct table *table = create_table(first, paths);
    for (size_t i = 0; table && i < launches->count; i++) {
        const struct trace_launch *launch = &source->launches[i];
        table_whole(table, (double)launch_number(launch, (uint32_t)i));
        table_text(table, launch->name ? launch->name : "");
        table_number(table, (double)launch_blocks(launch), NULL);
        add_metrics(table, paths, &launches->items[i].metrics);
    }
    return table;
}

enum status launches_print(const struct timing_parts *launches, const struct trace_source *source,
                           enum depth depth, enum table_format format, FILE *out)
{
    struct table *table = launches_table(launches, source, depth, format == TABLE_TEXT);
    return table ? table_finish(table, format, out) : STATUS_MEMORY;
}

enum status timeline_print(const struct timing_parts *times, enum table_format format, FILE *out)
{
    static const char *const first[] = {">begin", ">end", NULL};
    const char *const *paths = is_scene(times->items, times->count) ? tile_paths : time_paths;
    struct table *table = create_table(first, paths);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < times->count; i++) {
        table_number(table, (double)times->items[i].begin, NULL);
        table_number(table, (double)times->items[i].end, NULL);
        add_metrics(table, paths, &times->items[i].metrics);
    }
    return table_finish(table, format, out);
}

/* ---- the chart ---- */

enum { LEFT = 5, RIGHT = 12, LINES = 3, LINES_LEAST = 10, LEVELS = 8 };

/* The intervals as the arrays that a chart takes. */
struct columns {
    const struct metrics *metrics[INTERVALS_MAX];
    double begin[INTERVALS_MAX], end[INTERVALS_MAX], shares[STACK_PARTS_MAX * INTERVALS_MAX];
    size_t count;
};

static void fill_columns(const struct timing_part *items, size_t count, struct columns *columns)
{
    columns->count = count < INTERVALS_MAX ? count : INTERVALS_MAX;
    for (size_t i = 0; i < columns->count; i++) {
        columns->metrics[i] = &items[i].metrics;
        columns->begin[i] = (double)items[i].begin;
        columns->end[i] = (double)items[i].end;
    }
}

static struct chart stack_chart(struct columns *columns, enum glyphs glyphs,
                                struct series series[STACK_PARTS_MAX])
{
    const size_t count = cycle_stack_series(columns->metrics, columns->begin, columns->end,
                                            columns->count, columns->shares, glyphs, series);
    return (struct chart){.series = series,
                          .series_count = count,
                          .y = {.unit = UNIT_PERCENT, .min = 0, .max = 1},
                          .cursor = NAN,
                          .glyphs = glyphs};
}

/* Of a scene: requests of the busiest bank and of the mean of the banks in 100 cycles. */
static struct chart load_chart(struct columns *columns, enum glyphs glyphs,
                               struct series series[STACK_PARTS_MAX])
{
    double *busiest = columns->shares, *mean = busiest + INTERVALS_MAX;
    double *middle = mean + INTERVALS_MAX;
    for (size_t i = 0; i < columns->count; i++) {
        const struct metrics *metrics = columns->metrics[i];
        middle[i] = (columns->begin[i] + columns->end[i]) / 2;
        busiest[i] = 100 * metrics->tile_load_most / (columns->end[i] - columns->begin[i]);
        mean[i] = busiest[i] > 0 ? busiest[i] / metrics->tile_imbalance : busiest[i];
    }
    series[0] = (struct series){.kind = SERIES_LINE,
                                .role = ROLE_SERIES_2,
                                .x = middle,
                                .y = busiest,
                                .count = columns->count,
                                .label = "busiest"};
    series[1] = series[0];
    series[1].role = ROLE_SERIES_1;
    series[1].y = mean;
    series[1].label = "mean";
    return (struct chart){.series = series,
                          .series_count = 2,
                          .x = {.min = columns->begin[0], .max = columns->end[columns->count - 1]},
                          .y = {.label = "requests of a bank in 100 cycles"},
                          .cursor = NAN,
                          .glyphs = glyphs};
}

/* Either of the two. */
static struct chart upper_chart(struct columns *columns, bool scene, enum glyphs glyphs,
                                struct series series[STACK_PARTS_MAX])
{
    return (scene ? load_chart : stack_chart)(columns, glyphs, series);
}

struct drawing {
    const struct timeline_chart *chart;
    struct region all;
    int width; /* columns of the plot */
};

/* The interval in whose time the middle of a column is. */
static const struct timing_part *part_at(const struct drawing *drawing, int column)
{
    const struct timing_part *items = drawing->chart->items;
    const uint64_t end = items[drawing->chart->count - 1].end;
    const double when = ((double)column + 0.5) / drawing->width * (double)end;
    size_t low = 0, high = drawing->chart->count - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if ((double)items[middle].end <= when)
            low = middle + 1;
        else
            high = middle;
    }
    return &items[low];
}

static uint32_t level_glyph(double share, enum glyphs glyphs)
{
    if (glyphs == GLYPHS_ASCII)
        return '0' + (uint32_t)fmin(share * 10, 9);
    /* U+2581 is one eighth of a block, U+2588 a full one. */
    return 0x2580 + (uint32_t)fmax(1, ceil(share * LEVELS));
}

/* A metric over time relative to its largest value, which is printed on the right. */
static void draw_line(const struct drawing *drawing, int row, const char *label,
                      const struct metric *metric)
{
    char text[QUANTITY_TEXT + 8], number[QUANTITY_TEXT];
    double most = NAN; /* fmax ignores it */
    for (size_t i = 0; i < drawing->chart->count; i++)
        most = fmax(most, metric_get(metric, &drawing->chart->items[i].metrics));
    region_text(&drawing->all, row, 0, ROLE_AXIS, label);
    for (int column = 0; column < drawing->width && most > 0; column++) {
        const double value = metric_get(metric, &part_at(drawing, column)->metrics);
        if (!isnan(value))
            region_put(&drawing->all, row, LEFT + column,
                       level_glyph(value / most, drawing->chart->glyphs), ROLE_SERIES_1);
    }
    snprintf(text, sizeof text, "max %s", quantity_print_short(most, metric->unit, DIGITS, number));
    region_text(&drawing->all, row, LEFT + drawing->width + 1, ROLE_DIM, text);
}

/* The lines below, of programs and of scenes. */
static const struct {
    const char *label, *path;
} lines_below[2][LINES] = {
    {{"ipc", "core.ipc"}, {"miss", "l1d.miss_rate"}, {"dram", "dram.bandwidth"}},
    {{"imb", "tile.imbalance"}, {"wait", "tile.stall.input"}, {"que", "tile.queue.mean"}}};

static void draw_lines(const struct drawing *drawing, int row, bool scene)
{
    for (int i = 0; i < LINES; i++)
        draw_line(drawing, row + i, lines_below[scene][i].label,
                  metric_find(lines_below[scene][i].path));
}

int timeline_width(int columns)
{
    return columns > LEFT + RIGHT ? columns - LEFT - RIGHT : 1;
}

void timeline_draw(const struct timeline_chart *chart, struct cells *cells, int row, int column,
                   int rows, int columns)
{
    const struct drawing drawing = {.chart = chart,
                                    .all = region_clip(cells, row, column, rows, columns),
                                    .width = columns - LEFT - RIGHT};
    const bool lines = rows >= LINES_LEAST && drawing.width > 0;
    struct columns data;
    struct series series[STACK_PARTS_MAX];
    region_clear(&drawing.all);
    if (!chart->count)
        return;
    const bool scene = is_scene(chart->items, chart->count);
    fill_columns(chart->items, chart->count, &data);
    struct chart stack = upper_chart(&data, scene, chart->glyphs, series);
    stack.title = chart->title;
    if (chart->cursor < data.count)
        stack.cursor = (data.begin[chart->cursor] + data.end[chart->cursor]) / 2;
    chart_draw(&stack, cells, row, column, lines ? rows - LINES : rows,
               lines ? LEFT + drawing.width : columns);
    if (lines)
        draw_lines(&drawing, rows - LINES, scene);
}

/* ---- the pictures of a page ---- */

static void page_line(struct page *page, struct columns *data, const char *path,
                      const char *workload)
{
    const struct metric *metric = metric_find(path);
    char title[300], description[600];
    double *x = data->end, *y = data->shares;
    bool any = false;
    for (size_t i = 0; i < data->count; i++) {
        y[i] = metric_get(metric, data->metrics[i]);
        any |= !isnan(y[i]);
    }
    if (!any)
        return;
    const struct series series = {
        .kind = SERIES_LINE, .role = ROLE_SERIES_1, .x = x, .y = y, .count = data->count};
    snprintf(title, sizeof title, "%s over time: %s", path, workload);
    snprintf(description, sizeof description, "Line: %s in each of %zu intervals of %s.", path,
             data->count, workload);
    const struct chart chart = {
        .series = &series,
        .series_count = 1,
        .x = {.label = "cycle"},
        .y = {.label = path, .unit = metric->unit, .max = metric->unit == UNIT_PERCENT},
        .cursor = NAN,
        .title = title,
        .glyphs = GLYPHS_BRAILLE};
    const struct svg_style style = {.width = 460, .height = 220, .description = description};
    page_chart(page, &chart, &style);
}

void timeline_page(struct page *page, const struct timing_part *items, size_t count,
                   const char *workload)
{
    struct columns data;
    struct series series[STACK_PARTS_MAX];
    char title[300], description[600];
    if (!count)
        return;
    const bool scene = is_scene(items, count);
    fill_columns(items, count, &data);
    struct chart chart = upper_chart(
        &data, scene, page->format == PAGE_MARKDOWN_ASCII ? GLYPHS_ASCII : GLYPHS_BRAILLE, series);
    snprintf(title, sizeof title, "%s: %s", timeline_what(items, count), workload);
    snprintf(description, sizeof description,
             scene ? "Lines: requests of the busiest bank and of the mean of the banks in each of "
                     "%zu intervals of %s."
                   : "Stacked areas: what the cycles of the schedulers were for in each of %zu "
                     "intervals of %s.",
             data.count, workload);
    chart.title = title;
    chart.x.label = "cycle";
    const struct svg_style style = {.width = 720, .height = 320, .description = description};
    page_chart(page, &chart, &style);
    for (int i = 0; i < LINES; i++)
        page_line(page, &data, lines_below[scene][i].path, workload);
}
