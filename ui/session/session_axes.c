/* Marked axes, and the study that they make (session.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/counts.h"
#include "base/diag.h"
#include "base/memory.h"
#include "config/study_file.h"
#include "explore/sweep/axis_values.h"
#include "model/evaluate.h"
#include "ui/session/session.h"
#include "workload/workload.h"

struct axis *session_axis(const struct session *session, const struct parameter *parameter)
{
    for (size_t i = 0; i < session->axis_count; i++)
        if (session->axes[i].parameter == parameter)
            return &session->axes[i];
    return NULL;
}

void axis_list_free(struct axis_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].values);
    free(list->items);
    *list = (struct axis_list){0};
}

enum status session_copy_axes(const struct session *session, struct axis_list *list)
{
    *list = (struct axis_list){.items = calloc(session->axis_count + 1, sizeof *list->items)};
    for (size_t i = 0; list->items && i < session->axis_count; i++) {
        const struct axis *from = &session->axes[i];
        struct value *values = malloc(from->count * sizeof *values);
        if (!values) {
            axis_list_free(list);
            return STATUS_MEMORY;
        }
        memcpy(values, from->values, from->count * sizeof *values);
        list->items[list->count++] = (struct axis){from->parameter, values, from->count, 0};
    }
    return list->items ? STATUS_OK : STATUS_MEMORY;
}

/* Removes the axes of what the machine does not have. */
static size_t drop_irrelevant(struct session *session)
{
    size_t kept = 0, count = session->axis_count;
    for (size_t i = 0; i < count; i++)
        if (parameter_relevant(session->axes[i].parameter, &session->machine))
            session->axes[kept++] = session->axes[i];
        else
            free(session->axes[i].values);
    session->axis_count = kept;
    return count - kept;
}

size_t session_carry_on(struct session *from, struct session *to)
{
    session_move_pins(from, to);
    if (!strcmp(to->pins[0].name, PIN_FILE)) /* the pin was the file that is closed now */
        snprintf(to->pins[0].name, sizeof to->pins[0].name, "%s", from->name);
    to->revision = from->revision + 1;
    to->axes_revision = from->axes_revision + 1;
    to->study.depth = from->study.depth;
    to->study.assumed = from->study.assumed;
    if (from->machine.kind != to->machine.kind)
        return from->axis_count;
    study_free(&to->study);
    to->study = from->study;
    to->axes = from->axes;
    to->axis_count = from->axis_count;
    to->axis_capacity = from->axis_capacity;
    from->axes = NULL;
    from->axis_count = 0;
    from->study = (struct study){0};
    return drop_irrelevant(to);
}

static void keep_axes(struct session *session, const char *what, const struct parameter *parameter,
                      struct axis_list *before)
{
    char text[SESSION_NAME];
    snprintf(text, sizeof text, "%s %.50s", what, parameter->path);
    session_keep_axes(session, text, before);
}

enum status session_mark(struct session *session, const struct parameter *parameter,
                         const char *values_text, char text[SESSION_TEXT])
{
    char why[SESSION_TEXT] = "";
    struct axis values = {0};
    struct diagnostics found = DIAGNOSTICS_INIT;
    text[0] = '\0';
    if (parameter->type == PARAMETER_SIZES) {
        snprintf(text, SESSION_TEXT, "%s is a list: it cannot be an axis", parameter->path);
        return STATUS_INVALID;
    }
    enum status status = values_text ? axis_values_parse(parameter, values_text, &values, &found)
                                     : axis_values_around(parameter, &session->machine, &values);
    if (found.count)
        snprintf(why, sizeof why, "%s", found.items[0].message);
    diagnostics_free(&found);
    if (!status && values.count < 2) {
        snprintf(why, sizeof why, "an axis needs two values or more");
        status = STATUS_INVALID;
    }
    struct axis_list before = {0};
    struct axis *axis = session_axis(session, parameter);
    if (!status)
        status = session_copy_axes(session, &before);
    if (!status && !axis) {
        status = array_reserve(&session->axes, &session->axis_capacity, session->axis_count + 1);
        if (!status) {
            axis = &session->axes[session->axis_count++];
            *axis = (struct axis){.parameter = parameter};
        }
    }
    if (status) {
        bool named = !strncmp(why, parameter->path, strlen(parameter->path));
        snprintf(text, SESSION_TEXT, "%s%s%.300s", named ? "" : parameter->path, named ? "" : ": ",
                 why[0] ? why : status_text(status));
        free(values.values);
        axis_list_free(&before);
        return status;
    }
    free(axis->values);
    axis->values = values.values;
    axis->count = values.count;
    session->axes_revision++;
    keep_axes(session, "axis", parameter, &before);
    return STATUS_OK;
}

void session_unmark(struct session *session, const struct parameter *parameter)
{
    struct axis *axis = session_axis(session, parameter);
    if (!axis)
        return;
    struct axis_list before;
    bool copied = !session_copy_axes(session, &before);
    size_t index = (size_t)(axis - session->axes);
    free(axis->values);
    session->axes_revision++;
    session->axis_count--;
    memmove(axis, axis + 1, (session->axis_count - index) * sizeof *axis);
    if (copied)
        keep_axes(session, "no axis", parameter, &before);
}

const char *axis_print(const struct axis *axis, char text[SESSION_TEXT])
{
    char value[VALUE_TEXT], values[COUNT_TEXT];
    if (axis->count > 9) {
        int used =
            snprintf(text, SESSION_TEXT, "%s, %.100s", counted_print(axis->count, "value", values),
                     parameter_print(axis->parameter, axis->values[0], value));
        snprintf(text + used, (size_t)(SESSION_TEXT - used), " to %.100s",
                 parameter_print(axis->parameter, axis->values[axis->count - 1], value));
        return text;
    }
    int used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < axis->count && used < SESSION_TEXT; i++)
        used += snprintf(text + used, (size_t)(SESSION_TEXT - used), "%s%s", i ? " " : "",
                         parameter_print(axis->parameter, axis->values[i], value));
    return text;
}

/* ---- the study ---- */

static enum status axes_add_objective(struct study *study, const struct metric *metric,
                                      enum direction direction)
{
    for (size_t i = 0; i < study->objective_count; i++)
        if (study->objectives[i].metric == metric) {
            study->objectives[i].direction = direction;
            return STATUS_OK;
        }
    struct objective *grown =
        realloc(study->objectives, (study->objective_count + 1) * sizeof *grown);
    if (!grown)
        return STATUS_MEMORY;
    study->objectives = grown;
    grown[study->objective_count++] = (struct objective){metric, direction};
    return STATUS_OK;
}

enum status session_objectives(struct session *session, const char *metrics,
                               char text[SESSION_TEXT])
{
    struct study chosen = {0};
    char *copy = strdup(metrics), *rest = copy;
    enum status status = copy ? STATUS_OK : STATUS_MEMORY;
    text[0] = '\0';
    for (char *item; !status && (item = strsep(&rest, " ,")) != NULL;) {
        bool negate = item[0] == '-';
        if (!*item)
            continue;
        const struct metric *metric = metric_find(item + negate);
        if (!metric) {
            const char *nearest = metric_nearest(item + negate);
            char hint[SUGGESTION_TEXT];
            snprintf(text, SESSION_TEXT, "unknown metric '%.60s'%s", item + negate,
                     suggestion(nearest, hint));
            status = STATUS_NOT_FOUND;
            break;
        }
        enum direction direction = negate                              ? HIGHER_IS_BETTER
                                   : metric->direction == NO_DIRECTION ? LOWER_IS_BETTER
                                                                       : metric->direction;
        status = axes_add_objective(&chosen, metric, direction);
    }
    free(copy);
    if (status) {
        free(chosen.objectives);
        return status;
    }
    free(session->study.objectives);
    session->study.objectives = chosen.objectives;
    session->study.objective_count = chosen.objective_count;
    return STATUS_OK;
}

/* The default objectives: the main metrics that the axes change, and the area that they cost. */
static enum status default_objectives(struct study *study)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        const unsigned stages = metric_headline_stages(metric, study->depth);
        bool touched = false;
        for (size_t k = 0; k < study->axis_count; k++)
            touched |= (study->axes[k].parameter->stages & stages) != 0;
        if (touched)
            status = axes_add_objective(study, metric, metric->direction);
    }
    return status;
}

static bool is_objective(const struct study *study, const struct metric *metric)
{
    for (size_t i = 0; i < study->objective_count; i++)
        if (study->objectives[i].metric == metric)
            return true;
    return false;
}

/* The parameter that switches on what a metric describes: that of its stage if the metric bears its
 * name, else that of its structure; NULL if there is none. */
static const struct parameter *switch_of(const struct metric *metric)
{
    char path[64];
    const struct stage_info *stage = stage_info(metric->stage);
    const size_t length = strcspn(metric->path, ".");
    const bool named = strlen(stage->name) == length && !memcmp(stage->name, metric->path, length);
    for (size_t i = 0; i < parameter_count && named && stage->traits & STAGE_OPTIONAL; i++)
        if (parameters[i].offset == stage->switch_offset)
            return &parameters[i];
    snprintf(path, sizeof path, "%.*s.enabled", (int)length, metric->path);
    return parameter_find(path);
}

static bool is_axis(const struct study *study, const struct parameter *parameter)
{
    for (size_t i = 0; i < study->axis_count; i++)
        if (study->axes[i].parameter == parameter)
            return true;
    return false;
}

/* Whether no machine of the study has the structure that a metric describes. */
static bool is_absent(const struct study *study, const struct metric *metric)
{
    if (!machine_may_have(&study->machine, metric->stage) &&
        !is_axis(study, parameter_find("machine.kind")))
        return true;
    const struct parameter *parameter = switch_of(metric);
    return parameter && !parameter_get(parameter, &study->machine).uint &&
           !is_axis(study, parameter);
}

static bool is_column(const struct study *study, const struct metric *metric)
{
    for (size_t i = 0; i < study->column_count; i++)
        if (study->columns[i] == metric)
            return true;
    return is_objective(study, metric);
}

/* The default columns besides the objectives: what the machine's file names, every share and rate
 * that costs nothing extra, memory accesses, and the areas. */
static enum status default_columns(const struct exploration *exploration, struct study *study)
{
    study->columns = calloc(METRIC_COUNT, sizeof *study->columns);
    if (!study->columns)
        return STATUS_MEMORY;
    for (size_t i = 0; i < exploration->metric_count; i++)
        if (metric_answered(exploration->metrics[i], study->depth) &&
            !is_column(study, exploration->metrics[i]))
            study->columns[study->column_count++] = exploration->metrics[i];
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        bool wanted = metric->unit == UNIT_PERCENT || metric->unit == UNIT_AREA ||
                      !(metric->depths & AT_FUNCTIONAL) || /* only a deeper depth computes it */
                      !strcmp(metric->path, "walk.accesses_per_walk") || metric_saves(metric);
        bool costs = metric->traits & (METRIC_OPTIMUM | METRIC_WALKERS);
        wanted = wanted && !costs && metric_answered(metric, study->depth);
        if (wanted && !is_absent(study, metric) && !is_column(study, metric))
            study->columns[study->column_count++] = metric;
    }
    return STATUS_OK;
}

static enum status axes_copy_axes(const struct session *session, struct study *study)
{
    struct axis_list list;
    enum status status = session_copy_axes(session, &list);
    study->axes = list.items;
    study->axis_count = list.count;
    return status;
}

static enum status copy_choices(const struct session *session, struct study *study)
{
    const struct study *from = &session->study;
    enum status status = study_copy_conditions(from, study);
    for (size_t i = 0; !status && i < from->objective_count; i++)
        status =
            axes_add_objective(study, from->objectives[i].metric, from->objectives[i].direction);
    if (!status && !study->objective_count)
        status = default_objectives(study);
    if (!status && from->column_count) {
        study->columns = malloc(from->column_count * sizeof *study->columns);
        if (!study->columns)
            return STATUS_MEMORY;
        memcpy(study->columns, from->columns, from->column_count * sizeof *study->columns);
        study->column_count = from->column_count;
    } else if (!status) {
        status = default_columns(&session->exploration, study);
    }
    return status;
}

const char *session_search_print(const struct session *session, char text[SESSION_TEXT])
{
    const struct search *search = &session->study.search;
    char value[VALUE_TEXT];
    int used = snprintf(text, SESSION_TEXT, "%s", search_table[search->method].name);
    for (size_t i = 0; i < search_parameter_count && used < SESSION_TEXT; i++)
        if (search_has(search->method, &search_parameter_table[i]))
            used += snprintf(text + used, (size_t)(SESSION_TEXT - used), " %s=%s",
                             search_parameter_table[i].name,
                             search_print(search, &search_parameter_table[i], value));
    return text;
}

enum status session_search(struct session *session, const char *search, char text[SESSION_TEXT])
{
    struct search chosen = session->study.search;
    char copy[SESSION_TEXT], parsed[SESSION_TEXT] = "", why[VALUE_TEXT], *rest = copy;
    int used = 0, words = 0;
    snprintf(copy, sizeof copy, "%s", search);
    /* The syntax of --search: "nsga2:population=64,evaluations=2000". */
    for (char *word; (word = strsep(&rest, " ")) != NULL && used < SESSION_TEXT;)
        if (*word)
            used += snprintf(parsed + used, (size_t)(SESSION_TEXT - used), "%s%s",
                             !words++     ? ""
                             : words == 2 ? ":"
                                          : ",",
                             word);
    if (search_parse(parsed, &chosen, why)) {
        snprintf(text, SESSION_TEXT, "search: %s", why);
        return STATUS_INVALID;
    }
    session->study.search = chosen;
    session_search_print(session, text);
    return STATUS_OK;
}

static void free_workloads(struct study *study)
{
    for (size_t i = 0; i < study->workload_count; i++)
        free(study->workloads[i]);
    free(study->workloads);
    study->workloads = NULL;
    study->workload_count = 0;
}

enum status session_workloads(struct session *session, const char *names, char text[SESSION_TEXT])
{
    struct study chosen = {0};
    size_t capacity = 0;
    char *copy = strdup(strcmp(names, "off") ? names : ""), *rest = copy;
    enum status status = copy ? STATUS_OK : STATUS_MEMORY;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    for (char *name; !status && (name = strsep(&rest, " ")) != NULL;) {
        size_t known = 0;
        while (known < chosen.workload_count && strcmp(chosen.workloads[known], name))
            known++;
        if (!*name || known < chosen.workload_count)
            continue;
        status = workload_check(name, &diagnostics);
        if (!status)
            status = array_reserve(&chosen.workloads, &capacity, chosen.workload_count + 1);
        if (!status && !(chosen.workloads[chosen.workload_count] = strdup(name)))
            status = STATUS_MEMORY;
        chosen.workload_count += !status;
    }
    free(copy);
    if (status) {
        free_workloads(&chosen);
        snprintf(text, SESSION_TEXT, "%s", diagnostics_first(&diagnostics, status));
        diagnostics_free(&diagnostics);
        return status;
    }
    diagnostics_free(&diagnostics);
    session_take_workloads(session, chosen.workloads, chosen.workload_count);
    return STATUS_OK;
}

void session_take_workloads(struct session *session, char **names, size_t count)
{
    free_workloads(&session->study);
    session->study.workloads = names;
    session->study.workload_count = count;
    session->axes_revision++;
}

size_t session_workload_count(const struct session *session, const char *workload)
{
    const struct study *study = &session->study;
    for (size_t i = 0; i < study->workload_count; i++)
        if (!strcmp(study->workloads[i], workload))
            return study->workload_count;
    return 1;
}

static enum status axes_copy_workloads(const struct session *session, const char *workload,
                                       struct study *study)
{
    const size_t count = session_workload_count(session, workload);
    study->workloads = calloc(count, sizeof *study->workloads);
    while (study->workloads && study->workload_count < count) {
        const char *name = count > 1 ? session->study.workloads[study->workload_count] : workload;
        char *copy = strdup(name);
        if (!copy)
            return STATUS_MEMORY;
        study->workloads[study->workload_count++] = copy;
    }
    return study->workloads ? STATUS_OK : STATUS_MEMORY;
}

enum status session_study(const struct session *session, const char *workload, struct study *study,
                          char text[SESSION_TEXT])
{
    *study = (struct study){.machine = session->machine,
                            .seed = session->study.seed,
                            .search = session->study.search,
                            .depth = session->study.depth,
                            .assumed = depth_can(session->study.depth, DEPTH_TIMED)
                                           ? session->study.assumed
                                           : ASSUMED_NOTHING,
                            .depth_said = session->study.depth != DEPTH_FUNCTIONAL};
    if (!session->axis_count) {
        snprintf(text, SESSION_TEXT,
                 "no axis yet: a marks the selected parameter, or :axis l1d.size 4KiB..64KiB");
        return STATUS_INVALID;
    }
    enum status status = axes_copy_axes(session, study);
    study->name = strdup(session->study.name ? session->study.name : session->name);
    study->machine_name = strdup(session->name);
    if (!status)
        status = axes_copy_workloads(session, workload, study);
    if (!status && (!study->name || !study->machine_name))
        status = STATUS_MEMORY;
    if (!status)
        status = copy_choices(session, study);
    if (!status)
        status = session_add_followers(session, study);
    if (!status)
        status = budgets_copy(&session->study, study);
    if (status) {
        study_free(study);
        snprintf(text, SESSION_TEXT, "%s", status_text(status));
    }
    return status;
}

/* The name of the machine in the study as a path: relative to the folder of the study if the file
 * exists there. */
static char *machine_path(const struct study *study, const char *study_path)
{
    const char *slash = strrchr(study_path, '/');
    char *path = NULL;
    if (asprintf(&path, "%.*s%s", slash ? (int)(slash - study_path) + 1 : 0, study_path,
                 study->machine_name) < 0)
        return NULL;
    if (access(path, F_OK)) {
        free(path);
        path = strdup(study->machine_name);
    }
    return path;
}

enum status session_create_study(const char *path, const char *machine, struct session **result,
                                 struct diagnostics *diagnostics)
{
    struct study study = {0};
    struct session *session = NULL;
    enum status status = study_load(path, &study, diagnostics);
    if (status)
        return status;
    char *own = machine ? NULL : machine_path(&study, path);
    status = machine || own ? session_create(machine ? machine : own, &session, diagnostics)
                            : STATUS_MEMORY;
    free(own);
    if (status) {
        study_free(&study);
        return status;
    }
    session->study = study;
    char text[SESSION_TEXT];
    if (!machine && (status = session_become(session, &session->study.machine, text)))
        diagnostics_error(diagnostics, status, "%s", text);
    /* The axes move to the session; the study keeps objectives, budgets, conditions and columns. */
    session->axes = session->study.axes;
    session->axis_count = session->axis_capacity = session->study.axis_count;
    session->study.axes = NULL;
    session->study.axis_count = 0;
    if (status)
        session_free(session);
    else
        *result = session;
    return status;
}
