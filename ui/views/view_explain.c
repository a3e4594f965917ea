/* Explain: what limits the machine on the screen and what would help, as `warpscape explain` says
 * it. Experiments run in the background; what they found is shown as it comes, and while nobody
 * asks for anything else the ladder is climbed ahead, so that Live can say what limits the machine.
 * An edit cancels it all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/runs/lever_chart.h"
#include "ui/panes/limits.h"
#include "ui/panes/pane.h"
#include "ui/panes/say.h"
#include "ui/views/explain_rows.h"

/* Seconds without another question after which a machine is explained ahead. */
#define AHEAD_SECONDS 0.7

struct explain_view {
    struct list lists[PAGE_COUNT];
    enum explain_page page;
    struct explain_rows rows;
    struct explain_query asked;  /* its parts are 0: nothing was asked */
    const struct metric *metric; /* to explain; NULL: time, or else misses */
};

/* ---- what is asked ---- */

/* What should be found out now, of enum explain_part; 0: nothing. Nobody works then, or waits. */
static unsigned parts_wanted(const struct explorer *explorer)
{
    if (explorer->snapshot.workload_state != ENGINE_DONE ||
        strcmp(explorer->snapshot.workload, explorer->workload) != 0)
        return 0;
    if (explorer->view == VIEW_EXPLAIN)
        return EXPLAIN_LADDER | EXPLAIN_LEVERS;
    const bool idle = explorer_has_metrics(explorer) && explorer->last.state == ENGINE_DONE &&
                      explorer->snapshot.sweep.state != ENGINE_RUNNING;
    return idle && explorer_is_attended(explorer) ? EXPLAIN_LADDER : 0;
}

static void explain_forget(struct explorer *explorer)
{
    struct explain_view *view = pane_state(explorer, CONTEXT_EXPLAIN);
    if (!view->asked.parts)
        return;
    pane_ask(explorer, CONTEXT_EXPLAIN, NULL);
    explain_rows_clear(&view->rows);
    view->asked.parts = 0;
}

static void explain_settle(struct explorer *explorer)
{
    struct explain_view *view = pane_state(explorer, CONTEXT_EXPLAIN);
    struct explain_query query = limits_query(explorer, view->metric);
    const struct explain_result *shown = pane_answer(explorer, CONTEXT_EXPLAIN);
    const bool same = view->asked.parts && explain_query_same(&query, &view->asked);
    query.parts = parts_wanted(explorer);
    if (explorer->view == VIEW_EXPLAIN && shown && shown->explanation.metric)
        explain_rows_stack(&view->rows, &shown->explanation,
                           explorer_has_baseline(explorer) ? &explorer->session->pins[0].metrics
                                                           : NULL,
                           explorer->glyphs);
    if (same && (query.parts & ~view->asked.parts) == 0)
        return;
    if (!query.parts) { /* a sweep needs the processors that an explanation has */
        if (!same || pane_waits(explorer, CONTEXT_EXPLAIN))
            explain_forget(explorer);
        return;
    }
    if (!same && explorer->view != VIEW_EXPLAIN)
        explain_forget(explorer);
    query.patience = explorer->view == VIEW_EXPLAIN ? 0 : AHEAD_SECONDS;
    struct explain_result *question = explain_result_new(&query);
    if (!question)
        return; /* asked again after the next change */
    view->asked = query;
    pane_ask(explorer, CONTEXT_EXPLAIN, question);
}

/* What began anew with more parts has fewer results at first: those that are shown stay until then.
 */
static bool explain_takes(struct explorer *explorer, void *answer)
{
    struct explain_view *view = pane_state(explorer, CONTEXT_EXPLAIN);
    const struct explain_result *result = answer, *before = pane_answer(explorer, CONTEXT_EXPLAIN);
    if (result->answer.partial && before && explain_query_same(&before->query, &result->query) &&
        before->explanation.count.done > result->explanation.count.done)
        return false;
    explain_rows_make(&view->rows, &result->explanation);
    return true;
}

static void explain_free(void *state)
{
    explain_rows_clear(&((struct explain_view *)state)->rows);
}

/* ---- commands ---- */

bool action_explain(struct explorer *explorer, const char *arguments)
{
    char why[METRIC_UNANSWERED];
    struct explain_view *view = pane_state(explorer, CONTEXT_EXPLAIN);
    const struct live_pane *live = &explorer->live;
    const enum depth depth = explorer->session->study.depth;
    const struct live_row *row =
        live->list.selected < live->count ? &live->rows[live->list.selected] : NULL;
    const struct metric *metric = metric_find(arguments);
    char hint[SUGGESTION_TEXT];
    if (!strcmp(arguments, ".") && row)
        metric = row->stack ? NULL : row->metric ? row->metric : row->classes[0];
    else if (*arguments && !metric)
        return refuse(explorer, "no metric '%.60s'%s", arguments,
                      suggestion(metric_nearest(arguments), hint));
    if (metric && !metric_answered(metric, depth))
        return refuse(explorer, "%s %s", metric->path, metric_unanswered(metric, depth, why));
    if (metric && (metric->direction == NO_DIRECTION || metric->stage == STAGE_AREA))
        return refuse(explorer, "%s: %s", metric->path,
                      metric->stage == STAGE_AREA
                          ? "the area view says what it is made of"
                          : "neither better where it is lower nor where it is higher");
    if (explorer->view == VIEW_EXPLAIN && metric == view->metric)
        return action_view(explorer, "explain");
    view->metric = metric;
    if (row && row->stack && !strcmp(arguments, "."))
        view->page = PAGE_STACK;
    explorer->view = VIEW_WORKSPACE; /* an open view would be closed */
    return action_view(explorer, "explain");
}

static struct list *explain_list(struct explorer *explorer)
{
    struct explain_view *view = pane_state(explorer, CONTEXT_EXPLAIN);
    return &view->lists[view->page];
}

static int explain_count(const struct explorer *explorer)
{
    const struct explain_view *view = pane_seen(explorer, CONTEXT_EXPLAIN);
    return (int)view->rows.pages[view->page].count;
}

static const struct explain_row *explain_selected(const struct explorer *explorer)
{
    const struct explain_view *view = pane_seen(explorer, CONTEXT_EXPLAIN);
    const struct explain_row_list *rows = &view->rows.pages[view->page];
    const int selected = view->lists[view->page].selected;
    return selected < (int)rows->count ? &rows->items[selected] : NULL;
}

/* The parameter that a row is about, or NULL. */
static const struct parameter *explain_parameter(const struct explorer *explorer)
{
    const struct explain_row *row = explain_selected(explorer);
    return row ? explain_row_parameter(row) : NULL;
}

static bool apply_lever(struct explorer *explorer, const struct lever *lever)
{
    struct assignment assignments[LEVER_SETTINGS];
    char text[SESSION_TEXT];
    for (size_t i = 0; i < lever->change.count; i++)
        assignments[i] = (struct assignment){lever->change.settings[i].parameter,
                                             lever->change.settings[i].value};
    const enum status status =
        session_set(explorer->session, assignments, lever->change.count, text);
    if (!status && !text[0])
        snprintf(text, sizeof text, "%s is set, u takes it back",
                 session_last_edit(explorer->session));
    return finish_edit(explorer, status, text);
}

/* Makes the setting of a lever, or goes to the parameter with which a limit is moved. */
static bool explain_enter(struct explorer *explorer)
{
    const struct explain_row *row = explain_selected(explorer);
    const struct parameter *parameter = row ? explain_row_parameter(row) : NULL;
    if (row && row->lever)
        return apply_lever(explorer, row->lever);
    if (!parameter)
        return refuse(explorer, row ? "no parameter of the machine moves this by itself"
                                    : "there is nothing here yet");
    if (!machine_pane_select(explorer, parameter))
        return refuse(explorer, "%s means nothing for this machine", parameter->path);
    explorer->view = VIEW_WORKSPACE;
    explorer->focus = PANE_MACHINE;
    return true;
}

static void explain_across(struct explorer *explorer, int by)
{
    struct explain_view *view = pane_state(explorer, CONTEXT_EXPLAIN);
    view->page = (enum explain_page)(((int)view->page + by + PAGE_COUNT) % PAGE_COUNT);
}

/* ---- drawing ---- */

enum { HEAD_ROWS = 2, WIDE = 118, CHART_LEAST = 50 };

/* Rows of sentences above the list; the tabs and the headings follow. */
static int sentence_rows(const struct explorer *explorer)
{
    return explorer->rows < 20 ? 0 : explorer->rows < 34 ? 4 : 10;
}

static int explain_heads(const struct explorer *explorer)
{
    return sentence_rows(explorer) + HEAD_ROWS;
}

static void draw_sentences(const struct canvas *canvas, const struct explanation *explanation,
                           int rows, enum role role)
{
    int row = 0;
    for (size_t i = 0; i < explanation->sentences.count && row < rows; i++) {
        const char *text = explanation->sentences.items[i].text;
        for (bool first = true; *text && row < rows; first = false) {
            const size_t length = text_wrap(text, canvas->rect.columns - 4);
            canvas_printf(canvas, row++, first ? 1 : 3, canvas->rect.columns - 2, STYLE(role),
                          "%s%.*s", first ? "- " : "", (int)length, text);
            text += length + strspn(text + length, " ");
        }
    }
}

static void draw_tabs(const struct canvas *canvas, int row, enum explain_page page)
{
    int column = 1;
    for (int i = 0; i < PAGE_COUNT; i++) {
        struct style style = (int)page == i ? STYLE_BOLD(ROLE_ACCENT) : STYLE(ROLE_DIM);
        style.reverse = (int)page == i;
        column = canvas_printf(canvas, row, column, 16, style, " %s ", explain_pages[i].title) + 1;
    }
    canvas_words(canvas, row, column + 1, canvas->rect.columns - column - 2, STYLE(ROLE_DIM),
                 explain_pages[page].help);
}

static void draw_levers(const struct canvas *canvas, int row, const struct explanation *explanation)
{
    lever_chart_draw(&explanation->levers, explanation->metric, canvas->glyphs, canvas->cells,
                     canvas->rect.row + row, canvas->rect.column + 1, canvas->rect.rows - row,
                     canvas->rect.columns - 2);
}

static void draw_rows(const struct explain_view *view, const struct canvas *canvas, int heads,
                      bool now)
{
    const struct explain_row_list *rows = &view->rows.pages[view->page];
    const struct list *list = &view->lists[view->page];
    explain_headings_draw(&view->rows, view->page, canvas, heads - 1);
    for (int row = heads; row < canvas->rect.rows; row++) {
        const int index = list->top + row - heads;
        if (index >= (int)rows->count)
            break;
        explain_row_draw(&rows->items[index], view->page, canvas, row, now);
        if (index == list->selected) {
            canvas_cursor(canvas, row, 1);
            canvas_reverse(canvas, row);
        }
    }
}

static void explain_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct explain_view *view = pane_seen(explorer, CONTEXT_EXPLAIN);
    const int heads = explain_heads(explorer), columns = canvas->rect.columns;
    bool now = false;
    const struct explain_result *result = limits_known(explorer, &now);
    const char *problem = live_pane_problem(explorer);
    (void)focused;
    if (!problem)
        problem = pane_failure(explorer, CONTEXT_EXPLAIN);
    if (problem || !result) {
        canvas_paragraph(canvas, 0, problem ? STYLE_BOLD(ROLE_BAD) : STYLE(ROLE_DIM),
                         problem ? problem
                                 : "running the machine, and then without each limit ...");
        return;
    }
    draw_sentences(canvas, &result->explanation, heads - HEAD_ROWS, now ? ROLE_TEXT : ROLE_DIM);
    draw_tabs(canvas, heads - HEAD_ROWS, view->page);
    if (view->page == PAGE_CHART) {
        draw_levers(canvas, heads - 1, &result->explanation);
        return;
    }
    const bool beside = columns >= WIDE && view->page == PAGE_LEVERS;
    const int left = beside ? columns - columns * 2 / 5 : columns;
    const struct canvas table = canvas_part(canvas, 0, 0, canvas->rect.rows, left);
    draw_rows(view, &table, heads, now);
    if (beside) {
        const struct canvas chart = canvas_part(canvas, 0, left, canvas->rect.rows, columns - left);
        draw_levers(&chart, heads - 1, &result->explanation);
    }
}

static void explain_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct explain_view *view = pane_seen(explorer, CONTEXT_EXPLAIN);
    snprintf(text, ROW_TEXT, "%s", view->rows.pages[view->page].items[row].name);
}

static void explain_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct explain_row *row = explain_selected(explorer);
    text[0] = '\0';
    if (row)
        explain_row_describe(row, text);
}

static void explain_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    bool now = false;
    const struct explain_result *result = limits_known(explorer, &now);
    char value[QUANTITY_TEXT], sure[SURE_TEXT];
    text[0] = '\0';
    if (!result)
        return;
    const struct explanation *explanation = &result->explanation;
    quantity_print_short(metric_get(explanation->metric, &explanation->base),
                         explanation->metric->unit, 4, value);
    limits_sure(result, sure);
    if (now)
        snprintf(text, ROW_TEXT, "%s %s, noise %.1f%%  %s", explanation->metric->path, value,
                 100 * explanation->noise.floor, sure);
    else
        snprintf(text, ROW_TEXT, "%s %s of another %s  %s", explanation->metric->path, value,
                 machine_same(&result->query.machine, &explorer->session->machine, ~0u)
                     ? "workload or depth"
                     : "machine",
                 sure);
}

const struct pane_ops explain_pane_ops = {
    .title = "Explain",
    .state_size = sizeof(struct explain_view),
    .free = explain_free,
    .job = &explain_job,
    .takes = explain_takes,
    .across = explain_across,
    .enter = explain_enter,
    .parameter = explain_parameter,
    .heads_now = explain_heads,
    .list = explain_list,
    .count = explain_count,
    .text = explain_text,
    .describe = explain_describe,
    .status = explain_status,
    .settle = explain_settle,
    .draw = explain_draw,
    .hints = {{COMMAND_RIGHT, "page"},
              {COMMAND_CHANGE, "apply"},
              {COMMAND_AXIS, NULL},
              {COMMAND_UNDO, NULL},
              {COMMAND_FIND, NULL},
              {COMMAND_CANCEL, NULL}},
};
