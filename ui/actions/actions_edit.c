/* Actions that edit the machine, the axes, the pin, the charts and the table of points (actions.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/embedded.h"
#include "config/machine_file.h"
#include "schema/moved_settings.h"
#include "ui/actions/actions.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/views/view_text.h"

/* ---- the machine ---- */

static bool edit_step(struct explorer *explorer, int direction)
{
    const struct parameter *parameter = explorer_parameter(explorer);
    char text[SESSION_TEXT];
    if (!parameter) { /* on the heading of a group: l opens it, h closes it */
        const struct machine_pane *pane = &explorer->machine;
        int group = pane->list.selected < pane->count ? pane->rows[pane->list.selected].group : -1;
        if (group >= 0 && pane->groups[group].folded == (direction > 0))
            machine_pane_fold(explorer, false);
        return true;
    }
    enum status status = session_step(explorer->session, parameter, direction, text);
    return finish_edit(explorer, status, text);
}

bool action_step_up(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return edit_step(explorer, 1);
}

bool action_step_down(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return edit_step(explorer, -1);
}

static bool choose_choice(struct explorer *explorer, const struct parameter *parameter)
{
    char command[80];
    uint64_t now = parameter_get(parameter, &explorer->session->machine).uint;
    prompt_close(explorer);
    for (size_t i = 0; i < parameter->choice_count; i++)
        if (picker_add(&explorer->prompt, parameter->choices[i].name, parameter->choices[i].help))
            return refuse(explorer, "%s", status_text(STATUS_MEMORY));
    snprintf(command, sizeof command, "set %s", parameter->path);
    picker_open(explorer, parameter->path, command, parameter->choices[now].name);
    return true;
}

static bool change_parameter(struct explorer *explorer)
{
    const struct parameter *parameter = explorer_parameter(explorer);
    char label[80], command[80], text[SESSION_TEXT], value[VALUE_TEXT];
    if (!parameter) {
        machine_pane_fold(explorer, false);
        return true;
    }
    struct value now = parameter_get(parameter, &explorer->session->machine);
    if (parameter->type == PARAMETER_ENUM)
        return choose_choice(explorer, parameter);
    if (parameter->type == PARAMETER_BOOL) {
        struct assignment toggled = {parameter, {.uint = !now.uint}};
        enum status status = session_set(explorer->session, &toggled, 1, text);
        return finish_edit(explorer, status, text);
    }
    parameter_expects(parameter, value);
    snprintf(label, sizeof label, "%s, %.48s: ", parameter->path, value);
    snprintf(command, sizeof command, "set %s", parameter->path);
    prompt_line(explorer, label, command, parameter_print(parameter, now, value),
                &explorer->values);
    line_select(&explorer->prompt.line);
    return true;
}

/* Makes a point of a sweep the machine on the screen, as one step of undo. */
static bool edit_take_point(struct explorer *explorer, int row)
{
    const struct points *points = points_usable(explorer);
    if (!points || row >= (int)points->count)
        return refuse(explorer, "there is no point here");
    struct assignment assignments[ASSIGNMENTS_MAX];
    size_t count = 0;
    struct machine machine;
    char text[SESSION_TEXT];
    space_machine(&points->space, points->items[row].index % points->space.machines, &machine);
    for (size_t i = 0; i < parameter_count && count < ASSIGNMENTS_MAX; i++) {
        const struct parameter *parameter = &parameters[i];
        struct value value = parameter_get(parameter, &machine);
        if (!parameter_equal(parameter, value,
                             parameter_get(parameter, &explorer->session->machine)))
            assignments[count++] = (struct assignment){parameter, value};
    }
    const char *workload = points_workload(points, points->items[row].index);
    if (points->query.across == AGGREGATE_NONE && strcmp(workload, explorer->workload) != 0)
        workload_choose(explorer, workload);
    explorer->view = VIEW_WORKSPACE;
    explorer->focus = PANE_MACHINE;
    if (!count) {
        say(explorer, "this point is the machine on the screen");
        return true;
    }
    enum status status = session_set(explorer->session, assignments, count, text);
    char values[COUNT_TEXT];
    if (!status)
        snprintf(text, sizeof text, "point %llu taken: %s changed, u takes it back",
                 (unsigned long long)points->items[row].index,
                 counted_print(count, "value", values));
    return finish_edit(explorer, status, text);
}

bool action_change(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    struct assignment taken[2];
    size_t count;
    char text[SESSION_TEXT];
    switch (explorer_context(explorer)) {
    case CONTEXT_EXPLORE:
        return edit_take_point(explorer, explore_pane_ops.list(explorer)->selected);
    case CONTEXT_CHART:
        if (explorer->chart.kind == CHART_FRONT)
            return edit_take_point(explorer, explorer->chart.list.selected);
        count = chart_pane_value(explorer, taken);
        if (!count)
            return refuse(explorer, "there is no value under the cursor");
        enum status status = session_set(explorer->session, taken, count, text);
        return finish_edit(explorer, status, text);
    default:
        return ops->enter ? ops->enter(explorer) : change_parameter(explorer);
    }
}

bool action_fold(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    machine_pane_fold(explorer, false);
    return true;
}

bool action_fold_all(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    machine_pane_fold(explorer, true);
    return true;
}

/* Says the first change of the machine that the screen does not show. */
static void say_unseen(struct explorer *explorer, const struct machine *before)
{
    for (size_t i = 0; i < parameter_count; i++) {
        char now[VALUE_TEXT], was[VALUE_TEXT];
        const struct value value = parameter_get(&parameters[i], &explorer->session->machine),
                           old = parameter_get(&parameters[i], before);
        const bool seen =
            explorer->view == VIEW_WORKSPACE && machine_pane_lists(explorer, &parameters[i]);
        if (seen || parameter_equal(&parameters[i], value, old))
            continue;
        say(explorer, "%s is %s now, was %s", parameters[i].path,
            parameter_print(&parameters[i], value, now), parameter_print(&parameters[i], old, was));
        return;
    }
}

bool action_set(struct explorer *explorer, const char *arguments)
{
    char text[SESSION_TEXT];
    const struct machine before = explorer->session->machine;
    enum status status = session_set_text(explorer->session, arguments, text);
    if (!status && !text[0])
        say_unseen(explorer, &before);
    return finish_edit(explorer, status, text);
}

bool action_reset(struct explorer *explorer, const char *arguments)
{
    const struct parameter *parameter =
        *arguments ? parameter_find(arguments) : explorer_parameter(explorer);
    char text[SESSION_TEXT];
    char hint[SUGGESTION_TEXT];
    if (!parameter)
        return refuse(explorer, "no parameter '%s'%s", arguments,
                      parameter_suggestion(arguments, hint));
    if (!session_changed(explorer->session, parameter)) {
        say(explorer, "%s is as in the file", parameter->path);
        return true;
    }
    struct assignment assignment = {parameter, parameter_get(parameter, &explorer->session->file)};
    enum status status = session_set(explorer->session, &assignment, 1, text);
    return finish_edit(explorer, status, text);
}

bool action_accept(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    char text[SESSION_TEXT];
    enum status status = session_accept(explorer->session, text);
    return finish_edit(explorer, status, text);
}

bool action_undo(struct explorer *explorer, const char *arguments)
{
    if (text_view_draft(explorer)) {
        text_view_keep(explorer, NULL, NULL);
        say(explorer, "the text with errors is dropped");
        return true;
    }
    (void)arguments;
    char text[SESSION_TEXT];
    enum status status = session_undo(explorer->session, text);
    return finish_edit(explorer, status, text);
}

bool action_redo(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    char text[SESSION_TEXT];
    enum status status = session_redo(explorer->session, text);
    return finish_edit(explorer, status, text);
}

bool action_pin_now(struct explorer *explorer, const char *arguments)
{
    struct session *session = explorer->session;
    const char *edit = session_last_edit(session);
    char gone[SESSION_NAME];
    session_pin(session, *arguments ? arguments : edit ? edit : PIN_FILE, gone);
    if (explorer_has_metrics(explorer))
        pin_take(&session->pins[0], explorer_pin_values(explorer->last.state),
                 &explorer->last.metrics);
    say(explorer, "pinned: changes are shown against this machine%s%s", *gone ? "; unpinned " : "",
        gone);
    return true;
}

/* Whether a machine of this name comes with the program and is not the one on the screen. */
static bool is_another_machine(const struct session *session, const char *name)
{
    struct machine machine;
    return embedded_find(embedded_machines, name) &&
           !machine_load(name, NULL, &machine, NULL, NULL) &&
           !machine_same(&machine, &session->machine, ~0u);
}

/* A name that was given before goes back to what was pinned under it; nobody means to lose that. */
bool action_pin(struct explorer *explorer, const char *arguments)
{
    struct session *session = explorer->session;
    const struct pin *pin = &session->pins[0];
    if (!*arguments)
        return action_pin_now(explorer, arguments);
    if (session->pin_count && !strcmp(pin->name, arguments) &&
        !machine_same(&pin->machine, &session->machine, ~0u))
        return refuse(explorer, "%s is pinned already; pin! %s pins the machine as it is now",
                      arguments, arguments);
    if (!session_pin_again(session, arguments)) {
        say(explorer, "changes are shown against %s again; :return brings the machine back",
            pin->name);
        return true;
    }
    if (is_another_machine(session, arguments))
        return refuse(explorer,
                      "pin names the machine on the screen, which is not %s: :machine %s opens "
                      "that, and :pin there pins it",
                      arguments, arguments);
    return action_pin_now(explorer, arguments);
}

bool action_return(struct explorer *explorer, const char *arguments)
{
    struct session *session = explorer->session;
    char text[SESSION_TEXT];
    const struct pin *pin = *arguments           ? session_find_pin(session, arguments)
                            : session->pin_count ? &session->pins[0]
                                                 : NULL;
    if (!pin)
        return refuse(explorer, "nothing is pinned under %s; P shows the pins", arguments);
    const enum status status = session_become(session, &pin->machine, text);
    if (!status)
        snprintf(text, sizeof text, "the machine is %s again; u takes it back", pin->name);
    return finish_edit(explorer, status, text);
}

/* ---- axes ---- */

bool action_axis(struct explorer *explorer, const char *arguments)
{
    struct session *session = explorer->session;
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    const struct parameter *parameter =
        ops->parameter ? ops->parameter(explorer) : explorer_parameter(explorer);
    char path[64], text[SESSION_TEXT], values[SESSION_TEXT];
    size_t length = strcspn(arguments, " ");
    const char *rest = arguments + length + strspn(arguments + length, " ");
    snprintf(path, sizeof path, "%.*s", (int)(length < 63 ? length : 63), arguments);
    if (!strcmp(arguments, "off")) {
        while (session->axis_count)
            session_unmark(session, session->axes[0].parameter);
        say(explorer, "there is no axis any more");
        return true;
    }
    if (*path && !(parameter = parameter_find(path))) {
        char hint[SUGGESTION_TEXT];
        return refuse(explorer, "no parameter '%s'%s", path, parameter_suggestion(path, hint));
    }
    if (!parameter)
        return refuse(explorer, ops->parameter ? "no parameter stands here"
                                               : "select a parameter, not a group");
    if (!strcmp(rest, "off") || (!*rest && session_axis(session, parameter))) {
        session_unmark(session, parameter);
        say(explorer, "%s is no axis any more", parameter->path);
        return true;
    }
    if (session_mark(session, parameter, *rest ? rest : NULL, text))
        return refuse(explorer, "%s", text);
    const struct parameter *follower = session_follower(session, parameter);
    char why[VALUE_TEXT];
    bool dead = parameter_dead(parameter, NULL, session->study.depth, why);
    say(explorer, "axis %s: %s%s%s%s%s%s", parameter->path,
        axis_print(session_axis(session, parameter), values), follower ? "; " : "",
        follower ? follower->path : "", follower ? " follows: the sets stay" : "",
        dead ? "; it has no effect" : "", dead ? why : "");
    return true;
}

bool action_objective(struct explorer *explorer, const char *arguments)
{
    char text[SESSION_TEXT];
    if (session_objectives(explorer->session, arguments, text))
        return refuse(explorer, "%s", text);
    say(explorer, *arguments ? "objectives: %s" : "objectives follow the axes%s", arguments);
    return true;
}

bool action_equal(struct explorer *explorer, const char *arguments)
{
    const struct study *study = &explorer->session->study;
    char text[SESSION_TEXT], list[MESSAGE_TEXT] = "";
    size_t used = 0;
    if (*arguments && session_equal(explorer->session, arguments, text))
        return refuse(explorer, "equal: %s", text);
    for (size_t i = 0; i < study->budget_count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? "; " : "",
                                 budget_print(&study->budgets[i], text));
    say(explorer,
        study->budget_count ? "equal: %s" : "no budget: every point costs what it costs%s", list);
    return true;
}

/* ---- charts and metrics ---- */

/* Whether a chart has something to show, or will have once it is computed. */
static bool has_chart(const struct explorer *explorer, enum chart_kind kind)
{
    const enum depth depth = explorer->session->study.depth;
    switch (kind) {
    case CHART_FRONT:
    case CHART_MATRIX:
    case CHART_IMPORTANCE:
        return explorer->shown.wanted.store[0] || explorer->session->axis_count;
    case CHART_DISTANCES:
        return depth_can(depth, DEPTH_DISTANCES);
    case CHART_TIME:
        return depth_can(depth, DEPTH_TIMED);
    default:
        return true;
    }
}

bool action_chart(struct explorer *explorer, const char *arguments)
{
    enum chart_kind kind = (explorer->chart.kind + 1) % CHART_COUNT;
    while (!has_chart(explorer, kind))
        kind = (kind + 1) % CHART_COUNT;
    char hint[SUGGESTION_TEXT];
    if (*arguments && (kind = chart_find(arguments)) == CHART_COUNT)
        return refuse(explorer, "no chart '%.40s'%s", arguments,
                      suggestion(nearest_name(arguments, chart_names, CHART_COUNT), hint));
    explorer->chart.kind = kind;
    explorer->chart.list = (struct list){0};
    explorer->chart.moved = false;
    return true;
}

static bool choose_metric(struct explorer *explorer)
{
    prompt_close(explorer);
    if (picker_add(&explorer->prompt, "auto", "the metric that shows the selected parameter best"))
        return refuse(explorer, "%s", status_text(STATUS_MEMORY));
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (picker_add(&explorer->prompt, metric_table[i].path, metric_table[i].help))
            return refuse(explorer, "%s", status_text(STATUS_MEMORY));
    picker_open(explorer, "metric of the chart", "metric", explorer->chart.metric->path);
    return true;
}

bool action_metric(struct explorer *explorer, const char *arguments)
{
    const struct live_pane *live = &explorer->live;
    const struct metric *metric = metric_find(arguments);
    if (!*arguments)
        return choose_metric(explorer);
    if (!strcmp(arguments, "auto")) {
        chart_pane_choose(explorer, NULL);
        return true;
    }
    if (!strcmp(arguments, ".") && live->list.selected < live->count)
        metric = live->rows[live->list.selected].metric;
    if (!metric) {
        const char *nearest = metric_nearest(arguments);
        return nearest ? refuse(explorer, "no metric '%s'; did you mean '%s'?", arguments, nearest)
               : strcmp(arguments, ".") ? refuse(explorer, "no metric '%s'", arguments)
                                        : refuse(explorer, "no metric here");
    }
    const enum depth depth = explorer->session->study.depth;
    if (!metric_answered(metric, depth) && !metric_compared(metric, depth)) {
        char why[METRIC_UNANSWERED];
        return refuse(explorer, "%s %s", metric->path, metric_unanswered(metric, depth, why));
    }
    chart_pane_choose(explorer, metric);
    return true;
}

bool action_all_metrics(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    explorer->live.all = !explorer->live.all;
    explorer->live.list = (struct list){0};
    return true;
}

/* ---- the table of points ---- */

bool action_filter(struct explorer *explorer, const char *arguments)
{
    struct points_query *wanted = &explorer->shown.wanted;
    if (!*arguments) {
        prompt_line(explorer, "keep where: ", "filter", wanted->where, &explorer->filters);
        snprintf(explorer->prompt.empty, sizeof explorer->prompt.empty, "filter none");
        return true;
    }
    if (strlen(arguments) >= sizeof wanted->where)
        return refuse(explorer, "a condition of at most %zu bytes", sizeof wanted->where - 1);
    const bool all = !strcmp(arguments, "none") || !strcmp(arguments, "all");
    snprintf(wanted->where, sizeof wanted->where, "%s", all ? "" : arguments);
    shown_points_read(explorer);
    return true;
}

bool action_front(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    explorer->shown.wanted.front = !explorer->shown.wanted.front;
    shown_points_read(explorer);
    return true;
}

bool action_across(struct explorer *explorer, const char *arguments)
{
    const struct points *points = points_usable(explorer);
    const bool reading = pane_waits(explorer, CONTEXT_EXPLORE);
    enum aggregate wanted = (explorer->shown.wanted.across + 1) % (AGGREGATE_MAX + 1);
    /* A store that is only being read may have more workloads than one. */
    if (!reading && !points)
        return refuse(explorer, "there are no points yet");
    if (!reading && points->study->workload_count < 2)
        return refuse(explorer, "the sweep has one workload: its numbers stand there already");
    if (!strcmp(arguments, "off"))
        wanted = AGGREGATE_NONE;
    else if (*arguments)
        for (wanted = AGGREGATE_MEAN; strcmp(aggregate_names[wanted], arguments); wanted++)
            if (wanted == AGGREGATE_MAX)
                return refuse(explorer, "expected mean, geomean, min, max or off, got '%s'",
                              arguments);
    shown_points_across(explorer, wanted);
    return true;
}

bool action_reload(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    if (ops->reload)
        ops->reload(explorer);
    else
        shown_points_read(explorer);
    return true;
}
