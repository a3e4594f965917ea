#include "report/timing_report.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "report/cycle_stack.h"
#include "report/region.h"

enum { DIGITS = 4, COLUMNS_MAX = 32, HEADER = 64 };

/* ---- tables ---- */

#define SLOT_PATH(X, field, name, help) name,

/* Metrics in the order of their columns. */
static const char *const launch_paths[] = {"core.cycles",
                                           "core.ipc",
                                           SLOT_LIST(SLOT_PATH, ) "l1d.accesses",
                                           "l1d.miss_rate",
                                           "l1d.pending_hits",
                                           "l1d.fails",
                                           "dram.bytes",
                                           NULL};
static const char *const time_paths[] = {"core.ipc", SLOT_LIST(SLOT_PATH, ) "l1d.miss_rate",
                                         "dram.bytes", NULL};

/* "core.stall.data" is "data" for people, who have little room. */
static const char *short_path(const char *path)
{
    static const char *const groups[] = {"core.", "stall."};
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

enum status launches_print(const struct timing_parts *launches, const struct trace_source *source,
                           enum table_format format, FILE *out)
{
    static const char *const first[] = {">launch", "name", ">blocks", NULL};
    struct table *table = create_table(first, launch_paths);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < launches->count; i++) {
        const struct trace_launch *launch = &source->launches[i];
        table_number(table, (double)i, NULL);
        table_text(table, launch->name ? launch->name : "");
        table_number(table, (double)launch_blocks(launch), NULL);
        add_metrics(table, launch_paths, &launches->items[i].metrics);
    }
    return table_finish(table, format, out);
}

enum status timeline_print(const struct timing_parts *times, enum table_format format, FILE *out)
{
    static const char *const first[] = {">begin", ">end", NULL};
    struct table *table = create_table(first, time_paths);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < times->count; i++) {
        table_number(table, (double)times->items[i].begin, NULL);
        table_number(table, (double)times->items[i].end, NULL);
        add_metrics(table, time_paths, &times->items[i].metrics);
    }
    return table_finish(table, format, out);
}

/* ---- the chart ---- */

enum { LEFT = 5, RIGHT = 13, AROUND = 7, STACK_MAX = 64, LEVELS = 8 };

struct drawing {
    const struct timeline_chart *chart;
    struct region all;
    int width; /* columns of the plot */
};

/* The interval in whose time the middle of a column is. */
static const struct timing_part *part_at(const struct drawing *drawing, int column)
{
    const struct timing_parts *times = drawing->chart->times;
    const uint64_t end = times->items[times->count - 1].end;
    const double when = ((double)column + 0.5) / drawing->width * (double)end;
    size_t low = 0, high = times->count - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if ((double)times->items[middle].end <= when)
            low = middle + 1;
        else
            high = middle;
    }
    return &times->items[low];
}

static void draw_stacks(const struct drawing *drawing, int row, int rows)
{
    enum core_slot kinds[STACK_MAX];
    for (int column = 0; column < drawing->width; column++) {
        if (!cycle_stack_fill(&part_at(drawing, column)->metrics, rows, kinds))
            continue;
        for (int i = 0; i < rows; i++)
            region_put(&drawing->all, row + rows - 1 - i, LEFT + column,
                       cycle_stack_glyph(kinds[i], drawing->chart->glyphs),
                       cycle_stack_role(kinds[i]));
    }
    region_text(&drawing->all, row, 0, ROLE_AXIS, "100%");
    region_text(&drawing->all, row + rows - 1, 2, ROLE_AXIS, "0%");
}

static void draw_time(const struct drawing *drawing, int row)
{
    const struct timing_parts *times = drawing->chart->times;
    const double end = (double)times->items[times->count - 1].end;
    char text[QUANTITY_TEXT + 16], number[QUANTITY_TEXT];
    snprintf(text, sizeof text, "%s cycles", quantity_print_short(end, UNIT_NONE, DIGITS, number));
    region_text(&drawing->all, row, LEFT, ROLE_AXIS, "0");
    region_text(&drawing->all, row, LEFT + drawing->width - (int)utf8_columns(text), ROLE_AXIS,
                text);
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
    const struct timing_parts *times = drawing->chart->times;
    char text[QUANTITY_TEXT + 8], number[QUANTITY_TEXT];
    double most = NAN; /* fmax ignores it */
    for (size_t i = 0; i < times->count; i++)
        most = fmax(most, metric_get(metric, &times->items[i].metrics));
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

static void draw_legend(const struct drawing *drawing, int row)
{
    int column = LEFT;
    for (unsigned i = 0; i < SLOT_COUNT; i++) {
        const enum core_slot slot = (enum core_slot)i;
        region_put(&drawing->all, row, column, cycle_stack_glyph(slot, drawing->chart->glyphs),
                   cycle_stack_role(slot));
        region_text(&drawing->all, row, column + 2, ROLE_TEXT, cycle_stack_name(slot));
        column += 4 + (int)utf8_columns(cycle_stack_name(slot));
    }
}

int timeline_width(int columns)
{
    return columns > LEFT + RIGHT ? columns - LEFT - RIGHT : 1;
}

void timeline_draw(const struct timeline_chart *chart, struct cells *cells)
{
    const struct drawing drawing = {.chart = chart,
                                    .all = region_clip(cells, 0, 0, cells->rows, cells->columns),
                                    .width = cells->columns - LEFT - RIGHT};
    const int left = cells->rows - AROUND, rows = left < STACK_MAX ? left : STACK_MAX;
    if (drawing.width <= 0 || rows <= 1 || !chart->times->count)
        return;
    int row = 2 + rows;
    region_text(&drawing.all, 0, 0, ROLE_TEXT, chart->title);
    draw_legend(&drawing, 1);
    draw_stacks(&drawing, 2, rows);
    draw_time(&drawing, row++);
    draw_line(&drawing, ++row, "ipc", metric_find("core.ipc"));
    draw_line(&drawing, ++row, "miss", metric_find("l1d.miss_rate"));
    draw_line(&drawing, ++row, "dram", metric_find("dram.bandwidth"));
}
