/* The Queue view: what a bank of the tile cache does, request by request, with its miss queue after
 * the selected step - heads, tails, next pointers - as `warpscape tile --steps` prints it.
 * queue_job.h remembers all of that, so stepping back is stepping forward. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "ui/jobs/queue_job.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/panes/say.h"

/* ---- the model ------------------------------------------------------------------------------- */

struct queue_view {
    struct list list; /* of steps */
    uint32_t bank;
    uint64_t from;    /* the first step */
    char wanted[256]; /* what it was asked for */
    struct machine machine;
    uint32_t asked_bank;
    uint64_t asked_from;
};

static const struct queue_result *queue_usable(const struct explorer *explorer)
{
    const struct queue_result *result = pane_usable(explorer, CONTEXT_QUEUE);
    return result && result->count ? result : NULL;
}

static size_t queue_selected(const struct explorer *explorer)
{
    const struct queue_view *view = pane_seen(explorer, CONTEXT_QUEUE);
    return (size_t)view->list.selected;
}

static bool queue_is_same(const struct queue_view *view, const struct explorer *explorer)
{
    return !strcmp(view->wanted, explorer->workload) && view->asked_bank == view->bank &&
           view->asked_from == view->from &&
           machine_same(&view->machine, &explorer->session->machine, ~0u);
}

static void queue_settle(struct explorer *explorer)
{
    struct queue_view *view = pane_state(explorer, CONTEXT_QUEUE);
    if (explorer->view != VIEW_QUEUE)
        return;
    view->from = view->from ? view->from : 1;
    if (!queue_is_same(view, explorer)) {
        snprintf(view->wanted, sizeof view->wanted, "%s", explorer->workload);
        view->machine = explorer->session->machine;
        view->asked_bank = view->bank;
        view->asked_from = view->from;
        pane_ask(explorer, CONTEXT_QUEUE,
                 queue_result_new(view->wanted, &view->machine, view->bank, view->from));
    }
    const struct queue_result *result = queue_usable(explorer);
    list_move(&view->list, result ? (int)result->count : 0, 0);
}

/* ---- commands -------------------------------------------------------------------------------- */

bool action_bank(struct explorer *explorer, const char *arguments)
{
    struct queue_view *view = pane_state(explorer, CONTEXT_QUEUE);
    const uint64_t banks = explorer->session->machine.tile.cache.slices;
    char text[48];
    if (!*arguments) {
        snprintf(text, sizeof text, "%" PRIu32 " %" PRIu64, view->bank, view->from);
        prompt_line(explorer, "bank and first step: ", "bank", text, NULL);
        return true;
    }
    explorer->view = VIEW_QUEUE;
    const bool next = !strcmp(arguments, "next");
    if (next || !strcmp(arguments, "previous")) {
        view->bank = (uint32_t)((view->bank + (next ? 1 : banks - 1)) % (banks ? banks : 1));
        return true;
    }
    char *end;
    const unsigned long long bank = strtoull(arguments, &end, 10);
    const unsigned long long from = *end == ' ' ? strtoull(end, &end, 10) : 1;
    if (!isdigit((unsigned char)*arguments) || *end || bank >= banks || !from)
        return refuse(explorer,
                      "expected a bank from 0 to %" PRIu64 " and perhaps a step, as 0 5000, got "
                      "'%.60s'",
                      banks - 1, arguments);
    view->bank = (uint32_t)bank;
    view->from = from;
    view->list = (struct list){0};
    return true;
}

static bool queue_is_event(const struct queue_step *step, const char *event)
{
    return *event == 'm' ? step->is_miss : *event == 'r' ? step->is_return : step->is_wait;
}

static bool queue_goes(struct explorer *explorer, const char *where)
{
    struct queue_view *view = pane_state(explorer, CONTEXT_QUEUE);
    const struct queue_result *result = queue_usable(explorer);
    char *end;
    const uint64_t number = strtoull(where, &end, 10);
    const uint64_t first = result ? result->steps[0].number : 1;
    const uint64_t last = result ? first + result->count - 1 : 0;
    if (*end || !isdigit((unsigned char)*where) || number < first || number > last)
        return refuse(explorer,
                      "the steps here are %" PRIu64 " to %" PRIu64 "; :bank %" PRIu32 " %.20s"
                      " shows others",
                      first, last, view->bank, where);
    view->list.selected = (int)(number - first);
    return true;
}

static bool queue_jump(struct explorer *explorer, const char *event, bool back)
{
    struct queue_view *view = pane_state(explorer, CONTEXT_QUEUE);
    const struct queue_result *result = queue_usable(explorer);
    if (!result)
        return refuse(explorer, "%s",
                      pane_waits(explorer, CONTEXT_QUEUE) ? "the steps are still being found"
                                                          : "there are no steps here");
    if (strcmp(event, "miss") && strcmp(event, "return") && strcmp(event, "wait"))
        return refuse(explorer, "expected miss, return or wait, got '%.60s'", event);
    const int by = back ? -1 : 1;
    for (int i = view->list.selected + by; i >= 0 && i < (int)result->count; i += by)
        if (queue_is_event(&result->steps[i], event)) {
            view->list.selected = i;
            return true;
        }
    return refuse(explorer, "no %s %s this step", event, back ? "before" : "after");
}

/* ---- drawing --------------------------------------------------------------------------------- */

enum {
    HEADS = 5,
    WORD_ROWS = 3,
    LIST_COLUMNS = 34,
    QUEUE_COLUMN = LIST_COLUMNS + 1,
    QUEUE_LEAST = 32
};

static const char *queue_text_at(const struct queue_result *result, size_t place)
{
    return kept_bytes_at(&result->kept, place);
}

static void draw_words(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct queue_result *result = queue_usable(explorer);
    const struct queue_step *step = &result->steps[queue_selected(explorer)];
    const struct tile_config *tile = &result->machine.tile;
    canvas_printf(canvas, 0, 1, canvas->rect.columns - 2, STYLE(ROLE_TEXT),
                  "bank %" PRIu32 " of %" PRIu64 ", %" PRIu32 " waiting; from step %" PRIu64
                  " on %" PRIu32 " missed, %" PRIu32 " of them joined a chain",
                  result->bank, tile->cache.slices, step->waiting_count, result->steps[0].number,
                  step->misses, step->joined);
    const struct canvas words = canvas_part(canvas, 1, 0, WORD_ROWS, canvas->rect.columns);
    canvas_paragraph(&words, 0, STYLE_BOLD(step->is_return ? ROLE_ACCENT : ROLE_TEXT),
                     queue_text_at(result, step->words));
}

static void queue_draw_list(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct queue_view *view = pane_seen(explorer, CONTEXT_QUEUE);
    const struct queue_result *result = queue_usable(explorer);
    canvas_text(canvas, HEADS - 1, 1, LIST_COLUMNS, STYLE_BOLD(ROLE_ACCENT),
                " step    cycle what      request");
    for (int row = HEADS; row < canvas->rect.rows; row++) {
        const int i = view->list.top + row - HEADS;
        if (i >= (int)result->count)
            break;
        const struct queue_step *step = &result->steps[i];
        const struct style style = {step->is_miss || step->is_return ? ROLE_TEXT : ROLE_DIM,
                                    step->is_miss, i == view->list.selected};
        char request[24] = "";
        if (step->serial != UINT64_MAX)
            snprintf(request, sizeof request, "%" PRIu64, step->serial);
        canvas_printf(canvas, row, 0, LIST_COLUMNS, style, "%6" PRIu64 " %8" PRIu64 " %-8s %8s ",
                      step->number, step->cycle, step->name, request);
        if (i == view->list.selected)
            canvas_cursor(canvas, row, 1);
    }
}

/* Heads are bold; a queue that does not fit is cut. */
static void draw_queue(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct queue_result *result = queue_usable(explorer);
    const struct queue_step *step = &result->steps[queue_selected(explorer)];
    const struct tile_waiting *waiting = queue_result_waiting(result, queue_selected(explorer));
    const int width = canvas->rect.columns - QUEUE_COLUMN;
    if (width < QUEUE_LEAST) /* columns: not even an entry with its request and line */
        return;
    for (int row = HEADS - 1; row < canvas->rect.rows; row++)
        canvas_fill(canvas, row, LIST_COLUMNS, 1, STYLE(ROLE_AXIS), GLYPH_VERTICAL);
    canvas_text(canvas, HEADS - 1, QUEUE_COLUMN, width, STYLE_BOLD(ROLE_ACCENT),
                tile_waiting_headings);
    for (int i = 0; i < (int)step->waiting_count && HEADS + i < canvas->rect.rows; i++) {
        const bool cut = HEADS + i + 1 == canvas->rect.rows && i + 1 < (int)step->waiting_count;
        char text[TILE_WAITING_TEXT];
        if (cut)
            snprintf(text, sizeof text, "%s %d more", canvas_glyph(canvas, GLYPH_CUT),
                     (int)step->waiting_count - i);
        else
            tile_waiting_print(&waiting[i], result->source->tiles, step->cycle, text);
        canvas_text(canvas, HEADS + i, QUEUE_COLUMN, width,
                    waiting[i].running        ? STYLE_BOLD(ROLE_GOOD)
                    : waiting[i].head && !cut ? STYLE_BOLD(ROLE_TEXT)
                                              : STYLE(ROLE_DIM),
                    text);
    }
}

static void queue_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    if (queue_usable(explorer)) {
        draw_words(explorer, canvas);
        queue_draw_list(explorer, canvas);
        draw_queue(explorer, canvas);
        return;
    }
    pane_draw_waiting(explorer, CONTEXT_QUEUE, canvas,
                      pane_usable(explorer, CONTEXT_QUEUE)
                          ? "this bank does nothing from that step on"
                          : "stepping ...");
}

static int queue_count(const struct explorer *explorer)
{
    const struct queue_result *result = queue_usable(explorer);
    return result ? (int)result->count : 0;
}

static void queue_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct queue_result *result = queue_usable(explorer);
    const struct queue_step *step = &result->steps[row];
    snprintf(text, ROW_TEXT, "%s %s", step->name, queue_text_at(result, step->words));
}

static void queue_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct queue_result *result = queue_usable(explorer);
    text[0] = '\0';
    if (result)
        snprintf(text, ROW_TEXT, "%s",
                 queue_text_at(result, result->steps[queue_selected(explorer)].about));
}

static void queue_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct queue_result *result = queue_usable(explorer);
    char steps[COUNT_TEXT];
    text[0] = '\0';
    if (result)
        snprintf(text, ROW_TEXT, "%s  %s", result->workload,
                 counted_print(result->count, "step", steps));
}

/* Without a scene there is no bank. */
static bool queue_lacks(const struct explorer *explorer, enum command command)
{
    return command == COMMAND_BANK && pane_failure(explorer, CONTEXT_QUEUE);
}

const struct pane_ops queue_pane_ops = {
    .title = "Queue",
    .state_size = sizeof(struct queue_view),
    .job = &queue_job,
    .go = queue_goes,
    .jump = queue_jump,
    .heads = HEADS,
    .count = queue_count,
    .text = queue_text,
    .describe = queue_describe,
    .status = queue_status,
    .settle = queue_settle,
    .draw = queue_draw,
    .lacks = queue_lacks,
    .hints = {{COMMAND_DOWN, "step"},
              {COMMAND_UP, "back"},
              {COMMAND_NEXT, "miss"},
              {COMMAND_BANK, NULL},
              {COMMAND_FIND, NULL},
              {COMMAND_WORKLOAD, NULL},
              {COMMAND_CANCEL, NULL}},
    .opens = {{COMMAND_WORKLOAD, NULL}, {COMMAND_BANK, "bank"}, {COMMAND_CANCEL, NULL}},
};
