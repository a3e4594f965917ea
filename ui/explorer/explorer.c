/* Creates and destroys the explorer, takes results from background threads, and runs the loop. The
 * loop sleeps in poll until there is a key, a result or a resize, and draws at most once in
 * FRAME_MS: an idle explorer uses no processor time. */
#include "ui/explorer/explorer.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/counts.h"
#include "model/timing/timing.h"
#include "ui/actions/actions.h"
#include "ui/explorer/plain.h"
#include "ui/explorer/resume.h"
#include "ui/explorer/script.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/session/file_kind.h"
#include "ui/terminal/curses_screen.h"

/* ---- results ---- */

enum pin_values explorer_pin_values(enum engine_state state)
{
    return state == ENGINE_DONE ? PIN_EXACT : state == ENGINE_COUNTED ? PIN_COUNTED : PIN_ESTIMATE;
}

bool explorer_is_attended(const struct explorer *explorer)
{
    const struct explorer_options *options = &explorer->options;
    return !options->plain && !options->script && !(options->rows > 0);
}

static bool is_of_pin(const struct explorer *explorer, uint64_t request)
{
    const struct session *session = explorer->session;
    bool asked = request > explorer->request;
    for (size_t i = 0; i < session->pin_count; i++)
        asked |= request == session->pins[i].asked;
    return asked;
}

/* Of the machine on the screen, of one before it that is newer than what is shown, or of a pinned
 * one. */
static void receive_evaluation(struct explorer *explorer,
                               const struct engine_evaluation *evaluation)
{
    struct session *session = explorer->session;
    bool valued = evaluation->state == ENGINE_ESTIMATE || evaluation->state == ENGINE_COUNTED ||
                  evaluation->state == ENGINE_DONE;
    if (!valued || !evaluation->request)
        return;
    if (!is_of_pin(explorer, evaluation->request) && evaluation->request >= explorer->last.request)
        explorer->last = *evaluation;
    for (size_t i = 0; i < session->pin_count && evaluation->depth == session->study.depth; i++)
        if (machine_same(&session->pins[i].machine, &evaluation->machine, ~0u))
            pin_take(&session->pins[i], explorer_pin_values(evaluation->state),
                     &evaluation->metrics);
}

/* Refuses a workload that cannot be opened, like a bad value, and restores the one before. `told`:
 * there was none before, and the user has heard of it. */
static void receive_workload(struct explorer *explorer, bool told)
{
    const struct engine_snapshot *snapshot = &explorer->snapshot;
    if (strcmp(snapshot->workload, explorer->workload))
        return;
    if (snapshot->workload_state == ENGINE_DONE && strcmp(explorer->opened, explorer->workload))
        remember(explorer, RECENT_WORKLOAD, explorer->workload);
    if (snapshot->workload_state == ENGINE_DONE)
        snprintf(explorer->opened, sizeof explorer->opened, "%s", explorer->workload);
    if (snapshot->workload_state != ENGINE_FAILED || told ||
        !strcmp(explorer->opened, explorer->workload))
        return;
    refuse(explorer, "%s", snapshot->workload_message);
    if (explorer->opened[0])
        workload_choose(explorer, explorer->opened);
    script_fail(explorer);
}

static void receive_sweep(struct explorer *explorer)
{
    const struct engine_sweep *sweep = &explorer->snapshot.sweep;
    char points[COUNT_TEXT];
    if (!explorer->sweep.has_study || explorer->sweep.reported ||
        (sweep->state != ENGINE_DONE && sweep->state != ENGINE_FAILED))
        return;
    explorer->sweep.reported = true;
    if (sweep->state == ENGINE_FAILED)
        refuse(explorer, "the sweep failed: %s", sweep->message);
    else if (!sweep->stopped)
        say(explorer, "the sweep is done: %s, %llu in the front; 5 shows them",
            counted_print(sweep->progress.done, "point", points),
            (unsigned long long)sweep->progress.front);
}

/* Takes new results of all background threads. */
static void explorer_receive(struct explorer *explorer)
{
    const bool told = explorer->snapshot.workload_state == ENGINE_FAILED &&
                      !strcmp(explorer->snapshot.workload, explorer->workload);
    engine_snapshot(explorer->engine, &explorer->snapshot);
    receive_workload(explorer, told);
    if (!pair_launches(explorer))
        script_fail(explorer);
    receive_evaluation(explorer, &explorer->snapshot.earlier);
    receive_evaluation(explorer, &explorer->snapshot.evaluation);
    chart_pane_receive(explorer);
    receive_sweep(explorer);
    panes_receive(explorer);
    if (explorer->write_failed)
        script_fail(explorer);
    explorer->write_failed = false;
    explorer->changed = true;
}

void explorer_background(const struct explorer *explorer, struct pollfd fds[BACKGROUND_THREADS])
{
    fds[0] = (struct pollfd){engine_fd(explorer->engine), POLLIN, 0};
    for (int i = 0; i < CONTEXT_COUNT; i++) {
        const struct worker *worker = explorer->slots[i].worker;
        fds[1 + i] = (struct pollfd){worker ? worker_fd(worker) : -1, POLLIN, 0};
    }
}

void explorer_take(struct explorer *explorer, const struct pollfd fds[BACKGROUND_THREADS])
{
    short found = 0;
    for (int i = 0; i < BACKGROUND_THREADS; i++)
        found |= fds[i].revents;
    if (!(found & POLLIN))
        return;
    explorer_receive(explorer);
    explorer_settle(explorer);
}

/* Clocks may make minutes of what looks like a moment's work. */
static void warn_slow(struct explorer *explorer)
{
    struct session *session = explorer->session;
    char text[TIMING_SLOW];
    const bool slow = timing_slow(&session->machine, session->study.depth, text);
    if (slow && !session->slow_said)
        say(explorer, "%s", text);
    session->slow_said = slow;
}

/* Whether a pin is being evaluated: one is asked for at a time. */
static bool pin_runs(const struct explorer *explorer, const struct pin *pin)
{
    const struct engine_evaluation *evaluation = &explorer->snapshot.evaluation;
    const bool over = evaluation->request == pin->asked &&
                      (evaluation->state == ENGINE_DONE || evaluation->state == ENGINE_FAILED);
    return pin->asked > explorer->request && pin->asked == explorer->pin_request && !over;
}

const struct pin *explorer_pin_pending(const struct explorer *explorer)
{
    const struct session *session = explorer->session;
    for (size_t i = 0; i < session->pin_count; i++) {
        const struct pin *pin = &session->pins[i];
        if (pin->values != PIN_EXACT &&
            (pin->asked <= explorer->request || pin_runs(explorer, pin)))
            return pin;
    }
    return NULL;
}

/* Evaluates the machine on the screen first. When that is exact, evaluates the pinned ones that
 * have not been. */
static void request_evaluation(struct explorer *explorer)
{
    struct session *session = explorer->session;
    if (session->revision != explorer->evaluated) {
        explorer->evaluated = session->revision;
        explorer->request = engine_evaluate(explorer->engine, &session->machine);
        warn_slow(explorer);
        return;
    }
    const struct pin *pending = explorer_pin_pending(explorer);
    if (!pending || pin_runs(explorer, pending) || explorer->last.request != explorer->request ||
        explorer->last.state != ENGINE_DONE)
        return;
    struct pin *pin = &session->pins[pending - session->pins];
    pin->asked = explorer->pin_request = engine_evaluate(explorer->engine, &pin->machine);
}

void explorer_settle(struct explorer *explorer)
{
    const struct layout_options options = {explorer->focus, explorer->zoomed,
                                           explorer->view != VIEW_WORKSPACE};
    layout_compute(explorer->rows, explorer->columns, &options, &explorer->layout);
    request_evaluation(explorer);
    for (int context = CONTEXT_GLOBAL + 1; context < CONTEXT_COUNT; context++) {
        const struct pane_ops *ops = pane_ops((enum context)context);
        if (ops->settle)
            ops->settle(explorer);
        list_reveal(pane_list(explorer, (enum context)context), ops->count(explorer),
                    pane_visible(explorer, (enum context)context));
    }
}

/* ---- mouse ---- */

static bool inside(struct rect rect, const struct mouse_event *mouse)
{
    return mouse->row >= rect.row && mouse->row < rect.row + rect.rows &&
           mouse->column >= rect.column && mouse->column < rect.column + rect.columns;
}

static void take_mouse(struct explorer *explorer, const struct mouse_event *mouse)
{
    struct rect rect = explorer->view == VIEW_WORKSPACE ? explorer->layout.panes[explorer->focus]
                                                        : explorer->layout.view;
    for (int pane = 0; pane < PANE_COUNT && explorer->view == VIEW_WORKSPACE; pane++)
        if (!mouse->drag && inside(explorer->layout.panes[pane], mouse)) {
            explorer->focus = (enum pane)pane;
            rect = explorer->layout.panes[pane];
        }
    explorer->messages.shown = false; /* as after a key */
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    struct list *list = pane_list(explorer, explorer_context(explorer));
    int row = mouse->row - rect.row - 1 - pane_heads(explorer, ops);
    const bool pointed =
        ops->point && !mouse->wheel && (mouse->drag || inside(rect, mouse)) &&
        ops->point(explorer, mouse->row - rect.row - 1, mouse->column - rect.column);
    if (mouse->wheel)
        list_move(list, ops->count(explorer), 3 * mouse->wheel);
    else if (pointed || mouse->drag)
        ;
    else if (inside(rect, mouse) && row >= 0 && list->top + row < ops->count(explorer))
        list->selected = list->top + row;
    else if (row == -1 && ops->click)
        ops->click(explorer, mouse->column);
    explorer->changed = true;
    explorer_settle(explorer);
}

/* ---- the loop ---- */

/* An answer within ANSWER_MS of its key is shown with it: the values of the machine before would be
 * on the screen for a moment, and both pictures would go to the terminal. */
enum { FRAME_MS = 33, ANSWER_MS = 12 };

static long long now_ms(void)
{
    return (long long)(clock_seconds() * 1000);
}

/* Handles typed keys for at most one frame, so that a flood of input cannot freeze the screen.
 * Returns whether there may be more. */
static bool take_keys(struct explorer *explorer)
{
    const long long begin = now_ms();
    uint32_t key = 0;
    struct mouse_event mouse = {0};
    while (!explorer->quit && now_ms() - begin < FRAME_MS)
        switch (screen_read(&key, &mouse)) {
        case SCREEN_NOTHING:
            return false;
        case SCREEN_KEY:
            explorer_key(explorer, key);
            break;
        case SCREEN_MOUSE:
            take_mouse(explorer, &mouse);
            break;
        case SCREEN_PASTE:
            explorer_paste(explorer, screen_pasted());
            break;
        }
    return true;
}

static void take_size(struct explorer *explorer)
{
    screen_follow();
    screen_size(&explorer->rows, &explorer->columns);
    explorer->changed = true;
    explorer_settle(explorer);
}

/* Whether what was asked is on its way: the values of the machine on the screen, or its curve. */
static bool answer_due(const struct explorer *explorer)
{
    const struct engine_evaluation *evaluation = &explorer->snapshot.evaluation;
    const struct engine_curve *curve = &explorer->snapshot.curve;
    return evaluation->request != explorer->request || evaluation->state == ENGINE_RUNNING ||
           (explorer->chart.request &&
            (curve->request != explorer->chart.request || curve->state == ENGINE_RUNNING));
}

/* When the screen is to be drawn, after the one at `shown_at` and the first key since then at
 * `keyed_at` (0: none). */
static long long draw_at(const struct explorer *explorer, long long shown_at, long long keyed_at)
{
    const long long frame = shown_at + FRAME_MS, answer = keyed_at + ANSWER_MS;
    return keyed_at && answer > frame && answer_due(explorer) ? answer : frame;
}

static enum status explorer_show(struct explorer *explorer)
{
    if (explorer->suspend) {
        explorer->suspend = false;
        screen_suspend();
    }
    if (explorer->redraw)
        screen_forget();
    explorer->redraw = explorer->changed = false;
    return explorer_draw(explorer);
}

/* Runs until the user quits or the terminal is gone. */
static enum status loop(struct explorer *explorer)
{
    bool headless = explorer->options.rows > 0, more = false; /* more keys may be with curses */
    long long shown_at = 0, save_at = 0, keyed_at = 0;        /* 0: nothing is to be saved */
    enum status status = STATUS_OK;
    while ((!explorer->quit || explorer->writing) && !status) {
        if (script_pending(explorer))
            script_run(explorer);
        if (headless && script_over(explorer))
            break;
        long long wait = explorer->changed ? draw_at(explorer, shown_at, keyed_at) - now_ms() : -1;
        if (explorer->changed && wait <= 0) {
            status = explorer_show(explorer);
            shown_at = now_ms();
            keyed_at = 0;
            save_at = save_at || !explorer_is_attended(explorer) ? save_at : shown_at + RESUME_MS;
            continue;
        }
        if (save_at && save_at <= now_ms()) {
            resume_save(explorer);
            save_at = 0;
        } else if (save_at && (wait < 0 || save_at - now_ms() < wait)) {
            wait = save_at - now_ms();
        }
        file_watch_set(&explorer->watch, explorer->session->path);
        struct pollfd fds[3 + BACKGROUND_THREADS] = {{headless ? -1 : STDIN_FILENO, POLLIN, 0},
                                                     {screen_fd(), POLLIN, 0},
                                                     {explorer->watch.fd, POLLIN, 0}};
        explorer_background(explorer, fds + 3);
        if (poll(fds, 3 + BACKGROUND_THREADS, more ? 0 : (int)wait) < 0) {
            if (errno != EINTR)
                return STATUS_IO;
            continue;
        }
        if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
            break;
        if (fds[1].revents & POLLIN)
            take_size(explorer);
        if (more || fds[0].revents & POLLIN) {
            keyed_at = keyed_at ? keyed_at : now_ms();
            more = take_keys(explorer);
        }
        if (fds[2].revents & POLLIN && file_watch_take(&explorer->watch))
            take_written_file(explorer);
        explorer_take(explorer, fds + 3);
    }
    return status;
}

/* ---- making ---- */

/* Gives the file of the command line to the option that opens its kind. */
static enum status sort_file(struct explorer_options *options, struct diagnostics *diagnostics)
{
    const char **const slots[] = {
        [FILE_MACHINE] = &options->machine, [FILE_STUDY] = &options->study,
        [FILE_STORE] = &options->store,     [FILE_PAPER] = &options->paper,
        [FILE_PROFILE] = &options->profile, [FILE_WORKLOAD] = &options->workload};
    static const char *const words[] = {"machine", "study",   "store",
                                        "paper",   "profile", "workload"};
    const enum file_kind kind = options->file ? file_kind(options->file) : FILE_MACHINE;
    if (!options->file)
        return STATUS_OK;
    if (*slots[kind])
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "one %s is enough; '%s' is one beside '%s'", words[kind],
                                 options->file, *slots[kind]);
    *slots[kind] = options->file;
    return STATUS_OK;
}

static enum status open_model(struct explorer *explorer, struct diagnostics *diagnostics)
{
    const struct explorer_options *options = &explorer->options;
    enum status status = sort_file(&explorer->options, diagnostics);
    if (!status)
        status = keymap_init(&explorer->keymap);
    if (!status)
        status = keymap_load(&explorer->keymap, diagnostics);
    if (!status)
        status = settings_load(&explorer->settings, diagnostics);
    if (!status && options->theme)
        status = settings_set(&explorer->settings, "theme", options->theme, diagnostics);
    explorer_apply_settings(explorer);
    if (!status && options->study)
        status =
            session_create_study(options->study, options->machine, &explorer->session, diagnostics);
    else if (!status)
        status = session_create(options->machine ? options->machine : "gtx480", &explorer->session,
                                diagnostics);
    explorer->measured.way = options->launches;
    if (!status && options->profile)
        status = measured_marks_load(&explorer->measured, options->profile, diagnostics);
    if (!status && options->script)
        status = script_load(explorer, options->script, diagnostics);
    if (!status && options->glyphs && glyphs_parse(options->glyphs, &explorer->glyphs))
        status =
            diagnostics_error(diagnostics, STATUS_INVALID,
                              "expected auto, braille, block or ascii, got '%s'", options->glyphs);
    if (!status)
        status = panes_open(explorer);
    if (!status)
        status = engine_create(options->threads, &explorer->engine);
    if (!status && options->depth && !depth_find(options->depth, &explorer->session->study.depth))
        status = STATUS_INVALID;
    if (!status && !options->depth && !options->study)
        explorer->session->study.depth = explorer->session->exploration.depth;
    const char *near;
    if (!status && options->assume &&
        !assumed_find(options->assume, &explorer->session->study.assumed, &near))
        status = STATUS_INVALID;
    if (!status)
        engine_set_depth(explorer->engine, explorer->session->study.depth);
    return status;
}

/* Nothing says what to explore. */
static bool names_nothing(const struct explorer_options *options)
{
    return !options->machine && !options->study && !options->workload && !options->profile &&
           !options->store && !options->paper && !options->script && !options->plain;
}

static enum status explorer_start(struct explorer *explorer)
{
    const struct study *study = &explorer->session->study;
    const char *workload = explorer->options.workload;
    if (!workload)
        workload =
            study->workload_count ? study->workloads[0] : explorer->session->exploration.workload;
    if (!explorer->options.plain) {
        screen_size(&explorer->rows, &explorer->columns);
    } else { /* not visible, but pages and curves need a size */
        explorer->rows = 40;
        explorer->columns = 120;
    }
    explorer->chart.metric = metric_find("l1d.miss_rate");
    explorer->live.all = explorer->rows >= 48;
    session_pin_file(explorer->session);
    workload_choose(explorer, workload);
    remember(explorer, RECENT_MACHINE, explorer->session->path);
    remember(explorer, RECENT_STUDY, study->path);
    enum status status = machine_pane_init(explorer);
    if (!status && !study->path && !names_nothing(&explorer->options))
        show_exploration(explorer);
    explorer->changed = true;
    explorer_settle(explorer);
    if (!status && names_nothing(&explorer->options))
        action_start(explorer, "");
    if (!status && explorer->options.store)
        action_store(explorer, explorer->options.store);
    if (!status && explorer->options.paper)
        action_paper(explorer, explorer->options.paper);
    return status;
}

static void explorer_release(struct explorer *explorer)
{
    /* Close readers first. Only the last connection to a store folds its log into the file, and the
     * sweep that ends next should leave a file that can be copied. */
    panes_free(explorer);
    engine_free(explorer->engine);
    measured_marks_free(&explorer->measured);
    machine_pane_free(&explorer->machine);
    live_pane_free(&explorer->live);
    prompt_close(explorer);
    line_history_free(&explorer->commands);
    line_history_free(&explorer->searches);
    line_history_free(&explorer->values);
    line_history_free(&explorer->filters);
    if (explorer->sweep.has_study)
        study_free(&explorer->sweep.study);
    script_free(explorer->script);
    file_watch_free(&explorer->watch);
    messages_free(&explorer->messages);
    keymap_free(&explorer->keymap);
    session_free(explorer->session);
    free(explorer);
}

/* Reports what the user must know after the screen is closed. */
static void report_end(const struct explorer *explorer, struct diagnostics *diagnostics)
{
    if (explorer->snapshot.sweep.state == ENGINE_RUNNING)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "the sweep stopped at %llu of %llu points; the same sweep goes on there, "
                        "and so does S in what `warpscape %s` opens",
                        (unsigned long long)explorer->snapshot.sweep.progress.done,
                        (unsigned long long)explorer->snapshot.sweep.progress.points,
                        explorer->sweep.store);
    if (explorer->script->failed) {
        const struct message *message = &explorer->messages.items[explorer->messages.count - 1];
        struct place place = {
            .file = explorer->script->name, .line = explorer->script->line, .column = 1};
        diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s", message->text);
    }
}

enum status explorer_run(const struct explorer_options *options, struct diagnostics *diagnostics)
{
    struct explorer *explorer = calloc(1, sizeof *explorer);
    if (!explorer || !(explorer->script = calloc(1, sizeof *explorer->script))) {
        free(explorer);
        return STATUS_MEMORY;
    }
    explorer->options = *options;
    file_watch_init(&explorer->watch);
    /* Set only LC_CTYPE: numbers must stay in the C locale. */
    setlocale(LC_CTYPE, "");
    enum status status = open_model(explorer, diagnostics);
    if (!status && !options->plain)
        status = screen_open(options, diagnostics);
    if (!status) {
        status = explorer_start(explorer);
        if (!status)
            status = options->plain ? plain_run(explorer) : loop(explorer);
        screen_close();
        if (explorer_is_attended(explorer))
            resume_save(explorer);
        report_end(explorer, diagnostics);
        if (!status && explorer->script->failed)
            status = STATUS_INVALID;
    }
    explorer_release(explorer);
    return status;
}
