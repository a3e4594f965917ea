/* The Sweep pane: the plan of a sweep while none runs (axes, size, what rules remove), then its
 * progress and the best point so far. Plans of up to COUNTED_POINTS points are counted in the
 * background (census_job.h). */
#include <math.h>
#include <string.h>

#include "base/counts.h"
#include "ui/jobs/census_job.h"
#include "ui/panes/pane.h"

struct counted_plan { /* the plan that the census is of, or was asked for */
    struct list list;
    uint64_t revision, axes_revision; /* of the session */
};

static uint64_t planned_points(const struct explorer *explorer)
{
    const struct session *session = explorer->session;
    uint64_t points = session_workload_count(session, explorer->workload);
    for (size_t i = 0; i < session->axis_count; i++)
        if (__builtin_mul_overflow(points, (uint64_t)session->axes[i].count, &points))
            return UINT64_MAX;
    return points;
}

/* Larger plans are not counted here; the census of the sweep itself does that. */
enum { COUNTED_POINTS = 1 << 20 };

static void sweep_settle(struct explorer *explorer)
{
    struct counted_plan *plan = pane_state(explorer, CONTEXT_SWEEP);
    const struct session *session = explorer->session;
    struct study study;
    char text[SESSION_TEXT];
    if (plan->revision == session->revision && plan->axes_revision == session->axes_revision)
        return;
    plan->revision = session->revision;
    plan->axes_revision = session->axes_revision;
    const bool counts = session->axis_count && planned_points(explorer) <= COUNTED_POINTS &&
                        !session_study(session, explorer->workload, &study, text);
    pane_ask(explorer, CONTEXT_SWEEP, counts ? census_result_new(&study) : NULL);
}

const struct census_result *explorer_census(const struct explorer *explorer)
{
    return pane_usable(explorer, CONTEXT_SWEEP);
}

/* Why the plan cannot be swept as it stands, or "". */
static const char *plan_problem(const struct explorer *explorer)
{
    const char *failure = pane_failure(explorer, CONTEXT_SWEEP);
    return failure ? failure : "";
}

static bool running(const struct explorer *explorer)
{
    return explorer->snapshot.sweep.state == ENGINE_RUNNING;
}

static bool has_progress(const struct explorer *explorer)
{
    return explorer->sweep.has_study && explorer->snapshot.sweep.state != ENGINE_IDLE;
}

bool sweep_resumes(const struct explorer *explorer)
{
    const struct engine_sweep *sweep = &explorer->snapshot.sweep;
    return has_progress(explorer) && sweep->state == ENGINE_DONE && sweep->stopped &&
           explorer->sweep.axes_revision == explorer->session->axes_revision;
}

static void draw_progress(const struct explorer *explorer, const struct canvas *canvas, int row)
{
    const struct sweep_progress *progress = &explorer->snapshot.sweep.progress;
    char rate[QUANTITY_TEXT], time[DURATION_TEXT], done[COUNT_TEXT], points[COUNT_TEXT];
    char text[ROW_TEXT];
    const double of_points = (double)progress->done / (double)progress->points;
    int used = snprintf(text, sizeof text, "%s / %s  %.0f%%%s  ", count_print(progress->done, done),
                        counted_print(progress->points, "point", points), 100 * progress->share,
                        fabs(progress->share - of_points) > 0.01 ? " of the work" : "");
    if (running(explorer) && progress->locked > 1)
        snprintf(text + used, sizeof text - (size_t)used,
                 "waiting: another process locks the store");
    else if (running(explorer))
        snprintf(text + used, sizeof text - (size_t)used, "%s points/s  ETA %s  pass %llu of %llu",
                 quantity_print_short(progress->rate, UNIT_NONE, 3, rate),
                 duration_print(progress->eta, time),
                 (unsigned long long)progress->passes_done + (progress->passes_running > 0),
                 (unsigned long long)progress->passes);
    else
        snprintf(text + used, sizeof text - (size_t)used, "in %s",
                 duration_print(progress->seconds, time));
    int column = canvas_text(canvas, row, 1, canvas->rect.columns - 1, STYLE(ROLE_TEXT), text) + 2;
    int width = canvas->rect.columns - column - 1;
    if (width >= 6)
        canvas_bar(canvas, row, column, width > 60 ? 60 : width, progress->share, ROLE_SERIES_1);
}

/* How many values of axes on a workload have points. Complete coverage is not worth its room. */
static int draw_coverage(const struct sweep_progress *progress, const struct canvas *canvas,
                         int row, int column, int end)
{
    if (column >= end || progress->cells_covered == progress->cells)
        return column;
    return canvas_printf(canvas, row, column, end - column, STYLE(ROLE_BAD), "cells %llu/%llu  ",
                         (unsigned long long)progress->cells_covered,
                         (unsigned long long)progress->cells);
}

static void draw_best(const struct explorer *explorer, const struct canvas *canvas, int row)
{
    const struct sweep_state *sweep = &explorer->sweep;
    const struct sweep_progress *progress = &explorer->snapshot.sweep.progress;
    const int end = canvas->rect.columns - 1;
    if (!progress->done || progress->best == UINT64_MAX || progress->best >= sweep->space.points ||
        !sweep->study.objective_count) {
        const int next = canvas_text(canvas, row, 1, end, STYLE(ROLE_DIM), "best: none yet") + 2;
        draw_coverage(progress, canvas, row, next, end);
        return;
    }
    const struct metric *metric = sweep->study.objectives[0].metric;
    uint64_t machine = progress->best % sweep->space.machines;
    char value[VALUE_TEXT];
    int column = canvas_text(canvas, row, 1, end, STYLE(ROLE_TEXT),
                             sweep->study.workload_count > 1 ? "best geomean " : "best ");
    column = canvas_printf(canvas, row, column, end - column, STYLE_BOLD(ROLE_FRONT), "%s %s  ",
                           metric->path,
                           quantity_print_short(progress->best_value, metric->unit, 3, value));
    if (column < end)
        column = canvas_printf(canvas, row, column, end - column, STYLE(ROLE_TEXT), "front %llu  ",
                               (unsigned long long)progress->front);
    if (column < end && !isnan(progress->hypervolume))
        column = canvas_printf(canvas, row, column, end - column, STYLE(ROLE_TEXT),
                               "hypervolume %.3f  ", progress->hypervolume);
    column = draw_coverage(progress, canvas, row, column, end);
    for (size_t i = 0; i < sweep->study.axis_count && column < end; i++) {
        const struct axis *axis = &sweep->study.axes[i];
        parameter_print(axis->parameter, axis->values[space_digit(&sweep->space, machine, i)],
                        value);
        column = canvas_printf(canvas, row, column, end - column, STYLE(ROLE_TEXT), "%s %s  ",
                               axis->parameter->path, value);
    }
}

/* "pwc.bits at_most 5280 solve pwc.entries: 24 30 33 40", the solutions as soon as they are there.
 */
static void print_budget(const struct explorer *explorer, size_t index, char text[ROW_TEXT])
{
    const struct census_result *result = explorer_census(explorer);
    char budget[SESSION_TEXT], values[SESSION_TEXT] = "";
    if (result && result->axis_count + index < result->study.axis_count)
        axis_print(&result->study.axes[result->axis_count + index], values);
    snprintf(text, ROW_TEXT, "%.240s%s%.240s",
             budget_print(&explorer->session->study.budgets[index], budget), values[0] ? ": " : "",
             values);
}

static int draw_budgets(const struct explorer *explorer, const struct canvas *canvas, int row)
{
    const struct study *study = &explorer->session->study;
    for (size_t i = 0; i < study->budget_count && row < canvas->rect.rows; i++, row++) {
        char text[ROW_TEXT];
        print_budget(explorer, i, text);
        canvas_text(canvas, row, 1, 6, STYLE(ROLE_FRONT), "equal");
        canvas_text(canvas, row, 7, canvas->rect.columns - 8, STYLE(ROLE_DIM), text);
    }
    return row;
}

/* Where they do not fit in rows of their own. */
static int draw_axes_in_one(const struct explorer *explorer, const struct canvas *canvas, int row)
{
    const struct session *session = explorer->session;
    int column = 1;
    for (size_t i = 0; i < session->axis_count; i++) {
        char why[VALUE_TEXT];
        const struct axis *axis = &session->axes[i];
        const bool dead = parameter_dead(axis->parameter, NULL, session->study.depth, why);
        column = canvas_printf(canvas, row, column, canvas->rect.columns - column,
                               STYLE(dead ? ROLE_BAD : ROLE_FRONT), "%s%s (%zu%s)", i ? ", " : "",
                               axis->parameter->path, axis->count, dead ? ", no effect" : "");
    }
    for (size_t i = 0; i < session->study.budget_count; i++) {
        char text[ROW_TEXT];
        print_budget(explorer, i, text);
        column = canvas_printf(canvas, row, column, canvas->rect.columns - column, STYLE(ROLE_DIM),
                               ", equal %s", text);
    }
    return row + 1;
}

/* A row an axis or a budget; where they do not fit, all in one. Returns the row after them. */
static int sweep_draw_axes(const struct explorer *explorer, const struct canvas *canvas, int row)
{
    const struct session *session = explorer->session;
    char text[SESSION_TEXT], why[VALUE_TEXT];
    int column = 1;
    if (canvas->rect.rows - row < (int)(session->axis_count + session->study.budget_count))
        return draw_axes_in_one(explorer, canvas, row);
    for (size_t i = 0; i < session->axis_count && row < canvas->rect.rows; i++, row++) {
        const struct axis *axis = &session->axes[i];
        const struct parameter *follower = session_follower(session, axis->parameter);
        column = canvas_printf(canvas, row, 1, canvas->rect.columns - 1, STYLE(ROLE_FRONT),
                               "%s %-22s", canvas_glyph(canvas, GLYPH_AXIS), axis->parameter->path);
        column =
            canvas_printf(canvas, row, column + 1, canvas->rect.columns - column - 2,
                          STYLE(ROLE_DIM), "%s%s%s%s", axis_print(axis, text), follower ? "; " : "",
                          follower ? follower->path : "", follower ? " follows" : "");
        if (parameter_dead(axis->parameter, NULL, session->study.depth, why))
            canvas_printf(canvas, row, column, canvas->rect.columns - column - 1, STYLE(ROLE_BAD),
                          "  no effect%s", why);
    }
    return draw_budgets(explorer, canvas, row);
}

/* Points of the grid that no axis meant, where one parameter follows others, are none. */
static bool is_loss(const struct explorer *explorer, const struct removal *removal)
{
    const struct census_result *result = explorer_census(explorer);
    bool follows = result->study.axis_count > result->axis_count;
    for (size_t i = 0; i < result->census.removal_count; i++)
        follows =
            follows || session_is_following(explorer->session, result->census.removals[i].what);
    return removal->machines && !follows;
}

/* Prints "21 points removed: the fermi hash needs 32 or 64 sets, ... (the rule l1d geometry)". */
static void print_loss(const struct census_result *result, const struct removal *removal,
                       char text[ROW_TEXT])
{
    char points[COUNT_TEXT];
    const char *reason = census_reason(result, removal->what);
    counted_print(removal->machines, "point", points);
    if (reason)
        snprintf(text, ROW_TEXT, "%s removed: %.200s (%s %.120s)", points, reason, removal->kind,
                 removal->what);
    else
        snprintf(text, ROW_TEXT, "%s removed by %s %.200s", points, removal->kind, removal->what);
}

/* Draws what removes points from the plan: one row for each reason, or all in one row if they do
 * not fit. */
static void draw_removals(const struct explorer *explorer, const struct canvas *canvas, int row)
{
    const struct census_result *result = explorer_census(explorer);
    int column = 1, shown = 0;
    if (!result)
        return;
    const struct census *census = &result->census;
    for (size_t i = 0; i < census->removal_count; i++)
        shown += is_loss(explorer, &census->removals[i]);
    const bool one_row = shown > canvas->rect.rows - row;
    for (size_t i = 0, at = 0; i < census->removal_count && row < canvas->rect.rows; i++) {
        const struct removal *removal = &census->removals[i];
        char text[ROW_TEXT];
        if (!is_loss(explorer, removal))
            continue;
        print_loss(result, removal, text);
        column = canvas_printf(canvas, row, column, canvas->rect.columns - column, STYLE(ROLE_DIM),
                               "%s%s", one_row && at++ ? "; " : "", text);
        if (!one_row) {
            column = 1;
            row++;
        }
    }
}

static void draw_plan(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct session *session = explorer->session;
    int width = canvas->rect.columns - 1;
    if (!session->axis_count) {
        canvas_text(canvas, 0, 1, width, STYLE(ROLE_DIM),
                    "mark parameters in Machine with a: they become the axes of a sweep");
        return;
    }
    char axes[COUNT_TEXT], points[COUNT_TEXT], legal[COUNT_TEXT], search[SESSION_TEXT];
    char over[COUNT_TEXT + 8] = "", number[COUNT_TEXT];
    const struct census_result *result = explorer_census(explorer);
    const size_t workloads = session_workload_count(session, explorer->workload);
    if (workloads > 1)
        snprintf(over, sizeof over, " x %s", counted_print(workloads, "workload", number));
    canvas_printf(canvas, 0, 1, width, STYLE(ROLE_TEXT), "%s%s, %s%s%s; S starts %s",
                  counted_print(session->axis_count, "axis", axes), over,
                  counted_print(planned_points(explorer), "point", points),
                  result ? ", legal: " : " before rules",
                  result ? count_print(result->census.legal * workloads, legal) : "",
                  session->study.search.chosen ? session_search_print(session, search)
                                               : "the sweep");
    const char *problem = plan_problem(explorer);
    if (problem[0]) /* it matters more than what it is about */
        canvas_words(canvas, 1, 1, width - 1, STYLE_BOLD(ROLE_BAD), problem);
    draw_removals(explorer, canvas, sweep_draw_axes(explorer, canvas, problem[0] ? 2 : 1));
}

static void sweep_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    if (focused)
        canvas_cursor(canvas, 0, 0);
    const struct engine_sweep *sweep = &explorer->snapshot.sweep;
    if (!has_progress(explorer)) {
        draw_plan(explorer, canvas);
        return;
    }
    if (sweep->state == ENGINE_FAILED) {
        canvas_text(canvas, 0, 1, canvas->rect.columns - 1, STYLE_BOLD(ROLE_BAD), sweep->message);
        return;
    }
    draw_progress(explorer, canvas, 0);
    draw_best(explorer, canvas, 1);
    char store[ROW_TEXT];
    if (canvas->rect.rows > 3)
        canvas_printf(canvas, 2, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM), "%s  store %s",
                      search_table[explorer->sweep.study.search.method].name,
                      path_print(explorer->sweep.store, store));
    draw_removals(explorer, canvas, sweep_draw_axes(explorer, canvas, 3));
}

/* Why points of the plan are none, or what they may cost: a low pane has no rows for it. */
static void sweep_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct census_result *result = explorer_census(explorer);
    snprintf(text, ROW_TEXT, "%s", plan_problem(explorer));
    for (size_t i = 0; result && !text[0] && i < result->census.removal_count; i++)
        if (is_loss(explorer, &result->census.removals[i]))
            print_loss(result, &result->census.removals[i], text);
    if (!text[0] && explorer->session->study.budget_count)
        print_budget(explorer, 0, text);
}

static int sweep_count(const struct explorer *explorer)
{
    (void)explorer;
    return 0;
}

static void sweep_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct engine_sweep *sweep = &explorer->snapshot.sweep;
    const char *word = "";
    if (has_progress(explorer))
        word = running(explorer)               ? "running"
               : sweep->state == ENGINE_FAILED ? "failed"
               : sweep_resumes(explorer)       ? "stopped, S resumes"
               : sweep->stopped                ? "stopped, S sweeps the axes below"
                                               : "done, 5 shows the points, 9 the report";
    snprintf(text, ROW_TEXT, "%s", word);
}

const struct pane_ops sweep_pane_ops = {
    .title = "Sweep",
    .state_size = sizeof(struct counted_plan),
    .job = &census_job,
    .count = sweep_count,
    .describe = sweep_describe,
    .status = sweep_status,
    .settle = sweep_settle,
    .draw = sweep_draw,
    .hints = {{COMMAND_SWEEP, NULL},
              {COMMAND_SEARCH, NULL},
              {COMMAND_VIEW, NULL},
              {COMMAND_REPORT, NULL},
              {COMMAND_COMMAND, NULL},
              {COMMAND_ZOOM, NULL},
              {COMMAND_FOCUS_NEXT, NULL}},
};
