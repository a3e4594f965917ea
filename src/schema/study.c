#include "schema/study.h"

#include <stdlib.h>
#include <string.h>

static void free_conditions(struct condition *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(conditions[i].text);
        free(conditions[i].budget);
    }
    free(conditions);
}

void study_free(struct study *study)
{
    free(study->name);
    free(study->path);
    free(study->machine_name);
    free(study->baseline);
    for (size_t i = 0; i < study->workload_count; i++)
        free(study->workloads[i]);
    free(study->workloads);
    free(study->workload_lines);
    for (size_t i = 0; i < study->axis_count; i++)
        free(study->axes[i].values);
    free(study->axes);
    free(study->budgets);
    free_conditions(study->where, study->where_count);
    free_conditions(study->filters, study->filter_count);
    free(study->objectives);
    free(study->columns);
    memset(study, 0, sizeof *study);
}

void study_baseline(const struct study *study, struct machine *machine)
{
    *machine = study->machine;
    for (size_t i = 0; i < study->baseline_count; i++)
        parameter_set(study->baseline[i].parameter, machine, study->baseline[i].value);
}

static enum status copy_text(const char *text, char **copy)
{
    *copy = text ? strdup(text) : NULL;
    return text && !*copy ? STATUS_MEMORY : STATUS_OK;
}

/* Copies an array of plain values; *copy is NULL for an empty one. */
static enum status copy_array(const void *items, size_t count, size_t size, void **copy)
{
    *copy = count ? calloc(count, size) : NULL;
    if (!count)
        return STATUS_OK;
    if (!*copy)
        return STATUS_MEMORY;
    memcpy(*copy, items, count * size);
    return STATUS_OK;
}

static enum status copy_workloads(const struct study *study, struct study *copy)
{
    if (study->workload_count &&
        !(copy->workloads = calloc(study->workload_count, sizeof *copy->workloads)))
        return STATUS_MEMORY;
    for (; copy->workload_count < study->workload_count; copy->workload_count++)
        if (copy_text(study->workloads[copy->workload_count],
                      &copy->workloads[copy->workload_count]))
            return STATUS_MEMORY;
    void *lines;
    enum status status =
        copy_array(study->workload_lines, study->workload_lines ? study->workload_count : 0,
                   sizeof *study->workload_lines, &lines);
    copy->workload_lines = lines;
    return status;
}

static enum status copy_axes(const struct study *study, struct study *copy)
{
    if (study->axis_count && !(copy->axes = calloc(study->axis_count, sizeof *copy->axes)))
        return STATUS_MEMORY;
    for (; copy->axis_count < study->axis_count; copy->axis_count++) {
        const struct axis *from = &study->axes[copy->axis_count];
        struct axis *to = &copy->axes[copy->axis_count];
        void *values;
        if (copy_array(from->values, from->count, sizeof *from->values, &values))
            return STATUS_MEMORY;
        *to = *from;
        to->values = values;
    }
    return STATUS_OK;
}

static enum status copy_conditions(const struct condition *from, size_t from_count,
                                   struct condition **to, size_t *to_count)
{
    if (from_count && !(*to = calloc(from_count, sizeof **to)))
        return STATUS_MEMORY;
    for (; *to_count < from_count; ++*to_count) {
        struct condition *copy = &(*to)[*to_count];
        copy->line = from[*to_count].line;
        if (copy_text(from[*to_count].text, &copy->text))
            return STATUS_MEMORY;
        if (copy_text(from[*to_count].budget, &copy->budget)) {
            free(copy->text);
            return STATUS_MEMORY;
        }
    }
    return STATUS_OK;
}

size_t study_values_before(const struct study *study, size_t axis)
{
    size_t count = 0;
    for (size_t a = 0; a < axis; a++)
        count += study->axes[a].count;
    return count;
}

enum status study_copy_conditions(const struct study *study, struct study *copy)
{
    enum status status =
        copy_conditions(study->where, study->where_count, &copy->where, &copy->where_count);
    return status ? status
                  : copy_conditions(study->filters, study->filter_count, &copy->filters,
                                    &copy->filter_count);
}

static enum status copy_budgets(const struct study *study, struct study *copy)
{
    void *budgets;
    enum status status =
        copy_array(study->budgets, study->budget_count, sizeof *study->budgets, &budgets);
    copy->budgets = budgets;
    copy->budget_count = status ? 0 : study->budget_count;
    return status;
}

static enum status copy_objectives(const struct study *study, struct study *copy)
{
    void *objectives = NULL, *columns = NULL;
    enum status status = copy_array(study->objectives, study->objective_count,
                                    sizeof *study->objectives, &objectives);
    if (!status)
        status = copy_array(study->columns, study->column_count, sizeof *study->columns, &columns);
    copy->objectives = objectives;
    copy->objective_count = study->objective_count;
    copy->columns = columns;
    copy->column_count = study->column_count;
    return status;
}

static enum status copy_baseline(const struct study *study, struct study *copy)
{
    if (!study->baseline_count)
        return STATUS_OK;
    copy->baseline = malloc(study->baseline_count * sizeof *copy->baseline);
    if (!copy->baseline)
        return STATUS_MEMORY;
    copy->baseline_count = study->baseline_count;
    memcpy(copy->baseline, study->baseline, study->baseline_count * sizeof *copy->baseline);
    return STATUS_OK;
}

enum status study_copy(const struct study *study, struct study *copy)
{
    memset(copy, 0, sizeof *copy);
    copy->machine = study->machine;
    copy->search = study->search;
    copy->depth = study->depth;
    copy->depth_said = study->depth_said;
    copy->assumed = study->assumed;
    copy->seed = study->seed;
    enum status status = copy_text(study->name, &copy->name);
    status = status ? status : copy_text(study->path, &copy->path);
    status = status ? status : copy_text(study->machine_name, &copy->machine_name);
    status = status ? status : copy_baseline(study, copy);
    status = status ? status : copy_workloads(study, copy);
    status = status ? status : copy_axes(study, copy);
    status = status ? status : copy_budgets(study, copy);
    status = status ? status : study_copy_conditions(study, copy);
    status = status ? status : copy_objectives(study, copy);
    if (status)
        study_free(copy);
    return status;
}

/* Raises the depth of the study to the first depth that answers the metric, if that is a later
 * one. */
static void choose_depth_of(struct study *study, const struct metric *metric)
{
    int first = 0;
    while (first + 1 < DEPTH_COUNT && !metric_answered(metric, (enum depth)first))
        first++;
    if (first > (int)study->depth && metric_answered(metric, (enum depth)first))
        study->depth = (enum depth)first;
}

void study_choose_depth(struct study *study)
{
    if (study->depth_said)
        return;
    study->depth = 0;
    for (size_t i = 0; i < study->objective_count; i++)
        choose_depth_of(study, study->objectives[i].metric);
    for (size_t i = 0; i < study->column_count; i++)
        choose_depth_of(study, study->columns[i]);
}
