/* The Lanes view: the instructions that a program of the SIMT processor issued, each with the share
 * of its lanes that executed, beside its line of the source; of an ELF file, which has no lines,
 * beside itself. */
#include <inttypes.h>
#include <string.h>

#include "base/counts.h"
#include "ui/jobs/lane_job.h"
#include "ui/panes/pane.h"
#include "workload/simt/disassembler.h"

struct lanes_view {
    struct list list; /* of instructions */
    char wanted[256];
};

static const struct lane_result *lanes_usable(const struct explorer *explorer)
{
    return pane_usable(explorer, CONTEXT_LANES);
}

static void lanes_settle(struct explorer *explorer)
{
    struct lanes_view *view = pane_state(explorer, CONTEXT_LANES);
    if (explorer->view == VIEW_LANES && strcmp(view->wanted, explorer->workload)) {
        snprintf(view->wanted, sizeof view->wanted, "%s", explorer->workload);
        view->list = (struct list){0};
        pane_ask(explorer, CONTEXT_LANES, lane_result_new(view->wanted));
    }
}

/* ---- drawing --------------------------------------------------------------------------------- */

enum { HEADS = 2, BAR = 8, TEXT_COLUMN = 45 };

/* What stands beside an instruction: its line of the source, or itself. */
static uint32_t beside(const struct lane_result *result, uint32_t pc, uint32_t index,
                       char text[ROW_TEXT])
{
    const uint32_t line = simt_image_line(&result->program->image, pc, text, ROW_TEXT);
    char words[SIMT_TEXT_BYTES];
    if (!*text) {
        simt_profile_text(result->program, index, words);
        snprintf(text, ROW_TEXT, "%s", words);
    }
    return line;
}

static void draw_row(const struct lane_result *result, const struct canvas *canvas, int row, int i,
                     bool chosen)
{
    const uint32_t index = result->rows[i];
    const struct simt_pc_count *count = &result->profile.pcs[index];
    const uint32_t pc = simt_pc_of(&result->program->image, index);
    const double share = simt_efficiency(result->program, count->issued, count->lanes);
    const struct style style = {share < 1 ? ROLE_TEXT : ROLE_DIM, false, chosen};
    char issued[32], line[12] = "", text[ROW_TEXT];
    const uint32_t number = beside(result, pc, index, text);
    quantity_print_short((double)count->issued, UNIT_NONE, 3, issued);
    if (number)
        snprintf(line, sizeof line, "%" PRIu32, number);
    canvas_printf(canvas, row, 0, TEXT_COLUMN, style, " %6" PRIx32 " %5s %8s %6.1f%% ", pc, line,
                  issued, 100 * share);
    canvas_bar(canvas, row, 34, BAR, share, ROLE_SERIES_1);
    canvas_text(canvas, row, TEXT_COLUMN, canvas->rect.columns - TEXT_COLUMN - 1, style, text);
    if (chosen)
        canvas_cursor(canvas, row, 1);
}

static void lanes_draw_sums(const struct lane_result *result, const struct canvas *canvas)
{
    const struct simt_profile *profile = &result->profile;
    const struct simt_setup *setup = &result->program->setup;
    char issued[32], lanes[32], blocks[COUNT_TEXT], warps[COUNT_TEXT], of[COUNT_TEXT];
    quantity_print_short((double)profile->issued, UNIT_NONE, 4, issued);
    quantity_print_short((double)profile->lanes, UNIT_NONE, 4, lanes);
    canvas_printf(canvas, 0, 1, canvas->rect.columns - 2, STYLE(ROLE_TEXT),
                  "%.1f%% of the lanes: %s in %s instructions; %s, %s, %s",
                  100 * simt_efficiency(result->program, profile->issued, profile->lanes), lanes,
                  issued, counted_print(setup->blocks, "block", blocks),
                  counted_print(setup->warps, "warp", warps),
                  counted_print(setup->lanes, "lane", of));
}

static void lanes_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct lanes_view *view = pane_seen(explorer, CONTEXT_LANES);
    const struct lane_result *result = lanes_usable(explorer);
    if (!result) {
        pane_draw_waiting(explorer, CONTEXT_LANES, canvas, "executing ...");
        return;
    }
    lanes_draw_sums(result, canvas);
    canvas_text(canvas, 1, 1, canvas->rect.columns - 1, STYLE_BOLD(ROLE_ACCENT),
                "    pc  line   issued   lanes               source");
    for (int row = HEADS; row < canvas->rect.rows; row++) {
        const int i = view->list.top + row - HEADS;
        if (i >= (int)result->count)
            break;
        draw_row(result, canvas, row, i, i == view->list.selected);
    }
}

static int lanes_count(const struct explorer *explorer)
{
    const struct lane_result *result = lanes_usable(explorer);
    return result ? (int)result->count : 0;
}

static void lanes_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct lane_result *result = lanes_usable(explorer);
    char source[ROW_TEXT], words[SIMT_TEXT_BYTES];
    const uint32_t index = result->rows[row];
    const uint32_t pc = simt_profile_text(result->program, index, words);
    beside(result, pc, index, source);
    snprintf(text, ROW_TEXT, "%" PRIx32 " %s %.300s", pc, words, source);
}

static void lanes_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct lanes_view *view = pane_seen(explorer, CONTEXT_LANES);
    const struct lane_result *result = lanes_usable(explorer);
    char words[SIMT_TEXT_BYTES];
    text[0] = '\0';
    if (!result || !result->count)
        return;
    const uint32_t index = result->rows[view->list.selected];
    const struct simt_pc_count *count = &result->profile.pcs[index];
    const uint32_t pc = simt_profile_text(result->program, index, words);
    snprintf(text, ROW_TEXT, "0x%" PRIx32 " %s: %.2f of %u lanes", pc, words,
             (double)count->lanes / (double)count->issued, result->program->setup.lanes);
}

static void lanes_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct lane_result *result = lanes_usable(explorer);
    char rows[COUNT_TEXT];
    text[0] = '\0';
    if (result)
        snprintf(text, ROW_TEXT, "%s  %s", result->workload,
                 counted_print(result->count, "instruction", rows));
}

const struct pane_ops lanes_pane_ops = {
    .title = "Lanes",
    .state_size = sizeof(struct lanes_view),
    .job = &lane_job,
    .heads = HEADS,
    .count = lanes_count,
    .text = lanes_text,
    .describe = lanes_describe,
    .status = lanes_status,
    .settle = lanes_settle,
    .draw = lanes_draw,
    .hints = {{COMMAND_FIND, NULL}, {COMMAND_WORKLOAD, NULL}, {COMMAND_CANCEL, NULL}},
    .opens = {{COMMAND_OPEN, NULL}, {COMMAND_WORKLOAD, NULL}, {COMMAND_CANCEL, NULL}},
};
