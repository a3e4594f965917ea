/* The Step view: a run at depth timing in front of a cycle, whatever the depth of the screen - what
 * the warps of an SM did in the last cycles, why the selected one waits, and below that what
 * happened, queues, blocks in flight, banks of the DRAM, or a set. Of a scene it shows the banks of
 * the tile cache and their chains. Left and right are the cycles before and after; an edit shows
 * the same cycle of the other machine. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "model/timing/run_difference.h"
#include "report/runs/set_report.h"
#include "report/runs/step_words.h"
#include "schema/stages.h"
#include "ui/jobs/step_job.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/panes/say.h"

enum { PART_DIFFERENCE = STEP_PARTS, PARTS };

/* ---- the model ------------------------------------------------------------------------------- */

struct step_view {
    struct list list;                     /* of warps */
    struct step_run *runs[RUNS_COMPARED]; /* of the machine and of the pinned one */
    int side;                             /* the one that is shown */
    char *difference;                     /* between both, as text; NULL: not looked for */
    struct list lines;                    /* of that text */
    struct step_query query;              /* the newest that was wished for */
    uint64_t aim;                         /* the cycle that left and right begin at */
    bool unasked;                         /* it was not asked yet */
    bool patient;                         /* it may wait for the answer before it */
    bool begun;                           /* something was shown */
    char event[24];                       /* that was looked for last; "": an issue */
    int part; /* what stands below the sentence: enum step_part, or PART_DIFFERENCE */
};

static const struct step_result *step_usable(const struct explorer *explorer)
{
    return pane_usable(explorer, CONTEXT_STEP);
}

/* The newest answer stays on the screen until there is another one. */
static const struct step_result *step_shown(const struct explorer *explorer)
{
    const struct step_result *result = pane_answer(explorer, CONTEXT_STEP);
    return result && !result->answer.status ? result : NULL;
}

/* Whether what differs between two runs takes the place of the warps. */
static bool step_compares(const struct step_view *view)
{
    return view->part == PART_DIFFERENCE && view->difference;
}

static const char *difference_line(const char *text, int line)
{
    while (line-- > 0)
        text += strcspn(text, "\n") + 1;
    return text;
}

static int difference_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static struct list *step_list(struct explorer *explorer)
{
    struct step_view *view = pane_state(explorer, CONTEXT_STEP);
    return step_compares(view) ? &view->lines : &view->list;
}

static const struct step_row *step_row_selected(const struct explorer *explorer)
{
    const struct step_view *view = pane_seen(explorer, CONTEXT_STEP);
    const struct step_result *result = step_shown(explorer);
    const size_t at = (size_t)view->list.selected;
    return result && at < result->count ? &result->rows[at] : NULL;
}

/* Whether what is on the screen is a scene on a tile cache. */
static bool step_of_scene(const struct explorer *explorer)
{
    const struct step_result *result = step_shown(explorer);
    return result && result->state_rows == bank_marks;
}

static const struct machine *step_machine(const struct explorer *explorer, int side)
{
    const struct session *session = explorer->session;
    return side == RUN_B && session->pin_count ? &session->pins[0].machine : &session->machine;
}

/* Makes a run that of the machine and workload on the screen. False: it is already. */
static bool step_renew(const struct explorer *explorer, struct step_view *view, int side)
{
    const struct machine *machine = step_machine(explorer, side);
    const enum assumed_dependences assumed = explorer->session->study.assumed;
    struct step_run **run = &view->runs[side];
    if (*run && step_run_is_of(*run, machine, explorer->workload, assumed))
        return false;
    step_run_release(*run);
    *run = step_run_new(machine, explorer->workload, assumed);
    free(view->difference);
    view->difference = NULL;
    return true;
}

/* Machines with a tile cache run scenes. */
static const char *first_words(const struct machine *machine)
{
    return machine_has(machine, STAGE_TILE) ? STEP_FIRST_SCENE : STEP_FIRST;
}

/* Asks for the same cycle where the machine or the workload is another one. False: no memory. */
static bool step_take_run(struct explorer *explorer, struct step_view *view)
{
    const struct machine *machine = step_machine(explorer, view->side);
    if (!step_renew(explorer, view, view->side))
        return true;
    if (!view->runs[view->side])
        return false; /* asked again after the next change */
    view->query.against = NULL;
    view->query.from = view->aim;
    snprintf(view->query.words, sizeof view->query.words, "%s",
             view->begun ? "" : first_words(machine));
    view->query.follow = !view->begun;
    view->query.narrow = (struct cursor_wish){.sm = CURSOR_ANY, .slot = CURSOR_ANY};
    view->query.sm = view->query.sm < machine->gpu.sms ? view->query.sm : 0;
    view->unasked = true;
    view->patient = false;
    return true;
}

static void step_settle(struct explorer *explorer)
{
    struct step_view *view = pane_state(explorer, CONTEXT_STEP);
    const bool waits = pane_waits(explorer, CONTEXT_STEP);
    if (explorer->view != VIEW_STEP) { /* nobody looks: the processors are for others */
        if (waits)
            pane_ask(explorer, CONTEXT_STEP, NULL);
        view->unasked |= waits;
        return;
    }
    if (!step_take_run(explorer, view))
        return;
    if (view->unasked && !(view->patient && waits)) {
        view->query.run = view->runs[view->side];
        pane_ask(explorer, CONTEXT_STEP, step_result_new(&view->query));
        view->query.against = NULL;
        view->unasked = false;
    }
    const struct step_result *result = step_shown(explorer);
    list_move(&view->list, result ? (int)result->count : 0, 0);
}

/* The warp of an event is selected, else the same as before. */
static bool step_takes(struct explorer *explorer, void *answer)
{
    struct step_view *view = pane_state(explorer, CONTEXT_STEP);
    const struct step_result *result = answer;
    const struct step_row *before = step_row_selected(explorer);
    if (result->answer.status)
        return true;
    const uint32_t slot = result->slot != CURSOR_ANY ? result->slot : before ? before->slot : 0;
    for (size_t i = 0; i < result->count; i++)
        if (result->rows[i].slot <= slot)
            view->list.selected = (int)i;
    if (*result->note)
        (void)refuse(explorer, "%s", result->note);
    view->begun = true;
    if (result->compared) {
        free(view->difference);
        view->difference = strdup(kept_bytes_at(&result->kept, result->difference));
        view->lines = (struct list){0};
        view->part = PART_DIFFERENCE;
    }
    if (!view->unasked) {
        view->aim = result->cycle;
        view->query.sm = result->sm;
        view->query.from = result->cycle;
        view->query.words[0] = '\0'; /* what is asked next is about this cycle */
    }
    return true;
}

/* ---- commands -------------------------------------------------------------------------------- */

static void step_wish(struct step_view *view, bool patient, const char *words)
{
    snprintf(view->query.words, sizeof view->query.words, "%s", words);
    view->query.from = view->aim;
    view->query.follow = true;
    view->patient = patient;
    view->unasked = true;
}

static void step_across(struct explorer *explorer, int by)
{
    struct step_view *view = pane_state(explorer, CONTEXT_STEP);
    char words[24];
    if (by < 0 && !view->aim)
        return;
    view->aim += (uint64_t)(int64_t)by;
    snprintf(words, sizeof words, "%" PRIu64, view->aim);
    step_wish(view, true, words);
}

/* The warp that is selected, for what is counted or looked for in it. */
static struct cursor_wish of_selected(const struct explorer *explorer)
{
    const struct step_view *view = pane_seen(explorer, CONTEXT_STEP);
    const struct step_row *row = step_row_selected(explorer);
    return (struct cursor_wish){.sm = view->query.sm, .slot = row ? row->slot : 0};
}

static bool step_goes(struct explorer *explorer, const char *words)
{
    static const char counted[] = "instruction:";
    struct step_view *view = pane_state(explorer, CONTEXT_STEP);
    view->query.narrow = (struct cursor_wish){.sm = CURSOR_ANY, .slot = CURSOR_ANY};
    if (!strncmp(words, counted, strlen(counted)))
        view->query.narrow = of_selected(explorer);
    step_wish(view, false, words);
    return true;
}

/* Whose events are looked for: "warp", "sm", an address, or anybody's. */
static bool read_narrow(const struct explorer *explorer, const char *text,
                        struct cursor_wish *narrow)
{
    char *end;
    *narrow = (struct cursor_wish){.sm = CURSOR_ANY, .slot = CURSOR_ANY};
    if (!*text)
        return true;
    if (!strcmp(text, "warp") || !strcmp(text, "sm")) {
        *narrow = of_selected(explorer);
        narrow->slot = *text == 's' ? CURSOR_ANY : narrow->slot;
        return true;
    }
    narrow->touching = true;
    narrow->address = strtoull(text, &end, 0);
    return !*end && *text >= '0' && *text <= '9';
}

/* What is looked for where nothing is said: as before, or what the first look was for. */
static const char *step_event(const struct explorer *explorer)
{
    const struct step_view *view = pane_seen(explorer, CONTEXT_STEP);
    return *view->event ? view->event
                        : strchr(first_words(step_machine(explorer, view->side)), ':') + 1;
}

/* `what` is an event, and perhaps whose. */
static bool step_jump(struct explorer *explorer, const char *what, bool back)
{
    struct step_view *view = pane_state(explorer, CONTEXT_STEP);
    struct cursor_wish narrow = view->query.narrow;
    char hint[SUGGESTION_TEXT], words[64], event[24];
    const size_t length = strcspn(what, " ");
    const char *whose = what + length + (what[length] == ' ');
    const bool again = !strcmp(what, ".");
    if (again)
        snprintf(event, sizeof event, "%s", step_event(explorer));
    else
        snprintf(event, sizeof event, "%.*s", (int)(length < 23 ? length : 23), what);
    if (!event_kinds_named(event, strcspn(event, "*")))
        return refuse(explorer, "unknown event '%s'%s", event,
                      event_suggestion(event, strcspn(event, "*"), hint));
    if (!again && !read_narrow(explorer, whose, &narrow))
        return refuse(explorer, "expected warp, sm, an address or nothing after %s, got '%.60s'",
                      event, whose);
    snprintf(words, sizeof words, "%s:%s", back ? "previous" : "next", event);
    if (!again)
        snprintf(view->event, sizeof view->event, "%s", event);
    view->query.narrow = narrow;
    step_wish(view, false, words);
    return true;
}

/* All kinds of events, to choose from. */
static bool step_offer(struct explorer *explorer, const char *command)
{
    const struct step_view *view = pane_seen(explorer, CONTEXT_STEP);
    const struct machine *machine = step_machine(explorer, view->side);
    enum status status = STATUS_OK;
    prompt_close(explorer);
    for (unsigned i = 0; !status && i < EVENT_KINDS; i++)
        if (event_places(machine, event_kinds[i].part))
            status = picker_add(&explorer->prompt, event_kinds[i].name, event_kinds[i].help);
    picker_open(explorer, command, command, step_event(explorer));
    return status ? refuse(explorer, "%s", status_text(status)) : true;
}

/* Shows another SM, in front of the same cycle. */
bool action_sm(struct explorer *explorer, const char *arguments)
{
    struct step_view *view = pane_state(explorer, CONTEXT_STEP);
    const uint32_t sms = (uint32_t)explorer->session->machine.gpu.sms;
    char text[24], *end;
    if (machine_has(&explorer->session->machine, STAGE_TILE))
        return refuse(explorer, "a tile cache is no SM: its banks are the rows");
    if (!*arguments) {
        snprintf(text, sizeof text, "%" PRIu32, view->query.sm);
        prompt_line(explorer, "SM: ", "sm", text, NULL);
        return true;
    }
    const bool next = !strcmp(arguments, "next");
    unsigned long long sm = strtoull(arguments, &end, 10);
    if (next || !strcmp(arguments, "previous"))
        sm = (view->query.sm + (next ? 1 : sms - 1)) % (sms ? sms : 1);
    else if (*end || *arguments < '0' || *arguments > '9' || sm >= sms)
        return refuse(explorer,
                      "expected an SM from 0 to %" PRIu32 ", next or previous, got '%.60s'",
                      sms - 1, arguments);
    explorer->view = VIEW_STEP;
    view->query.sm = (uint32_t)sm;
    if (!view->unasked) {
        step_wish(view, true, "");
        view->query.follow = false;
    }
    return true;
}

static bool step_looks(struct explorer *explorer, const char *what)
{
    struct step_view *view = pane_state(explorer, CONTEXT_STEP);
    const bool scene = step_of_scene(explorer);
    char hint[SUGGESTION_TEXT];
    if (!*what || !strcmp(what, "next") || !strcmp(what, "previous")) {
        const int parts = view->difference ? PARTS : STEP_PARTS;
        do
            view->part = (view->part + (*what == 'p' ? parts - 1 : 1)) % parts;
        while (view->part < STEP_PARTS && !step_part_is_of((enum step_part)view->part, scene));
        return true;
    }
    for (int i = 0; i < STEP_PARTS; i++)
        if (!strcmp(step_part_names[i], what) && step_part_is_of((enum step_part)i, scene)) {
            view->part = i;
            return true;
        }
    return refuse(explorer, "expected what the view shows, got '%.60s'%s", what,
                  suggestion(nearest_name(what, step_part_names, STEP_PARTS), hint));
}

/* Where this machine and the pinned one part, or the other one of them in front of the same cycle.
 */
bool action_diff(struct explorer *explorer, const char *arguments)
{
    struct step_view *view = pane_state(explorer, CONTEXT_STEP);
    const bool other = !strcmp(arguments, "other");
    if (*arguments && !other)
        return refuse(explorer, "expected other or nothing, got '%.60s'", arguments);
    if (!explorer->session->pin_count)
        return refuse(explorer, "no machine is pinned; :pin pins this one");
    explorer->view = VIEW_STEP;
    view->side = other ? !view->side : RUN_A;
    for (int side = 0; side < RUNS_COMPARED; side++)
        (void)step_renew(explorer, view, side);
    if (!view->runs[RUN_A] || !view->runs[RUN_B])
        return refuse(explorer, "%s", status_text(STATUS_MEMORY));
    step_wish(view, false, view->begun ? "" : first_words(&explorer->session->machine));
    view->query.follow = !view->begun;
    view->query.against = other ? NULL : view->runs[RUN_B];
    return true;
}

/* The set is shown below, in front of the same cycle. */
static bool step_watches(struct explorer *explorer, const struct set_place *set)
{
    struct step_view *view = pane_state(explorer, CONTEXT_STEP);
    view->query.set = *set;
    view->part = STEP_PART_set;
    step_wish(view, true, view->unasked ? view->query.words : "");
    return true;
}

/* ---- drawing --------------------------------------------------------------------------------- */

enum { SENTENCE_ROWS = 2, PART_FROM = 1 + SENTENCE_ROWS, MARKS_COLUMN = 6, PART_LEAST = 5 };

/* Rows of the part: two fifths of what the list and it have. */
static int part_rows(const struct explorer *explorer)
{
    const int part = (explorer->layout.view.rows - 1 - PART_FROM - 1) * 2 / 5;
    return part < PART_LEAST ? 0 : part;
}

static int step_heads(const struct explorer *explorer)
{
    const bool compares = step_compares(pane_seen(explorer, CONTEXT_STEP));
    return PART_FROM + 1 + (compares ? 0 : part_rows(explorer));
}

static void step_draw_difference(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct step_view *view = pane_seen(explorer, CONTEXT_STEP);
    const int width = canvas->rect.columns - 2, heads = step_heads(explorer);
    const char *text = difference_line(view->difference, view->lines.top);
    canvas_text(canvas, heads - 1, 1, width, STYLE_BOLD(ROLE_ACCENT), "Against the pinned machine");
    for (int row = heads; *text && row < canvas->rect.rows; row++) {
        const int length = (int)strcspn(text, "\n");
        const bool chosen = view->lines.top + row - heads == view->lines.selected;
        canvas_printf(canvas, row, 1, width, (struct style){.role = ROLE_TEXT, .reverse = chosen},
                      "%.*s", length, text);
        if (chosen)
            canvas_cursor(canvas, row, 1);
        text += length + (text[length] == '\n');
    }
}

static void step_draw_part(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct step_view *view = pane_seen(explorer, CONTEXT_STEP);
    const struct step_result *result = step_shown(explorer);
    char place[SET_PLACE_TEXT];
    const bool fits = view->part < STEP_PARTS &&
                      step_part_is_of((enum step_part)view->part, step_of_scene(explorer));
    const int shown = fits ? view->part : STEP_PART_events;
    const struct step_row *chosen = step_row_selected(explorer);
    const char *text = kept_bytes_at(
        &result->kept, shown == STEP_PART_chains && chosen ? chosen->chains : result->parts[shown]);
    const int width = canvas->rect.columns - 2;
    const bool set = shown == STEP_PART_set && result->query.set.stage;
    canvas_printf(canvas, 0, 1, width, STYLE_BOLD(ROLE_ACCENT), "%s",
                  set ? set_place_words(&result->query.set, place) : step_part_titles[shown]);
    if (!*text)
        canvas_text(canvas, 1, 1, width, STYLE(ROLE_DIM),
                    shown != STEP_PART_set    ? "nothing"
                    : step_of_scene(explorer) ? ":watch tile:0:3 chooses a set"
                                              : ":watch l1d:0:3 chooses a set");
    for (int row = 1; *text && row < canvas->rect.rows; row++) {
        const int length = (int)strcspn(text, "\n");
        canvas_printf(canvas, row, 1, width, STYLE(ROLE_TEXT), "%.*s", length, text);
        text += length + (text[length] == '\n');
    }
}

static enum role mark_role(char mark)
{
    return mark == warp_states[WARP_issued].mark ? ROLE_GOOD
           : mark == warp_states[WARP_ready].mark || mark == warp_states[WARP_pipe].mark
               ? ROLE_ACCENT
           : mark == warp_states[WARP_memory].mark ? ROLE_TEXT
                                                   : ROLE_DIM;
}

/* A look-up that is done is good, one that must wait stands out. */
static enum role bank_mark_role(char mark)
{
    return strchr("hcmj", mark)    ? ROLE_GOOD
           : strchr("qopu", mark)  ? ROLE_ACCENT
           : strchr("xwfra", mark) ? ROLE_TEXT
                                   : ROLE_DIM;
}

static void draw_marks(const struct canvas *canvas, int row, const char *marks, bool scene)
{
    for (int i = 0; marks[i]; i++) {
        const char text[2] = {marks[i], '\0'};
        const enum role role = scene ? bank_mark_role(marks[i]) : mark_role(marks[i]);
        canvas_text(canvas, row, MARKS_COLUMN + i, 1,
                    (struct style){.role = role, .bold = role == ROLE_GOOD}, text);
    }
}

static void step_draw_rows(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct step_view *view = pane_seen(explorer, CONTEXT_STEP);
    const struct step_result *result = step_shown(explorer);
    const int heads = step_heads(explorer);
    const bool scene = step_of_scene(explorer);
    char count[2][COUNT_TEXT];
    if (result->columns)
        canvas_printf(canvas, heads - 1, 1, canvas->rect.columns - 2, STYLE_BOLD(ROLE_ACCENT),
                      "%s cycles %s to %s", scene ? "bank" : "warp",
                      count_print(result->first, count[0]),
                      count_print(result->cycle - 1, count[1]));
    for (int row = heads; row < canvas->rect.rows; row++) {
        const size_t i = (size_t)(view->list.top + row - heads);
        if (i >= result->count)
            break;
        const struct step_row *warp = &result->rows[i];
        const bool chosen = (int)i == view->list.selected;
        canvas_printf(canvas, row, 0, MARKS_COLUMN,
                      (struct style){.role = ROLE_TEXT, .reverse = chosen}, " %3" PRIu32 " ",
                      warp->slot);
        draw_marks(canvas, row, warp->marks, scene);
        canvas_text(canvas, row, MARKS_COLUMN + CURSOR_COLUMNS + 1, canvas->rect.columns,
                    STYLE(ROLE_DIM), result->state_rows[warp->state].name);
        if (chosen)
            canvas_cursor(canvas, row, 1);
    }
}

static void step_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct step_view *view = pane_seen(explorer, CONTEXT_STEP);
    const struct step_result *result = step_shown(explorer);
    const struct step_row *row = step_row_selected(explorer);
    char count[COUNT_TEXT], place[48];
    if (!result || (!step_usable(explorer) && !pane_waits(explorer, CONTEXT_STEP))) {
        pane_draw_waiting(explorer, CONTEXT_STEP, canvas, "going there ...");
        return;
    }
    const bool scene = step_of_scene(explorer);
    if (scene)
        snprintf(place, sizeof place, "tile cache");
    else
        snprintf(place, sizeof place, "SM %" PRIu32 " of %" PRIu32, result->sm, result->sms);
    canvas_printf(canvas, 0, 1, canvas->rect.columns - 2, STYLE(ROLE_TEXT), "%s%s, %s cycle %s%s",
                  view->side == RUN_B ? "pinned: " : "", place,
                  result->ended ? "at the end of the run," : "in front of",
                  count_print(result->cycle, count),
                  pane_waits(explorer, CONTEXT_STEP) ? "; going on ..." : "");
    if (row) {
        const struct canvas why = canvas_part(canvas, 1, 0, SENTENCE_ROWS, canvas->rect.columns);
        char text[WAIT_TEXT + 32];
        snprintf(text, sizeof text, "%s %" PRIu32 ": %s", scene ? "bank" : "warp", row->slot,
                 (const char *)kept_bytes_at(&result->kept, row->why));
        canvas_paragraph(&why, 0, STYLE_BOLD(ROLE_TEXT), text);
    }
    if (step_compares(view)) {
        step_draw_difference(explorer, canvas);
        return;
    }
    const int rows = part_rows(explorer);
    if (rows) {
        const struct canvas part = canvas_part(canvas, PART_FROM, 0, rows, canvas->rect.columns);
        step_draw_part(explorer, &part);
    }
    step_draw_rows(explorer, canvas);
}

static int step_count(const struct explorer *explorer)
{
    const struct step_result *result = step_shown(explorer);
    const struct step_view *view = pane_seen(explorer, CONTEXT_STEP);
    if (step_compares(view))
        return difference_lines(view->difference);
    return result ? (int)result->count : 0;
}

static void step_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct step_result *result = step_shown(explorer);
    const struct step_view *view = pane_seen(explorer, CONTEXT_STEP);
    if (step_compares(view)) {
        const char *line = difference_line(view->difference, row);
        snprintf(text, ROW_TEXT, "%.*s", (int)strcspn(line, "\n"), line);
        return;
    }
    snprintf(text, ROW_TEXT, "%" PRIu32 " %s %s", result->rows[row].slot,
             result->state_rows[result->rows[row].state].name,
             (const char *)kept_bytes_at(&result->kept, result->rows[row].why));
}

/* What the marks of the selected warp or bank mean. */
static void step_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct step_result *result = step_shown(explorer);
    const bool compares = step_compares(pane_seen(explorer, CONTEXT_STEP));
    const struct step_row *row = compares ? NULL : step_row_selected(explorer);
    size_t used = 0;
    snprintf(text, ROW_TEXT, "%s",
             compares ? "x (:diff other) shows the other run in front of the same cycle" : "");
    for (unsigned i = 1; row && i < result->state_count; i++)
        if (strchr(row->marks, result->state_rows[i].mark) && used < ROW_TEXT)
            used += (size_t)snprintf(text + used, ROW_TEXT - used, "%s%c %s", used ? "; " : "",
                                     result->state_rows[i].mark, result->state_rows[i].help);
}

static void step_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    snprintf(text, ROW_TEXT, "%.240s  depth timing", explorer->workload);
}

static void step_free(void *state)
{
    struct step_view *view = state;
    for (int side = 0; side < RUNS_COMPARED; side++)
        step_run_release(view->runs[side]);
    free(view->difference);
}

static bool step_lacks(const struct explorer *explorer, enum command command)
{
    return command == COMMAND_SM && step_of_scene(explorer); /* whose rows are all banks */
}

const struct pane_ops step_pane_ops = {
    .title = "Step",
    .state_size = sizeof(struct step_view),
    .free = step_free,
    .job = &step_job,
    .takes = step_takes,
    .across = step_across,
    .go = step_goes,
    .jump = step_jump,
    .offer = step_offer,
    .look = step_looks,
    .watch = step_watches,
    .list = step_list,
    .heads_now = step_heads,
    .count = step_count,
    .text = step_text,
    .describe = step_describe,
    .status = step_status,
    .settle = step_settle,
    .draw = step_draw,
    .lacks = step_lacks,
    .hints = {{COMMAND_RIGHT, "cycle"},
              {COMMAND_NEXT, NULL},
              {COMMAND_GOTO, NULL},
              {COMMAND_SM, NULL},
              {COMMAND_LOOK, "below"},
              {COMMAND_DIFF, "diff"},
              {COMMAND_WORKLOAD, NULL},
              {COMMAND_CANCEL, NULL}},
    .opens = {{COMMAND_WORKLOAD, NULL}, {COMMAND_CANCEL, NULL}},
};
