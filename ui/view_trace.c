/* The Trace screen: the launches of the workload and what their streams hold. */
#include <inttypes.h>
#include <string.h>

#include "ui/pane.h"

void trace_view_settle(struct explorer *explorer)
{
    struct trace_view *view = &explorer->trace;
    if (explorer->view == VIEW_TRACE && strcmp(view->wanted, explorer->workload)) {
        snprintf(view->wanted, sizeof view->wanted, "%s", explorer->workload);
        stream_job_start(explorer->counter, view->wanted);
    }
}

static const struct stream_result *usable(const struct explorer *explorer)
{
    const struct trace_view *view = &explorer->trace;
    return view->result && !view->result->status && !strcmp(view->result->workload, view->wanted)
               ? view->result
               : NULL;
}

static const char *count_text(uint64_t count, char text[QUANTITY_TEXT])
{
    return quantity_print_short((double)count, UNIT_NONE, 3, text);
}

struct column {
    const char *head;
    int width;
};

/* Wide screens show all, narrow ones as many from the left as fit. */
static const struct column columns[] = {
    {"blocks", 8},  {"threads", 8},  {"regs", 5},    {"shared", 8},     {"memory instr.", 14},
    {"loads %", 8}, {"stores %", 9}, {"sectors", 9}, {"footprint", 11}, {"pages", 8},
    {"2 MiB", 7},   {"1 GiB", 7},    {"512 GiB", 8},
};

static void print_column(const struct trace_launch *launch, const struct stream_stats *stats,
                         size_t column, char text[QUANTITY_TEXT])
{
    double instructions = (double)(stats->loads + stats->stores + stats->atomics);
    switch (column) {
    case 0:
        count_text(stats->blocks, text);
        break;
    case 1:
        snprintf(text, QUANTITY_TEXT, "%u", launch ? launch_threads(launch) : 0);
        break;
    case 2:
        snprintf(text, QUANTITY_TEXT, "%u", launch ? launch->registers : 0);
        break;
    case 3:
        quantity_print_short(launch ? launch->shared_bytes : 0, UNIT_BYTES, 3, text);
        break;
    case 4:
        count_text(stats->memory_instructions, text);
        break;
    case 5:
        snprintf(text, QUANTITY_TEXT, "%.1f",
                 instructions > 0 ? 100 * (double)stats->loads / instructions : 0);
        break;
    case 6:
        snprintf(text, QUANTITY_TEXT, "%.1f",
                 instructions > 0 ? 100 * (double)stats->stores / instructions : 0);
        break;
    case 7:
        count_text(stats->sectors_32, text);
        break;
    case 8:
        quantity_print_short((double)stats->lines * 128, UNIT_BYTES, 3, text);
        break;
    default: /* distinct[] goes from L4 to L1: the last is the pages */
        count_text(stats->distinct[3 - (column - 9)], text);
        break;
    }
}

static void draw_columns(const struct canvas *canvas, int row, int at, struct style style,
                         const struct trace_launch *launch, const struct stream_stats *stats)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char text[QUANTITY_TEXT];
        if (at + columns[i].width > canvas->rect.columns)
            return;
        if (stats)
            print_column(launch, stats, i, text);
        if (!stats || launch || i == 0 || i > 3) /* a sum has no shape */
            canvas_right(canvas, row, at, columns[i].width, style, stats ? text : columns[i].head);
        at += columns[i].width;
    }
}

static void trace_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct trace_view *view = &explorer->trace;
    const struct stream_result *result = usable(explorer);
    int width = canvas->rect.columns - 1;
    if (!result) {
        bool failed =
            view->result && view->result->status && !strcmp(view->result->workload, view->wanted);
        canvas_text(canvas, 1, 1, width, STYLE(failed ? ROLE_BAD : ROLE_DIM),
                    failed ? view->result->message : "counting the stream ...");
        return;
    }
    int name = canvas->rect.columns >= 120 ? 32 : 20;
    canvas_text(canvas, 0, 1, width, STYLE(ROLE_DIM), result->source->provenance);
    canvas_text(canvas, 1, 1, name, STYLE_BOLD(ROLE_ACCENT), "  #  launch");
    draw_columns(canvas, 1, name + 1, STYLE_BOLD(ROLE_ACCENT), NULL, NULL);
    canvas_text(canvas, 2, 6, name - 5, STYLE_BOLD(ROLE_TEXT), "all");
    draw_columns(canvas, 2, name + 1, STYLE_BOLD(ROLE_TEXT), NULL, &result->total);
    for (int row = 3; row < canvas->rect.rows; row++) {
        int index = view->list.top + row - 3;
        if (index >= (int)result->source->launch_count)
            break;
        const struct trace_launch *launch = &result->source->launches[index];
        canvas_printf(canvas, row, 1, 4, STYLE(ROLE_DIM), "%3d", index);
        canvas_text(canvas, row, 6, name - 6, STYLE(ROLE_TEXT), launch->name);
        draw_columns(canvas, row, name + 1, STYLE(ROLE_TEXT), launch, &result->launches[index]);
        if (index == view->list.selected) {
            canvas_reverse(canvas, row);
            canvas_cursor(canvas, row, 1);
        }
    }
}

static struct list *trace_list(struct explorer *explorer)
{
    return &explorer->trace.list;
}

static int trace_count(const struct explorer *explorer)
{
    const struct stream_result *result = usable(explorer);
    return result ? (int)result->source->launch_count : 0;
}

static void trace_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    snprintf(text, ROW_TEXT, "%s", usable(explorer)->source->launches[row].name);
}

static void trace_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct stream_result *result = usable(explorer);
    int index = explorer->trace.list.selected;
    text[0] = '\0';
    if (!result || index >= (int)result->source->launch_count)
        return;
    const struct trace_launch *launch = &result->source->launches[index];
    snprintf(text, ROW_TEXT,
             "%.120s: grid %" PRIu32 "x%" PRIu32 "x%" PRIu32 ", block %" PRIu32 "x%" PRIu32
             "x%" PRIu32 ", %" PRIu64 " accesses of threads",
             launch->name, launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
             launch->block[1], launch->block[2], result->launches[index].thread_accesses);
}

static void trace_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct stream_result *result = usable(explorer);
    text[0] = '\0';
    if (result)
        snprintf(text, ROW_TEXT, "%s, %u %s", result->source->name, result->source->launch_count,
                 result->source->launch_count == 1 ? "launch" : "launches");
}

const struct pane_ops trace_ops = {
    .title = "Trace",
    .heads = 3,
    .list = trace_list,
    .count = trace_count,
    .text = trace_text,
    .describe = trace_describe,
    .status = trace_status,
    .draw = trace_draw,
    .hints = {COMMAND_SEARCH, COMMAND_WORKLOAD, COMMAND_CANCEL, COMMAND_HELP, COMMAND_COUNT},
};
