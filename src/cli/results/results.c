#include "cli/results/results.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "cli/shared/command.h"
#include "schema/moved_settings.h"

enum status results_use(const char *path, store_use use, void *argument,
                        struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *study;
    enum status status = store_open(path, &store, &study, diagnostics);
    if (status)
        return status;
    status = use(argument, store, study, diagnostics);
    store_close(store);
    return status;
}

int results_command(const char *path, store_use use, void *argument)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = results_use(path, use, argument, &diagnostics);
    return command_finish(status, &diagnostics);
}

enum status results_coverage(struct store *store, bool best, enum table_format format,
                             struct diagnostics *diagnostics)
{
    char count[COUNT_TEXT], all[COUNT_TEXT];
    uint64_t points = 0, legal = 0;
    if (format != TABLE_TEXT && format != TABLE_MARKDOWN)
        return STATUS_OK;
    enum status status = store_count_legal(store, &points, &legal, diagnostics);
    if (!status && legal != UINT64_MAX && points < legal)
        fprintf(stderr, "%s of %s were run (%.3g %%)%s\n", count_print(points, count),
                counted_print(legal, "point", all), 100 * (double)points / (double)legal,
                best ? ": what is best is the best of these" : "");
    return status;
}

/* "l1d.size=16KiB tlb.entries=64 ", cut to `size` bytes. Returns its length. */
static size_t print_axes(const struct space *space, uint64_t point, char *text, size_t size)
{
    struct machine machine;
    char value[VALUE_TEXT];
    size_t used = 0;
    space_machine(space, point % space->machines, &machine);
    for (size_t a = 0; a < space->study->axis_count && used < size; a++) {
        const struct parameter *parameter = space->study->axes[a].parameter;
        used +=
            (size_t)snprintf(text + used, size - used, "%s=%s ", parameter->path,
                             parameter_print(parameter, parameter_get(parameter, &machine), value));
    }
    return used;
}

const char *results_point_text(const struct space *space, uint64_t point, char *text, size_t size)
{
    const size_t used = print_axes(space, point, text, size);
    if (used < size)
        snprintf(text + used, size - used, "on %s",
                 space->study->workloads[point / space->machines]);
    return text;
}

const char *results_best_of(const struct study *study, char text[WORKLOADS_TEXT])
{
    char count[COUNT_TEXT];
    text[0] = '\0';
    if (study->workload_count > 1)
        snprintf(text, WORKLOADS_TEXT, " (geometric mean of %s)",
                 counted_print(study->workload_count, "workload", count));
    return text;
}

const char *results_best_text(const struct space *space, uint64_t best, char *text, size_t size)
{
    char whose[WORKLOADS_TEXT];
    if (space->study->workload_count == 1)
        return results_point_text(space, best, text, size);
    const size_t used = print_axes(space, best, text, size);
    if (used < size)
        snprintf(text + used, size - used, "%s", results_best_of(space->study, whose) + 1);
    return text;
}

void results_print_point(FILE *out, const struct space *space, uint64_t point)
{
    char text[POINT_TEXT];
    fprintf(out, " %s\n", results_point_text(space, point, text, sizeof text));
}

static enum status add_column(struct result_columns *columns, enum result_kind kind,
                              const struct parameter *parameter, size_t metric)
{
    if (array_reserve(&columns->items, &columns->capacity, columns->count + 1))
        return STATUS_MEMORY;
    columns->items[columns->count++] = (struct result_column){kind, parameter, metric};
    return STATUS_OK;
}

static enum status add_metrics(struct store *store, struct result_columns *columns)
{
    const struct metric *const *metrics;
    size_t count = store_columns(store, &metrics);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = add_column(columns, RESULT_METRIC, NULL, i);
    return status;
}

static enum status add_default(struct store *store, const struct grouping *grouping, bool across,
                               struct result_columns *columns)
{
    const struct study *study = store_space(store)->study;
    enum status status = grouping ? STATUS_OK : add_column(columns, RESULT_ID, NULL, 0);
    if (!status && study->workload_count > 1)
        status = add_column(columns, across ? RESULT_WORKLOADS : RESULT_WORKLOAD, NULL, 0);
    size_t count = grouping ? grouping->axis_count : study->axis_count;
    for (size_t i = 0; i < count && !status; i++)
        status = add_column(columns, RESULT_PARAMETER,
                            study->axes[grouping ? grouping->axes[i] : i].parameter, 0);
    if (!status && grouping)
        status = add_column(columns, RESULT_MEMBERS, NULL, 0);
    return status ? status : add_metrics(store, columns);
}

/* A parameter that has the same value in every point of a group: it is not an axis, or the grouping
 * is by it. */
static bool is_shared(const struct study *study, const struct grouping *grouping,
                      const struct parameter *parameter)
{
    bool grouped = !grouping, axis = false;
    for (size_t a = 0; a < study->axis_count; a++)
        axis = axis || study->axes[a].parameter == parameter;
    for (size_t i = 0; grouping && i < grouping->axis_count; i++)
        grouped = grouped || study->axes[grouping->axes[i]].parameter == parameter;
    return grouped || !axis;
}

static enum status add_named(struct store *store, const char *name, const struct grouping *grouping,
                             struct result_columns *columns, struct diagnostics *diagnostics)
{
    const struct metric *const *metrics;
    size_t count = store_columns(store, &metrics);
    if (!strcmp(name, "id"))
        return add_column(columns, RESULT_ID, NULL, 0);
    if (!strcmp(name, "workload"))
        return add_column(columns, RESULT_WORKLOAD, NULL, 0);
    if (!strcmp(name, "workloads"))
        return add_column(columns, RESULT_WORKLOADS, NULL, 0);
    if (!strcmp(name, "points"))
        return add_column(columns, RESULT_MEMBERS, NULL, 0);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(metrics[i]->path, name))
            return add_column(columns, RESULT_METRIC, NULL, i);
    const struct parameter *parameter = parameter_find(name);
    if (parameter && !is_shared(store_space(store)->study, grouping, parameter))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "--columns: the points of a group differ in %s", name);
    if (parameter)
        return add_column(columns, RESULT_PARAMETER, parameter, 0);
    if (metric_find(name))
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                 "--columns: the study did not store %s", name);
    char hint[SUGGESTION_TEXT];
    if (!*parameter_suggestion(name, hint))
        suggestion(metric_nearest(name), hint);
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "--columns: unknown name '%.60s'%s",
                             name, hint);
}

enum status result_columns_choose(struct store *store, const char *list,
                                  const struct grouping *grouping, bool across,
                                  struct result_columns *columns, struct diagnostics *diagnostics)
{
    if (!list)
        return add_default(store, grouping, across, columns);
    char *copy = strdup(list), *rest = copy;
    if (!copy)
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    for (char *name; (name = strsep(&rest, ",")) != NULL;) {
        name += strspn(name, " ");
        name[strcspn(name, " ")] = '\0';
        enum status added = add_named(store, name, grouping, columns, diagnostics);
        status = status ? status : added;
    }
    free(copy);
    return status;
}

enum status result_columns_all(struct store *store, uint64_t point, bool across,
                               struct result_columns *columns)
{
    struct machine machine;
    space_machine(store_space(store), point % store_space(store)->machines, &machine);
    enum status status = add_column(columns, RESULT_ID, NULL, 0);
    if (!status)
        status = add_column(columns, across ? RESULT_WORKLOADS : RESULT_WORKLOAD, NULL, 0);
    for (size_t i = 0; i < parameter_count && !status; i++)
        if (parameter_relevant(&parameters[i], &machine))
            status = add_column(columns, RESULT_PARAMETER, &parameters[i], 0);
    return status ? status : add_metrics(store, columns);
}

struct table *results_table(struct store *store, const struct result_columns *columns)
{
    const struct metric *const *metrics;
    store_columns(store, &metrics);
    enum { HEADER_TEXT = 80 };
    char(*headers)[HEADER_TEXT] = calloc(columns->count + 1, HEADER_TEXT);
    const char **pointers = calloc(columns->count + 1, sizeof *pointers);
    struct table *table = NULL;
    for (size_t i = 0; headers && pointers && i < columns->count; i++) {
        const struct result_column *column = &columns->items[i];
        const char *name = column->kind == RESULT_ID          ? ">id"
                           : column->kind == RESULT_WORKLOAD  ? "workload"
                           : column->kind == RESULT_WORKLOADS ? "workloads"
                           : column->kind == RESULT_MEMBERS   ? "points"
                           : column->kind == RESULT_METRIC    ? metrics[column->metric]->path
                                                              : column->parameter->path;
        bool right =
            column->kind >= RESULT_WORKLOADS ||
            (column->kind == RESULT_PARAMETER && column->parameter->type != PARAMETER_ENUM);
        snprintf(headers[i], HEADER_TEXT, "%s%s", right ? ">" : "", name);
        pointers[i] = headers[i];
    }
    if (headers && pointers)
        table = table_create(pointers);
    free(headers);
    free(pointers);
    return table;
}

void results_add_value(struct table *table, const struct parameter *parameter, struct value value)
{
    char text[VALUE_TEXT];
    parameter_print(parameter, value, text);
    bool number = parameter->type == PARAMETER_UINT || parameter->type == PARAMETER_REAL;
    if (parameter->type == PARAMETER_BOOL)
        table_flag(table, value.uint != 0);
    else if (number && !parameter_is_top(parameter, value))
        table_number(table, parameter_number(parameter, value), text);
    else
        table_text(table, text);
}

void results_add(struct store *store, const struct result_columns *columns,
                 const struct store_row *row, struct table *table)
{
    const struct space *space = store_space(store);
    const struct metric *const *metrics;
    struct machine machine;
    char text[QUANTITY_TEXT];
    store_columns(store, &metrics);
    space_machine(space, row->point % space->machines, &machine);
    for (size_t i = 0; i < columns->count; i++) {
        const struct result_column *column = &columns->items[i];
        double value;
        switch (column->kind) {
        case RESULT_ID:
            snprintf(text, sizeof text, "%" PRIu64, row->point);
            table_number(table, (double)row->point, text);
            break;
        case RESULT_WORKLOAD:
            table_text(table, store_row_workload(space, row, text, sizeof text));
            break;
        case RESULT_WORKLOADS: /* print "3 of 5" so that missing workloads are visible */
            snprintf(text, sizeof text, "%" PRIu64 " of %zu", row->workloads,
                     space->study->workload_count);
            table_number(table, (double)row->workloads, text);
            break;
        case RESULT_PARAMETER:
            results_add_value(table, column->parameter, parameter_get(column->parameter, &machine));
            break;
        case RESULT_MEMBERS:
            snprintf(text, sizeof text, "%" PRIu64, row->members);
            table_number(table, (double)row->members, text);
            break;
        case RESULT_METRIC:
            value = row->values[column->metric];
            table_number(table, value,
                         quantity_print_short(value, metrics[column->metric]->unit, 4, text));
            break;
        }
    }
}
