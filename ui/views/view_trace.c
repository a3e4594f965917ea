/* The Trace view: the launches of the workload, statistics of their streams and what the machine's
 * caches count for each (stream_job.h), with one row for each launch and one for the sums. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/counts.h"
#include "base/utf8.h"
#include "ui/jobs/stream_job.h"
#include "ui/panes/pane.h"

struct trace_view {
    struct list list;
    char wanted[256];
    struct machine machine;
    enum depth depth;
};

static void trace_settle(struct explorer *explorer)
{
    struct trace_view *view = pane_state(explorer, CONTEXT_TRACE);
    const struct session *session = explorer->session;
    if (explorer->view == VIEW_TRACE &&
        (strcmp(view->wanted, explorer->workload) || view->depth != session->study.depth ||
         !machine_same(&view->machine, &session->machine, ~0u))) {
        snprintf(view->wanted, sizeof view->wanted, "%s", explorer->workload);
        view->machine = session->machine;
        view->depth = session->study.depth;
        pane_ask(explorer, CONTEXT_TRACE,
                 stream_result_new(view->wanted, &view->machine, view->depth));
    }
}

static const struct stream_result *trace_usable(const struct explorer *explorer)
{
    return pane_usable(explorer, CONTEXT_TRACE);
}

/* A column. The launch is NULL in the row of the sums, where a shape makes no sense. */
struct column {
    const char *head;
    int width;
    void (*print)(const struct trace_launch *launch, const struct stream_stats *stats, char *text);
    const char *metric; /* instead of `print`: of the machine */
};

static void trace_print_count(uint64_t count, char *text)
{
    quantity_print_short((double)count, UNIT_NONE, 3, text);
}

static void print_blocks(const struct trace_launch *launch, const struct stream_stats *stats,
                         char *text)
{
    (void)launch;
    trace_print_count(stats->blocks, text);
}

static void print_threads(const struct trace_launch *launch, const struct stream_stats *stats,
                          char *text)
{
    (void)stats;
    if (launch)
        trace_print_count(launch_threads(launch), text);
}

static void trace_print_registers(const struct trace_launch *launch,
                                  const struct stream_stats *stats, char *text)
{
    (void)stats;
    if (launch)
        trace_print_count(launch->registers, text);
}

static void print_shared(const struct trace_launch *launch, const struct stream_stats *stats,
                         char *text)
{
    (void)stats;
    if (launch)
        quantity_print_short(launch->shared_bytes, UNIT_BYTES, 3, text);
}

static void trace_print_instructions(const struct trace_launch *launch,
                                     const struct stream_stats *stats, char *text)
{
    (void)launch;
    trace_print_count(stats->memory_instructions, text);
}

static void print_loads(const struct trace_launch *launch, const struct stream_stats *stats,
                        char *text)
{
    (void)launch;
    uint64_t all = stats->loads + stats->stores + stats->atomics;
    quantity_print_short(all ? (double)stats->loads / (double)all : 0, UNIT_PERCENT, 3, text);
}

static void print_sectors(const struct trace_launch *launch, const struct stream_stats *stats,
                          char *text)
{
    (void)launch;
    trace_print_count(stats->sectors_32, text);
}

static void print_footprint(const struct trace_launch *launch, const struct stream_stats *stats,
                            char *text)
{
    (void)launch;
    quantity_print_short((double)stats->lines * 128, UNIT_BYTES, 3, text);
}

static void print_pages(const struct trace_launch *launch, const struct stream_stats *stats,
                        char *text)
{
    (void)launch;
    trace_print_count(stats->distinct[3], text);
}

static void print_l2(const struct trace_launch *launch, const struct stream_stats *stats,
                     char *text)
{
    (void)launch;
    trace_print_count(stats->distinct[2], text);
}

static void print_l3(const struct trace_launch *launch, const struct stream_stats *stats,
                     char *text)
{
    (void)launch;
    trace_print_count(stats->distinct[1], text);
}

static void print_l4(const struct trace_launch *launch, const struct stream_stats *stats,
                     char *text)
{
    (void)launch;
    trace_print_count(stats->distinct[0], text);
}

/* As many columns as fit are drawn, from the left; none of what the machine lacks. */
static const struct column columns[] = {
    {"blocks", 7, print_blocks, NULL},   {"mem.instr", 10, trace_print_instructions, NULL},
    {"L1D", 7, NULL, "l1d.accesses"},    {"misses", 8, NULL, "l1d.misses"},
    {"L2", 7, NULL, "l2.accesses"},      {"misses", 8, NULL, "l2.misses"},
    {"TLB miss", 9, NULL, "tlb.misses"}, {"footprint", 11, print_footprint, NULL},
    {"loads", 7, print_loads, NULL},     {"pages", 7, print_pages, NULL},
    {"threads", 8, print_threads, NULL}, {"regs", 6, trace_print_registers, NULL},
    {"shared", 9, print_shared, NULL},   {"L1I miss", 9, NULL, "l1i.misses"},
    {"walks", 7, NULL, "walk.count"},    {"sectors", 9, print_sectors, NULL},
    {"L2 index", 10, print_l2, NULL},    {"L3 index", 10, print_l3, NULL},
    {"L4 index", 10, print_l4, NULL},
};

/* What a row is about: a launch, or all of them (`launch` NULL). */
struct trace_row {
    const struct trace_launch *launch;
    const struct stream_stats *stats;
    const struct metrics *metrics; /* NULL: not counted */
};

static void print_metric(const char *path, const struct metrics *metrics, char *text)
{
    const double value = metrics ? metric_get(metric_find(path), metrics) : NAN;
    if (isnan(value))
        snprintf(text, QUANTITY_TEXT, "-");
    else
        quantity_print_short(value, UNIT_NONE, 3, text);
}

/* The machine may count it, or the depth has counted it with a switch of its own. */
static bool trace_has(const struct stream_result *result, const struct metric *metric)
{
    return machine_has(&result->machine, metric->stage) ||
           (result->log.launches.count && !isnan(metric_get(metric, &result->whole)));
}

/* `row` NULL: the headings. */
static void trace_draw_columns(const struct stream_result *result, const struct canvas *canvas,
                               int line, int at, struct style style, const struct trace_row *row)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char text[QUANTITY_TEXT] = "";
        if (columns[i].metric && !trace_has(result, metric_find(columns[i].metric)))
            continue;
        if (at + columns[i].width > canvas->rect.columns)
            return;
        if (row && columns[i].metric)
            print_metric(columns[i].metric, row->metrics, text);
        else if (row)
            columns[i].print(row->launch, row->stats, text);
        canvas_right(canvas, line, at, columns[i].width, style, row ? text : columns[i].head);
        at += columns[i].width;
    }
}

enum { HEADS = 4 }; /* two rows of provenance, headings, sums */

static void draw_provenance(const struct canvas *canvas, const char *text)
{
    int width = canvas->rect.columns - 2;
    size_t first = text_wrap(text, width);
    canvas_printf(canvas, 0, 1, width, STYLE(ROLE_DIM), "%.*s", (int)first, text);
    canvas_text(canvas, 1, 1, width, STYLE(ROLE_DIM), text + first + strspn(text + first, " "));
}

/* Kernels of a program begin alike, so of a long name the end is shown. */
static void draw_name(const struct canvas *canvas, int row, int room, const char *name)
{
    const int most = room - 1;
    const bool cut = (int)utf8_columns(name) > room;
    if (cut)
        canvas_text(canvas, row, 6, 1, STYLE(ROLE_DIM), canvas_glyph(canvas, GLYPH_CUT));
    while (cut && (int)utf8_columns(name) > most)
        (void)utf8_next(&name);
    canvas_text(canvas, row, 6 + cut, room, STYLE(ROLE_TEXT), name);
}

static void trace_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct trace_view *view = pane_seen(explorer, CONTEXT_TRACE);
    const struct stream_result *result = trace_usable(explorer);
    if (!result) {
        pane_draw_waiting(explorer, CONTEXT_TRACE, canvas, "counting the stream ...");
        return;
    }
    int name = canvas->rect.columns >= 140 ? 32 : 20;
    draw_provenance(canvas, result->source->provenance);
    canvas_text(canvas, 2, 1, name, STYLE_BOLD(ROLE_ACCENT), "  #  launch");
    trace_draw_columns(result, canvas, 2, name + 1, STYLE_BOLD(ROLE_ACCENT), NULL);
    canvas_text(canvas, 3, 6, name - 5, STYLE_BOLD(ROLE_TEXT), "all");
    const struct timing_parts *counted = &result->log.launches;
    const struct trace_row all = {NULL, &result->total, counted->count ? &result->whole : NULL};
    trace_draw_columns(result, canvas, 3, name + 1, STYLE_BOLD(ROLE_TEXT), &all);
    for (int row = HEADS; row < canvas->rect.rows; row++) {
        int index = view->list.top + row - HEADS;
        if (index >= (int)result->source->launch_count)
            break;
        const struct trace_launch *launch = &result->source->launches[index];
        canvas_printf(canvas, row, 1, 4, STYLE(ROLE_DIM), "%3d", index);
        draw_name(canvas, row, name - 6, launch->name);
        const struct trace_row one = {launch, &result->launches[index],
                                      index < (int)counted->count ? &counted->items[index].metrics
                                                                  : NULL};
        trace_draw_columns(result, canvas, row, name + 1, STYLE(ROLE_TEXT), &one);
        if (index == view->list.selected) {
            canvas_reverse(canvas, row);
            canvas_cursor(canvas, row, 1);
        }
    }
}

static int trace_count(const struct explorer *explorer)
{
    const struct stream_result *result = trace_usable(explorer);
    return result ? (int)result->source->launch_count : 0;
}

static void trace_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    snprintf(text, ROW_TEXT, "%s", trace_usable(explorer)->source->launches[row].name);
}

static void trace_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct stream_result *result = trace_usable(explorer);
    const struct trace_view *view = pane_seen(explorer, CONTEXT_TRACE);
    int index = view->list.selected;
    text[0] = '\0';
    if (!result || index >= (int)result->source->launch_count)
        return;
    const struct trace_launch *launch = &result->source->launches[index];
    char accesses[COUNT_TEXT];
    snprintf(text, ROW_TEXT,
             "%.120s: grid %" PRIu32 "x%" PRIu32 "x%" PRIu32 ", block %" PRIu32 "x%" PRIu32
             "x%" PRIu32 ", %s of threads",
             launch->name, launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
             launch->block[1], launch->block[2],
             counted_print(result->launches[index].thread_accesses, "access", accesses));
}

static void trace_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct stream_result *result = trace_usable(explorer);
    char launches[COUNT_TEXT];
    text[0] = '\0';
    if (result)
        snprintf(text, ROW_TEXT, "%s, %s", result->source->name,
                 counted_print(result->source->launch_count, "launch", launches));
}

const struct pane_ops trace_pane_ops = {
    .title = "Trace",
    .state_size = sizeof(struct trace_view),
    .job = &stream_job,
    .heads = HEADS,
    .count = trace_count,
    .text = trace_text,
    .describe = trace_describe,
    .status = trace_status,
    .settle = trace_settle,
    .draw = trace_draw,
    .hints = {{COMMAND_FIND, NULL}, {COMMAND_WORKLOAD, NULL}, {COMMAND_CANCEL, NULL}},
    .opens = {{COMMAND_WORKLOAD, NULL}, {COMMAND_CANCEL, NULL}},
};
