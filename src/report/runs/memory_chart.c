#include "report/runs/memory_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "base/utf8.h"
#include "report/drawing/html.h"
#include "report/drawing/region.h"

enum { LINES = 9, ACROSS = 5, DOWN = 3, GAP = 2, LABEL = 5, LIMITS = 4 }; /* ACROSS x DOWN boxes */

/* `path` is that of a metric, or of a limit: then its mean and its largest number are shown. */
struct line {
    const char *label, *path;
};

/* A box: its place in the grid, where one begins to change it, which limits are its own (by the
 * beginnings of their names), and its numbers, the most telling first. */
static const struct box {
    const char *name, *knob;
    const char *limits[LIMITS];
    int row, column;
    bool reads; /* from the box on its right */
    struct line lines[LINES];
} boxes[] = {
    {"L1I",
     "l1i.size",
     {"l1i.", "fetch"},
     0,
     0,
     false,
     {{"miss", "l1i.miss_rate"},
      {"acc", "l1i.accesses"},
      {"mshr", "l1i.mshr.entries"},
      {"pend", "l1i.pending_hits"},
      {"fail", "l1i.fails"},
      {"pref", "l1i.prefetches"},
      {"stall", "core.stall.instruction"}}},
    {"shared", "core.shared_latency", {"shared."}, 0, 1, false, {{"confl", "shared.conflicts"}}},
    {"SM",
     "gpu.sms",
     {"collectors", "pipes", "exec.", "occupancy"},
     1,
     0,
     true,
     {{"ipc", "core.ipc"},
      {"occ", "occupancy.achieved"},
      {"iss", "core.issued"},
      {"mem", "core.stall.memory"},
      {"coll", "core.collectors"},
      {"resp", "core.responses"},
      {"trans", "stream.transactions"},
      {"lat", "memory.latency.mean"},
      {"warps", "occupancy.warps"}}},
    {"L1D",
     "l1d.size",
     {"l1d."},
     1,
     1,
     true,
     {{"miss", "l1d.miss_rate"},
      {"B/cyc", "l1d.bandwidth"},
      {"busy", "l1d.busy"},
      {"mshr", "l1d.mshr.entries"},
      {"list", "l1d.mshr.merge"},
      {"sent", "l1d.miss_queue"},
      {"acc", "l1d.accesses"},
      {"fail", "l1d.fails"},
      {"stall", "core.stall.memory.l1d"}}},
    {"network",
     "network.flit",
     {"network."},
     1,
     2,
     true,
     {{"B/cyc", "network.bandwidth"},
      {"down", "network.requests.busy"},
      {"up", "network.replies.busy"},
      {"req", "network.requests"},
      {"rep", "network.replies"},
      {"data", "network.bytes"},
      {"stall", "core.stall.memory.network"}}},
    {"L2",
     "l2.size",
     {"l2.", "atomics"},
     1,
     3,
     true,
     {{"miss", "l2.miss_rate"},
      {"B/cyc", "l2.bandwidth"},
      {"busy", "l2.busy"},
      {"in", "l2.queue.in"},
      {"mshr", "l2.mshr.entries"},
      {"list", "l2.mshr.merge"},
      {"out", "l2.queue.out"},
      {"acc", "l2.accesses"},
      {"stall", "core.stall.memory.l2"}}},
    {"DRAM",
     "dram.bus",
     {"dram."},
     1,
     4,
     false,
     {{"B/cyc", "dram.bandwidth"},
      {"busy", "dram.busy"},
      {"wait", "l2.queue.to_dram"},
      {"que", "dram.queue"},
      {"data", "dram.bytes"},
      {"reads", "dram.reads"},
      {"write", "dram.writes"},
      {"activ", "dram.activates"},
      {"stall", "core.stall.memory.dram"}}},
    {"TLB",
     "tlb.entries",
     {"tlb.", "translation"},
     2,
     1,
     true,
     {{"acc", "tlb.accesses"},
      {"hit", "tlb.hit_rate"},
      {"miss", "tlb.misses"},
      {"stall", "core.stall.memory.translation"}}},
    {"L2 TLB",
     "l2tlb.entries",
     {"l2tlb."},
     2,
     2,
     true,
     {{"acc", "l2tlb.accesses"}, {"hit", "l2tlb.hit_rate"}, {"miss", "l2tlb.misses"}}},
    {"walkers",
     "walker.count",
     {"walker."},
     2,
     3,
     true,
     {{"walks", "walk.count"},
      {"wait", "walk.wait.mean"},
      {"used", "walker.count"},
      {"que", "walker.queue"},
      {"lat", "walk.latency.mean"},
      {"merge", "walk.merged"},
      {"busy", "walker.busy"},
      {"stall", "walker.stall"}}},
    {"walk cache",
     "pwc.entries",
     {"pwc."},
     2,
     4,
     false,
     {{"reads", "walk.memory_accesses"},
      {"/walk", "walk.accesses_per_walk"},
      {"L4", "pwc.l4.hit_rate"},
      {"L3", "pwc.l3.hit_rate"},
      {"L2", "pwc.l2.hit_rate"}}},
    {"rasteriser",
     "tile.fifo",
     {NULL},
     0,
     0,
     true,
     {{"req", "tile.requests"},
      {"clear", "tile.cleared"},
      {"input", "tile.stall.input"},
      {"bank", "tile.stall.bank"}}},
    {"tile cache",
     "tile.size",
     {NULL},
     0,
     1,
     true,
     {{"acc", "tile.accesses"},
      {"hit", "tile.hit_rate"},
      {"imbal", "tile.imbalance"},
      {"wback", "tile.writebacks"},
      {"refil", "tile.refills"}}},
    {"miss queue",
     "tile.queue.entries",
     {"tile.queue"},
     0,
     2,
     true,
     {{"mean", "tile.queue.mean"},
      {"p99", "tile.queue.p99"},
      {"stall", "tile.stall.queue"},
      {"chain", "tile.chained"},
      {"long", "tile.chain.max"}}},
    {"L2",
     "tile.l2.size",
     {NULL},
     0,
     3,
     true,
     {{"hit", "tile.l2.hit_rate"}, {"miss", "tile.l2.misses"}, {"acc", "tile.l2.accesses"}}},
    {"memory bus",
     "tile.bandwidth",
     {"tile.bus", "tile.latency"},
     0,
     4,
     false,
     {{"reads", "tile.bus_reads"},
      {"data", "tile.external_bytes"},
      {"in", "tile.read_bytes"},
      {"out", "tile.write_bytes"},
      {"wait", "tile.stall.miss"}}}};
enum { BOXES = sizeof boxes / sizeof *boxes };

/* The metric of a line, or one of the two where its path is that of a limit. */
static const struct metric *line_metric(const struct line *line, const char *of_limit)
{
    char path[64];
    const struct metric *metric = metric_find(line->path);
    snprintf(path, sizeof path, "%s%s", line->path, of_limit);
    return metric ? metric : metric_find(path);
}

static double line_value(const struct line *line, const struct metrics *metrics)
{
    return line->path ? metric_get(line_metric(line, ".mean"), metrics) : NAN;
}

/* The text of a line: "12.3%", or "1.4/8": on average, and at most. */
static void line_print(const struct line *line, const struct metrics *metrics,
                       char text[QUANTITY_TEXT])
{
    const struct metric *metric = line_metric(line, ".mean"), *most = line_metric(line, ".max");
    const double value = metric_get(metric, metrics), largest = metric_get(most, metrics);
    if (most == metric || isnan(largest))
        quantity_print_short(value, metric->unit, 3, text);
    else
        snprintf(text, QUANTITY_TEXT, "%.*f/%.0f", value < 10, value, largest);
}

/* Of a part that a machine lacks, a run in time still has 0 for the stalls that it would cause. */
static bool has_box(const struct box *box, const struct metrics *metrics)
{
    for (size_t i = 0; i < LINES; i++)
        if (!isnan(line_value(&box->lines[i], metrics)) &&
            strncmp(box->lines[i].path, "core.stall.", strlen("core.stall.")))
            return true;
    return false;
}

static const struct box *nth_box(const struct metrics *metrics, int number)
{
    for (size_t i = 0; i < BOXES; i++)
        if (has_box(&boxes[i], metrics) && number-- == 0)
            return &boxes[i];
    return NULL;
}

int memory_chart_count(const struct metrics *metrics)
{
    int count = 0;
    for (size_t i = 0; i < BOXES; i++)
        count += has_box(&boxes[i], metrics);
    return count;
}

const char *memory_chart_name(const struct metrics *metrics, int number)
{
    const struct box *box = nth_box(metrics, number);
    return box ? box->name : "";
}

const char *memory_chart_knob(const struct metrics *metrics, int number)
{
    const struct box *box = nth_box(metrics, number);
    return box ? box->knob : NULL;
}

void memory_chart_legend(const struct metrics *metrics, int number, char *text, size_t size)
{
    const struct box *box = nth_box(metrics, number);
    size_t used = (size_t)snprintf(text, size, "%s:", box ? box->name : "");
    const char *comma = "";
    for (size_t i = 0; box && i < LINES && used < size; i++) {
        const struct line *line = &box->lines[i];
        if (isnan(line_value(line, metrics)))
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s %s %s%s", comma, line->label,
                                 line->path, metric_find(line->path) ? "" : ".mean/max");
        comma = ",";
    }
}

/* The most that leaving out one limit of a box saves; NaN: not known. */
static double box_gain(const struct box *box, const struct ladder *ladder)
{
    double most = NAN;
    for (size_t i = 0; ladder && i < ladder->limit_count; i++) {
        const char *name = ideal_table[ladder->limits[i].ideal].name;
        for (int k = 0; k < LIMITS && box->limits[k]; k++)
            if (!strncmp(name, box->limits[k], strlen(box->limits[k])))
                most = fmax(most, ladder->limits[i].gain); /* of a NaN and a number, the number */
    }
    return most;
}

struct edges {
    uint32_t corner[4], across, down, arrow;
};

static const struct edges *edges_of(enum glyphs glyphs)
{
    static const struct edges ascii = {{'+', '+', '+', '+'}, '-', '|', '>'};
    static const struct edges lines = {{0x250c, 0x2510, 0x2514, 0x2518}, 0x2500, 0x2502, 0x25b8};
    return glyphs == GLYPHS_ASCII ? &ascii : &lines;
}

static void draw_frame(const struct region *area, const struct edges *edges, const char *name,
                       enum role role)
{
    const int right = area->columns - 1, bottom = area->rows - 1;
    for (int column = 1; column < right; column++) {
        region_put(area, 0, column, edges->across, role);
        region_put(area, bottom, column, edges->across, role);
    }
    for (int row = 1; row < bottom; row++) {
        region_put(area, row, 0, edges->down, role);
        region_put(area, row, right, edges->down, role);
    }
    for (int i = 0; i < 4; i++)
        region_put(area, i / 2 * bottom, i % 2 * right, edges->corner[i], role);
    const struct region title = region_part(area, 0, 1, 1, right - 1);
    region_text(&title, 0, 0, ROLE_ACCENT, name);
}

static void draw_number(const struct region *area, int row, enum role role, const char *label,
                        const char *number)
{
    region_text(area, row, 1, ROLE_DIM, label);
    const int column = area->columns - 1 - (int)utf8_columns(number);
    region_text(area, row, column > LABEL + 1 ? column : LABEL + 1, role, number);
}

/* One line for a box, where there is no room for frames. */
static void draw_line(const struct memory_chart *chart, const struct box *box,
                      const struct region *all, int row, enum role role)
{
    enum { NAME = 11, NUMBER = 14 };
    const double gain = box_gain(box, chart->ladder);
    char text[QUANTITY_TEXT], number[QUANTITY_TEXT + 2 * LABEL];
    int column = NAME;
    region_text(all, row, 0, role, box->name);
    if (!isnan(gain)) {
        snprintf(number, sizeof number, "%.1f%%", 100 * gain);
        region_text(all, row, column, gain > 0 ? ROLE_GOOD : ROLE_DIM, number);
        column += NUMBER / 2;
    }
    for (size_t i = 0; i < LINES && column < all->columns; i++) {
        if (isnan(line_value(&box->lines[i], chart->metrics)))
            continue;
        line_print(&box->lines[i], chart->metrics, text);
        snprintf(number, sizeof number, "%s %s", box->lines[i].label, text);
        if (column + (int)utf8_columns(number) <= all->columns)
            region_text(all, row, column, ROLE_TEXT, number);
        column += NUMBER;
    }
}

static void draw_box(const struct memory_chart *chart, const struct box *box,
                     const struct region *area, bool selected)
{
    const struct edges *edges = edges_of(chart->glyphs);
    const double gain = box_gain(box, chart->ladder);
    char text[QUANTITY_TEXT];
    int row = 1;
    draw_frame(area, edges, box->name, selected ? ROLE_CURSOR : ROLE_AXIS);
    for (size_t i = 0; i < LINES && row < area->rows - 1 - !isnan(gain); i++) {
        if (isnan(line_value(&box->lines[i], chart->metrics)))
            continue;
        line_print(&box->lines[i], chart->metrics, text);
        draw_number(area, row++, ROLE_TEXT, box->lines[i].label, text);
    }
    if (isnan(gain))
        return;
    snprintf(text, sizeof text, "%.1f%%", 100 * gain);
    draw_number(area, area->rows - 2, gain > 0 ? ROLE_GOOD : ROLE_DIM,
                chart->explained->direction == HIGHER_IS_BETTER ? "gains" : "saves", text);
}

/* Whether a row or, `across`, a column of the grid has a box. */
static bool has_any_box(const struct metrics *metrics, bool across, int at)
{
    for (size_t i = 0; i < BOXES; i++)
        if ((across ? boxes[i].column : boxes[i].row) == at && has_box(&boxes[i], metrics))
            return true;
    return false;
}

/* How many rows or columns before `end` have boxes: others take no room. */
static int used_before(const struct metrics *metrics, bool across, int end)
{
    int used = 0;
    for (int at = 0; at < end; at++)
        used += has_any_box(metrics, across, at);
    return used;
}

/* The place of the next box of its row that is there; ACROSS: none. */
static int next_place(const struct box *box, const struct metrics *metrics)
{
    int next = ACROSS;
    for (size_t i = 0; i < BOXES; i++)
        if (boxes[i].row == box->row && boxes[i].column > box->column && boxes[i].column < next &&
            has_box(&boxes[i], metrics))
            next = boxes[i].column;
    return next < ACROSS ? used_before(metrics, true, next) : ACROSS;
}

void memory_chart_draw(const struct memory_chart *chart, struct cells *cells, int row, int column,
                       int rows, int columns)
{
    enum { HEIGHT_MOST = LINES + 3, HEIGHT_LEAST = 4, WIDTH_LEAST = 12 };
    const struct edges *edges = edges_of(chart->glyphs);
    const struct region all = region_clip(cells, row, column, rows, columns);
    const int used = used_before(chart->metrics, false, DOWN);
    const int fits = used ? rows / used : 0, height = fits > HEIGHT_MOST ? HEIGHT_MOST : fits;
    const int width = (columns - (ACROSS - 1) * GAP) / ACROSS, stride = width + GAP;
    int number = 0;
    for (size_t i = 0; i < BOXES; i++) {
        const struct box *box = &boxes[i];
        if (!has_box(box, chart->metrics))
            continue;
        if (width < WIDTH_LEAST || height < HEIGHT_LEAST) {
            const bool below = chart->selected >= all.rows; /* then the first ones scroll away */
            draw_line(chart, box, &all, number - (below ? chart->selected - all.rows + 1 : 0),
                      number == chart->selected ? ROLE_CURSOR : ROLE_DIM);
            number++;
            continue;
        }
        const int top = used_before(chart->metrics, false, box->row) * height;
        const int place = used_before(chart->metrics, true, box->column);
        const struct region area = region_part(&all, top, place * stride, height, width);
        draw_box(chart, box, &area, number++ == chart->selected);
        const int next = next_place(box, chart->metrics);
        for (int at = place * stride + width; box->reads && next < ACROSS && at < next * stride;
             at++)
            region_put(&all, top + height / 2, at,
                       at + 1 < next * stride ? edges->across : edges->arrow, ROLE_AXIS);
    }
}

enum status memory_chart_print(const struct memory_chart *chart, int columns, FILE *out)
{
    struct cells cells;
    const int rows = used_before(chart->metrics, false, DOWN) * (LINES + 2);
    if (!rows)
        return STATUS_OK;
    if (cells_init(&cells, rows, columns))
        return STATUS_MEMORY;
    memory_chart_draw(chart, &cells, 0, 0, rows, columns);
    cells_print(&cells, out);
    cells_free(&cells);
    return STATUS_OK;
}

/* ---- pages ---- */

enum { SVG_WIDTH = 140, SVG_LINE = 16, SVG_GAP = 24, SVG_HEIGHT = (LINES + 2) * SVG_LINE };

static void svg_text(const char *text, int x, int y, const char *anchor, FILE *out)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
    html_escape(text, out);
    fputs("</text>\n", out);
}

/* The numbers of a box whose top left corner is at x, y. */
static void svg_numbers(const struct memory_chart *chart, const struct box *box, int x, int y,
                        FILE *out)
{
    const double gain = box_gain(box, chart->ladder);
    char text[QUANTITY_TEXT];
    int line = y + 2 * SVG_LINE;
    for (size_t i = 0; i < LINES; i++) {
        if (isnan(line_value(&box->lines[i], chart->metrics)))
            continue;
        line_print(&box->lines[i], chart->metrics, text);
        svg_text(box->lines[i].label, x + SVG_LINE / 2, line, "start", out);
        svg_text(text, x + SVG_WIDTH - SVG_LINE / 2, line, "end", out);
        line += SVG_LINE;
    }
    if (isnan(gain))
        return;
    snprintf(text, sizeof text, "%s %.1f%%", metric_gain_verb(chart->explained), 100 * gain);
    svg_text(text, x + SVG_WIDTH - SVG_LINE / 2, y + SVG_LINE, "end", out);
}

void memory_chart_svg(const struct memory_chart *chart, FILE *out)
{
    const int stride = SVG_WIDTH + SVG_GAP, step = SVG_HEIGHT + SVG_GAP;
    const int width = ACROSS * stride, height = used_before(chart->metrics, false, DOWN) * step;
    fprintf(out,
            "<svg role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "aria-label=\"Memory chart\">\n",
            width, height, width, height);
    for (size_t i = 0; i < BOXES; i++) {
        const struct box *box = &boxes[i];
        if (!has_box(box, chart->metrics))
            continue;
        const int x = used_before(chart->metrics, true, box->column) * stride + 1;
        const int next = next_place(box, chart->metrics);
        const int y = used_before(chart->metrics, false, box->row) * step + 1,
                  middle = y + SVG_HEIGHT / 2;
        fprintf(out, "<path class=\"axis\" d=\"M%d %dh%dv%dh-%dZ\"/>\n", x, y, SVG_WIDTH,
                SVG_HEIGHT, SVG_WIDTH);
        svg_text(box->name, x + SVG_LINE / 2, y + SVG_LINE, "start", out);
        svg_numbers(chart, box, x, y, out);
        if (box->reads && next < ACROSS)
            fprintf(out, "<path class=\"axis\" d=\"M%d %dH%dm-6 -4l6 4l-6 4\"/>\n", x + SVG_WIDTH,
                    middle, next * stride + 1);
    }
    fputs("</svg>\n", out);
}

void memory_chart_page(const struct memory_chart *chart, struct page *page)
{
    struct text_stream stream;
    char *text = NULL;
    if (!memory_chart_count(chart->metrics))
        return;
    if (page->format == PAGE_HTML) {
        fputs("<figure>\n", page->out);
        memory_chart_svg(chart, page->out);
        fputs("<figcaption>Memory chart</figcaption></figure>\n", page->out);
        return;
    }
    FILE *out = text_stream_open(&stream);
    enum status status = out ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = text_stream_finish(&stream, memory_chart_print(chart, MEMORY_CHART_COLUMNS, out),
                                    &text);
    if (!status)
        page_code(page, "Memory chart", text);
    page->status = page->status ? page->status : status;
    free(text);
}
