#include "ui/panes/pane_detail.h"

#include <inttypes.h>
#include <math.h>

#include "report/runs/cycle_stack.h"
#include "report/runs/reuse_chart.h"
#include "report/runs/timing_report.h"
#include "trace/stream.h"
#include "ui/panes/verdicts.h"

static enum depth detail_depth_of(const struct explorer *explorer)
{
    return explorer->session->study.depth;
}

void detail_receive(struct explorer *explorer)
{
    const struct engine_detail *detail = &explorer->snapshot.detail;
    struct chart_pane *pane = &explorer->chart;
    const bool part =
        detail->state == ENGINE_RUNNING && detail->pc_count && pane->kind == CHART_INSTRUCTIONS;
    if (pane->detail_request && detail->request == pane->detail_request &&
        (detail->state == ENGINE_DONE || part))
        pane->detail = *detail;
}

void detail_settle(struct explorer *explorer)
{
    struct chart_pane *pane = &explorer->chart;
    const struct machine *machine = &explorer->session->machine;
    if (!detail_wanted(explorer) || !explorer->request)
        return;
    if (pane->detail_request && machine_same(machine, &pane->detail_machine, ~0u))
        return;
    pane->detail_machine = *machine;
    pane->detail_request = engine_request_detail(explorer->engine, machine);
}

/* The newest values, possibly of an earlier machine or of the cycles so far; NULL if there are none
 * at this depth yet. */
static const struct engine_detail *detail_known(const struct explorer *explorer)
{
    const struct engine_detail *detail = &explorer->chart.detail;
    const bool part = detail->state == ENGINE_RUNNING && detail->pc_count &&
                      explorer->chart.kind == CHART_INSTRUCTIONS;
    return (detail->state == ENGINE_DONE || part) && detail->depth == detail_depth_of(explorer)
               ? detail
               : NULL;
}

static bool fresh(const struct explorer *explorer)
{
    return detail_known(explorer) && detail_known(explorer)->state == ENGINE_DONE &&
           explorer->chart.detail.request == explorer->chart.detail_request;
}

static bool timed(const struct explorer *explorer)
{
    return depth_can(detail_depth_of(explorer), DEPTH_TIMED);
}

const char *detail_missing(const struct explorer *explorer)
{
    const struct engine_detail *running = &explorer->snapshot.detail;
    if (explorer->chart.kind == CHART_DISTANCES &&
        !depth_can(detail_depth_of(explorer), DEPTH_DISTANCES))
        return "reuse distances are counted at depth reuse: d";
    if (explorer->chart.kind == CHART_TIME && !timed(explorer))
        return "cycles are counted at depth timing: d";
    if (running->request == explorer->chart.detail_request && running->state == ENGINE_FAILED)
        return running->message;
    if (!detail_known(explorer))
        return "computing: there is no honest answer before the last access";
    if (explorer->chart.kind == CHART_INSTRUCTIONS && !detail_known(explorer)->pc_count)
        return cache_is_offline(&explorer->session->machine.l1d)
                   ? "under l1d.replacement opt misses are not known by instruction"
                   : "the L1D is not accessed";
    return NULL;
}

int detail_count(const struct explorer *explorer)
{
    if (explorer->chart.kind == CHART_DISTANCES || !detail_wanted(explorer) ||
        detail_missing(explorer))
        return 0;
    const struct engine_detail *detail = detail_known(explorer);
    return (int)(explorer->chart.kind == CHART_TIME ? detail->time_count : detail->pc_count);
}

/* ---- instructions ---- */

enum {
    PC_WIDTH = 11,
    COUNT_WIDTH = 9,
    RATE_WIDTH = 8,
    LATENCY_WIDTH = 9, /* depth timing only */
    SHARE_WIDTH = 9,
    CLASS_WIDTH = 8,
    OP_WIDTH = 8,
    KERNEL_LEAST = 12, /* columns for the name of a kernel; a bar gets as many */
    KERNEL_MOST = 32,
    BAR_LEAST = 6
};

static double detail_share_of(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* The width of the column for the operation; 0 in a narrow pane, where only the line below shows
 * it. */
static int op_width(const struct canvas *canvas, enum depth depth)
{
    const int need = PC_WIDTH + OP_WIDTH + COUNT_WIDTH + RATE_WIDTH + SHARE_WIDTH +
                     (depth_can(depth, DEPTH_TIMED) ? LATENCY_WIDTH : 0);
    return canvas->rect.columns > need ? OP_WIDTH : 0;
}

/* How many columns of miss classes fit. */
static size_t class_columns(const struct explorer *explorer, const struct canvas *canvas)
{
    enum miss_class classes[MISS_CLASSES];
    size_t count = miss_classes(detail_depth_of(explorer), classes);
    int need =
        PC_WIDTH + OP_WIDTH + COUNT_WIDTH + RATE_WIDTH + SHARE_WIDTH + (int)count * CLASS_WIDTH;
    return detail_known(explorer)->classes && canvas->rect.columns >= need ? count : 0;
}

/* The room for kernel names after this column, or 0. */
static int kernel_width(const struct canvas *canvas, int column)
{
    int room = canvas->rect.columns - column - 3;
    if (room < KERNEL_LEAST)
        return 0;
    int half = room / 2 > KERNEL_LEAST ? room / 2 : KERNEL_LEAST; /* the other half is for bars */
    return half < KERNEL_MOST ? half : KERNEL_MOST;
}

static void draw_heads(const struct canvas *canvas, enum depth depth, size_t classes)
{
    enum miss_class shown[MISS_CLASSES];
    miss_classes(depth, shown);
    const struct style style = STYLE_BOLD(ROLE_ACCENT);
    const bool times = depth_can(depth, DEPTH_TIMED);
    int column = PC_WIDTH + op_width(canvas, depth);
    canvas_text(canvas, 0, 1, PC_WIDTH - 1, style, "pc");
    canvas_text(canvas, 0, PC_WIDTH, op_width(canvas, depth), style, "op");
    canvas_right(canvas, 0, column, COUNT_WIDTH, style, "misses");
    canvas_right(canvas, 0, column += COUNT_WIDTH, RATE_WIDTH, style, "rate");
    column += RATE_WIDTH;
    if (times) {
        canvas_right(canvas, 0, column, LATENCY_WIDTH, style, "latency");
        column += LATENCY_WIDTH;
    }
    canvas_right(canvas, 0, column, SHARE_WIDTH, style, times ? "stall" : "of all");
    column += SHARE_WIDTH;
    for (size_t i = 0; i < classes; i++, column += CLASS_WIDTH)
        canvas_right(canvas, 0, column, CLASS_WIDTH, style, miss_class_brief(shown[i], depth));
    if (kernel_width(canvas, column))
        canvas_text(canvas, 0, column + 2, kernel_width(canvas, column), style, "kernel");
}

static void detail_draw_share(const struct canvas *canvas, int row, int column, int width,
                              struct style style, uint64_t part, uint64_t whole)
{
    char text[QUANTITY_TEXT];
    canvas_right(canvas, row, column, width, style,
                 quantity_print_short(detail_share_of(part, whole), UNIT_PERCENT, 3, text));
}

static void draw_instruction(const struct canvas *canvas, int row, int index,
                             const struct engine_detail *detail, size_t classes, bool now)
{
    const struct pc_count *pc = &detail->pcs[index];
    const struct style style = STYLE(now ? ROLE_TEXT : ROLE_DIM);
    char text[QUANTITY_TEXT];
    enum miss_class shown[MISS_CLASSES];
    const bool times = depth_can(detail->depth, DEPTH_TIMED);
    const uint64_t part = times ? pc->stalls : pc->misses;
    const uint64_t whole = times ? detail->stalls : detail->misses;
    int column = PC_WIDTH + op_width(canvas, detail->depth);
    miss_classes(detail->depth, shown);
    canvas_printf(canvas, row, 1, PC_WIDTH - 1, style, "0x%04" PRIx32, pc->pc);
    canvas_text(canvas, row, PC_WIDTH, op_width(canvas, detail->depth), style, op_names[pc->op]);
    canvas_right(canvas, row, column, COUNT_WIDTH, style,
                 quantity_print_short((double)pc->misses, UNIT_NONE, 3, text));
    detail_draw_share(canvas, row, column += COUNT_WIDTH, RATE_WIDTH, style, pc->misses,
                      pc->accesses);
    column += RATE_WIDTH;
    if (times) {
        const double cycles = pc->loads ? detail_share_of(pc->load_cycles, pc->loads) : NAN;
        canvas_right(canvas, row, column, LATENCY_WIDTH, style,
                     quantity_print_short(cycles, UNIT_NONE, 3, text));
        column += LATENCY_WIDTH;
    }
    detail_draw_share(canvas, row, column, SHARE_WIDTH, style, part, whole);
    column += SHARE_WIDTH;
    for (size_t i = 0; i < classes; i++, column += CLASS_WIDTH)
        detail_draw_share(canvas, row, column, CLASS_WIDTH, style, pc->classes[shown[i]],
                          pc->misses);
    int width = kernel_width(canvas, column);
    if (width) {
        canvas_text(canvas, row, column + 2, width, style, detail->kernels[index]);
        column += width + 2;
    }
    int room = canvas->rect.columns - column - 2;
    if (room >= BAR_LEAST)
        canvas_bar(canvas, row, column + 1, room, detail_share_of(part, whole), ROLE_SERIES_1);
}

static void draw_instructions(const struct explorer *explorer, const struct canvas *canvas,
                              bool focused)
{
    const struct engine_detail *detail = detail_known(explorer);
    const struct list *list = &explorer->chart.list;
    const size_t classes = class_columns(explorer, canvas);
    const bool verdicts = verdicts_known(detail);
    if (verdicts)
        verdicts_draw_heads(canvas);
    else
        draw_heads(canvas, detail_depth_of(explorer), classes);
    for (int row = 1; row < canvas->rect.rows; row++) {
        int index = list->top + row - 1;
        if (index >= (int)detail->pc_count)
            break;
        if (verdicts)
            verdicts_draw(canvas, row, detail, (size_t)index,
                          STYLE(fresh(explorer) ? ROLE_TEXT : ROLE_DIM));
        else
            draw_instruction(canvas, row, index, detail, classes, fresh(explorer));
        if (focused && index == list->selected) {
            canvas_reverse(canvas, row);
            canvas_cursor(canvas, row, 1);
        }
    }
}

/* ---- time ---- */

static void detail_draw_time(const struct explorer *explorer, const struct canvas *canvas,
                             bool focused)
{
    const struct engine_detail *detail = detail_known(explorer);
    const struct timeline_chart chart = {.items = detail->times,
                                         .count = detail->time_count,
                                         .cursor = focused ? (size_t)explorer->chart.list.selected
                                                           : detail->time_count,
                                         .glyphs = canvas->glyphs};
    timeline_draw(&chart, canvas->cells, canvas->rect.row, canvas->rect.column, canvas->rect.rows,
                  canvas->rect.columns);
}

static bool detail_is_scene(const struct engine_detail *detail)
{
    return detail && detail->time_count && !isnan(detail->times->metrics.tile_requests);
}

/* "cycles 0 to 1.2k: issued 31, memory 64 %, ipc 9.3" */
static void describe_time(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct timing_part *part = &detail_known(explorer)->times[explorer->chart.list.selected];
    char number[QUANTITY_TEXT];
    int used =
        snprintf(text, ROW_TEXT, "cycles %" PRIu64 " to %" PRIu64 ":", part->begin, part->end);
    if (!isnan(part->metrics.tile_requests)) {
        snprintf(text + used, (size_t)(ROW_TEXT - used),
                 " %.0f requests, the busiest bank %.3f of the mean, %.2f in a queue",
                 part->metrics.tile_requests, part->metrics.tile_imbalance,
                 part->metrics.tile_queue_mean);
        return;
    }
    for (size_t i = 0; i < cycle_stack_parts(STACK_CYCLES); i++) {
        const double share = cycle_stack_share(STACK_CYCLES, i, &part->metrics);
        if (share >= 0.005)
            used += snprintf(text + used, (size_t)(ROW_TEXT - used), " %s %.0f",
                             cycle_stack_name(STACK_CYCLES, i), 100 * share);
    }
    snprintf(text + used, (size_t)(ROW_TEXT - used), " %%, ipc %s",
             quantity_print_short(part->metrics.core_ipc, UNIT_NONE, 3, number));
}

/* ---- the pane ---- */

void detail_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    if (explorer->chart.kind == CHART_INSTRUCTIONS)
        draw_instructions(explorer, canvas, focused);
    else if (explorer->chart.kind == CHART_TIME)
        detail_draw_time(explorer, canvas, focused);
    else
        reuse_chart_draw(&detail_known(explorer)->bins, NULL, canvas->glyphs, canvas->cells,
                         canvas->rect.row, canvas->rect.column, canvas->rect.rows,
                         canvas->rect.columns);
}

void detail_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct engine_detail *running = &explorer->snapshot.detail;
    const bool distances = explorer->chart.kind == CHART_DISTANCES;
    const bool time = explorer->chart.kind == CHART_TIME;
    const char *what = distances                                         ? "reuse distances"
                       : time && detail_is_scene(detail_known(explorer)) ? "load over time"
                       : time                                            ? "cycles over time"
                       : detail_known(explorer) && verdicts_known(detail_known(explorer))
                           ? "verdicts by pc"
                       : timed(explorer) ? "stalls by pc"
                                         : "L1D misses by pc";
    if ((distances && !depth_can(detail_depth_of(explorer), DEPTH_DISTANCES)) ||
        (time && !timed(explorer)))
        text[0] = '\0';
    else if (fresh(explorer))
        snprintf(text, ROW_TEXT, "%s  exact", what);
    else
        snprintf(text, ROW_TEXT, "%s  computing %.0f%%", what,
                 running->request == explorer->chart.detail_request ? 100 * running->share : 0);
}

void detail_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    text[0] = '\0';
    if (detail_missing(explorer))
        return;
    const struct engine_detail *detail = detail_known(explorer);
    if (explorer->chart.kind == CHART_DISTANCES) {
        snprintf(text, ROW_TEXT,
                 "other lines of the set between two uses of a line: below %" PRIu64
                 " it is still there; new: %.3g%% of the accesses",
                 detail->bins.hit_below,
                 100 * detail_share_of(detail->bins.infinite, detail->bins.total));
        return;
    }
    int index = explorer->chart.list.selected;
    if (index >= detail_count(explorer))
        return;
    if (explorer->chart.kind == CHART_TIME) {
        describe_time(explorer, text);
        return;
    }
    const struct pc_count *pc = &detail->pcs[index];
    int used =
        snprintf(text, ROW_TEXT, "%s %s 0x%04" PRIx32 ": %" PRIu64 " of %" PRIu64 " accesses miss",
                 detail->kernels[index], op_names[pc->op], pc->pc, pc->misses, pc->accesses);
    enum miss_class shown[MISS_CLASSES];
    size_t count = detail->classes ? miss_classes(detail->depth, shown) : 0;
    for (size_t i = 0; i < count; i++)
        used += snprintf(text + used, (size_t)(ROW_TEXT - used), ", %s %.3g%%",
                         miss_class_name(shown[i], detail->depth),
                         100 * detail_share_of(pc->classes[shown[i]], pc->misses));
    if (pc->loads)
        used += snprintf(text + used, (size_t)(ROW_TEXT - used),
                         ", %" PRIu64 " pending, %.4g cycles per load", pc->pending,
                         detail_share_of(pc->load_cycles, pc->loads));
    if (detail->stalls && used < ROW_TEXT)
        used += snprintf(text + used, (size_t)(ROW_TEXT - used), ", %.3g%% of the stalls",
                         100 * detail_share_of(pc->stalls, detail->stalls));
    verdicts_describe(pc, text, used, ROW_TEXT);
}
