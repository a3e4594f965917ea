/* Want: the machines that satisfy a wish, best first, as `warpscape want` finds them, over the
 * marked axes or, without any, over the levers that matter. What is proved stands above them. */
#include <stdlib.h>
#include <string.h>

#include "report/runs/wish_report.h"
#include "ui/jobs/wish_job.h"
#include "ui/panes/pane.h"
#include "ui/panes/say.h"

enum { WANT_SMALL = 14 /* rows of a screen */, WANT_CELL = 14 };

struct want_view {
    struct list list;
    char text[WISH_TEXT]; /* the wish; "": nobody asked */
};

/* ---- what is asked ---- */

static enum status want_copy_axes(const struct session *session, struct study *study)
{
    struct study marked = {.axes = session->axes, .axis_count = session->axis_count}, copy;
    const enum status status = study_copy(&marked, &copy);
    study->axes = copy.axes;
    study->axis_count = copy.axis_count;
    return status;
}

static enum status want_make_study(const struct explorer *explorer, struct study *study)
{
    const struct session *session = explorer->session;
    *study = (struct study){.machine = session->machine, .depth = session->study.depth};
    study->name = strdup("want");
    study->machine_name = strdup(session->name);
    const size_t count = session_workload_count(session, explorer->workload);
    study->workloads = calloc(count, sizeof *study->workloads);
    if (!study->name || !study->machine_name || !study->workloads)
        return STATUS_MEMORY;
    for (; study->workload_count < count; study->workload_count++) {
        const char *name =
            count > 1 ? session->study.workloads[study->workload_count] : explorer->workload;
        if (!(study->workloads[study->workload_count] = strdup(name)))
            return STATUS_MEMORY;
    }
    return want_copy_axes(session, study);
}

static bool want_ask(struct explorer *explorer, const char *text)
{
    struct want_view *view = pane_state(explorer, CONTEXT_WANT);
    struct wish_query query = {.assumed = explorer->session->study.assumed,
                               .threads = explorer->options.threads};
    struct study study;
    snprintf(query.text, sizeof query.text, "%s", text);
    if (want_make_study(explorer, &study)) {
        study_free(&study);
        return refuse(explorer, "there is no memory for it");
    }
    struct wish_answer *question = wish_question_new(&query, &study);
    if (!question)
        return refuse(explorer, "there is no memory for it");
    snprintf(view->text, sizeof view->text, "%s", text);
    view->list = (struct list){0};
    pane_ask(explorer, CONTEXT_WANT, NULL);
    pane_ask(explorer, CONTEXT_WANT, question);
    return true;
}

bool action_want(struct explorer *explorer, const char *arguments)
{
    struct want_view *view = pane_state(explorer, CONTEXT_WANT);
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct wish wish;
    if (!*arguments && !view->text[0])
        return refuse(explorer, "say what: want core.ipc >= 1 min total.area");
    if (*arguments) {
        const enum status status =
            wish_parse(arguments, explorer->session->study.depth, &wish, &found);
        wish_free(&wish);
        if (status)
            refuse(explorer, "%s", diagnostics_first(&found, status));
        diagnostics_free(&found);
        if (status || !want_ask(explorer, arguments))
            return false;
    }
    explorer->view = VIEW_WORKSPACE; /* an open view would be closed */
    return action_view(explorer, "want");
}

/* ---- what is shown ---- */

static const struct wish_result *want_result(const struct explorer *explorer)
{
    const struct wish_answer *answer = pane_answer(explorer, CONTEXT_WANT);
    return answer && answer->result.column_count ? &answer->result : NULL;
}

static int want_count(const struct explorer *explorer)
{
    const struct wish_result *result = want_result(explorer);
    return result ? (int)result->row_count : 0;
}

static void want_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct wish_result *result = want_result(explorer);
    const double *values = result->values + result->rows[row].values;
    char *set = wish_settings(result, result->rows[row].machine, "");
    size_t used = 0;
    for (size_t c = 0; c < result->column_count && used < ROW_TEXT; c++) {
        char number[QUANTITY_TEXT];
        used +=
            (size_t)snprintf(text + used, ROW_TEXT - used, "%*s  ", WANT_CELL,
                             quantity_print_short(values[c], result->columns[c]->unit, 4, number));
    }
    if (used < ROW_TEXT)
        snprintf(text + used, ROW_TEXT - used, "%s", !set ? "" : *set ? set : "the machine itself");
    free(set);
}

static void want_headings(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct wish_result *result = want_result(explorer);
    size_t used = 0;
    text[0] = '\0';
    for (size_t c = 0; result && c < result->column_count && used < ROW_TEXT; c++)
        used += (size_t)snprintf(text + used, ROW_TEXT - used, "%*.*s  ", WANT_CELL, WANT_CELL,
                                 result->columns[c]->path);
    if (result && used < ROW_TEXT)
        snprintf(text + used, ROW_TEXT - used, "set");
}

static void want_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct wish_result *result = want_result(explorer);
    const struct want_view *view = pane_seen(explorer, CONTEXT_WANT);
    text[0] = '\0';
    if (!result || view->list.selected >= (int)result->row_count)
        return;
    char *set = wish_settings(result, result->rows[view->list.selected].machine, "");
    snprintf(text, ROW_TEXT, "%s", set ? set : "");
    free(set);
}

/* Makes the settings of the selected machine. */
static bool want_enter(struct explorer *explorer)
{
    const struct wish_result *result = want_result(explorer);
    const struct want_view *view = pane_seen(explorer, CONTEXT_WANT);
    char text[SESSION_TEXT];
    if (!result || view->list.selected >= (int)result->row_count)
        return refuse(explorer, "there is nothing here yet");
    const struct study *study = &result->study;
    struct assignment *assignments = calloc(study->axis_count + 1, sizeof *assignments);
    const uint64_t machine = result->rows[view->list.selected].machine;
    size_t count = 0;
    if (!assignments)
        return refuse(explorer, "there is no memory for it");
    for (size_t a = 0; a < study->axis_count; a++) {
        const struct axis *axis = &study->axes[a];
        const struct value value = axis->values[space_digit(&result->space, machine, a)];
        if (!parameter_equal(axis->parameter, value,
                             parameter_get(axis->parameter, &explorer->session->machine)))
            assignments[count++] = (struct assignment){axis->parameter, value};
    }
    const enum status status = session_set(explorer->session, assignments, count, text);
    free(assignments);
    if (!status && !text[0])
        snprintf(text, sizeof text, "%s is set, u takes it back",
                 session_last_edit(explorer->session));
    return finish_edit(explorer, status, text);
}

/* Rows above the list: of the wish, the space and the proof; the headings are the last one. */
static int want_heads(const struct explorer *explorer)
{
    return explorer->rows < WANT_SMALL ? 3 : 7;
}

/* Writes wrapped text, made for it, in at most `rows` rows; returns the row after it. */
static int want_say(const struct canvas *canvas, int row, int rows, struct style style, char *made)
{
    const char *text = made ? made : "";
    for (const int end = row + rows; *text && row < end; row++) {
        const size_t length = text_wrap(text, canvas->rect.columns - 2);
        canvas_printf(canvas, row, 1, canvas->rect.columns - 2, style, "%.*s", (int)length, text);
        text += length + strspn(text + length, " ");
    }
    free(made);
    return row;
}

static void want_draw_rows(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct want_view *view = pane_seen(explorer, CONTEXT_WANT);
    const int heads = want_heads(explorer);
    char text[ROW_TEXT];
    want_headings(explorer, text);
    canvas_text(canvas, heads - 1, 0, canvas->rect.columns, STYLE(ROLE_DIM), text);
    for (int row = heads; row < canvas->rect.rows; row++) {
        const int index = view->list.top + row - heads;
        if (index >= want_count(explorer))
            break;
        want_text(explorer, index, text);
        canvas_text(canvas, row, 0, canvas->rect.columns, STYLE(ROLE_TEXT), text);
        if (index == view->list.selected) {
            canvas_cursor(canvas, row, 1);
            canvas_reverse(canvas, row);
        }
    }
}

static void want_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct want_view *view = pane_seen(explorer, CONTEXT_WANT);
    const struct wish_result *result = want_result(explorer);
    const char *problem = pane_failure(explorer, CONTEXT_WANT);
    (void)focused;
    if (problem || !result) {
        canvas_paragraph(canvas, 0, problem ? STYLE_BOLD(ROLE_BAD) : STYLE(ROLE_DIM),
                         problem          ? problem
                         : !view->text[0] ? "Say what: :want core.ipc >= 1 min total.area"
                         : explorer->session->axis_count
                             ? "running the machine ..."
                             : "running the machine, and each of its levers ...");
        return;
    }
    const int heads = want_heads(explorer), most = heads / 3;
    int row = want_say(canvas, 0, most, STYLE_BOLD(ROLE_TEXT), strdup(view->text));
    if (most > 1)
        row = want_say(canvas, row, most, STYLE(ROLE_DIM), wish_space_print(result));
    want_say(canvas, row, heads - 1 - row,
             STYLE(result->proof == WISH_UNPROVED ? ROLE_TEXT : ROLE_GOOD),
             wish_proof_print(result));
    if (result->row_count)
        want_draw_rows(explorer, canvas);
    else
        want_say(canvas, heads, 3, STYLE(ROLE_TEXT), wish_reach_print(result));
}

static void want_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct wish_result *result = want_result(explorer);
    text[0] = '\0';
    if (!result)
        return;
    const bool now = machine_same(&result->study.machine, &explorer->session->machine, ~0u);
    snprintf(text, ROW_TEXT, "%s%s", now ? "exact" : "of another machine, exact",
             pane_waits(explorer, CONTEXT_WANT) ? ", searching" : "");
}

const struct pane_ops want_pane_ops = {
    .title = "Want",
    .state_size = sizeof(struct want_view),
    .job = &wish_job,
    .heads_now = want_heads,
    .count = want_count,
    .text = want_text,
    .describe = want_describe,
    .status = want_status,
    .enter = want_enter,
    .draw = want_draw,
    .hints = {{COMMAND_CHANGE, "apply"},
              {COMMAND_UNDO, NULL},
              {COMMAND_FIND, NULL},
              {COMMAND_CANCEL, NULL}},
};
