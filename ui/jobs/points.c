#include "ui/jobs/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct reading {
    struct points *points;
    const atomic_bool *cancel;
};

static enum status points_keep_row(void *argument, const struct store_row *row)
{
    struct reading *reading = argument;
    struct points *points = reading->points;
    if (atomic_load_explicit(reading->cancel, memory_order_relaxed))
        return STATUS_CANCELLED;
    size_t columns = points->column_count;
    enum status status = array_reserve(&points->items, &points->capacity, points->count + 1);
    if (!status)
        status =
            array_reserve(&points->values, &points->value_capacity, (points->count + 1) * columns);
    if (status)
        return status;
    points->items[points->count] = (struct point){row->point, row->workloads, false};
    memcpy(points->values + points->count * columns, row->values, columns * sizeof(double));
    points->count++;
    return STATUS_OK;
}

struct front {
    uint64_t *items;
    size_t count, capacity;
    const atomic_bool *cancel;
};

static enum status keep_front(void *argument, const struct store_row *row)
{
    struct front *front = argument;
    if (atomic_load_explicit(front->cancel, memory_order_relaxed))
        return STATUS_CANCELLED;
    enum status status = array_reserve(&front->items, &front->capacity, front->count + 1);
    if (!status)
        front->items[front->count++] = row->point;
    return status;
}

static int compare_indices(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/* Marks the points that are on the front of the whole store, not only of the filtered points: a
 * filter must not make a point look better than it is. */
static enum status mark_front(struct points *points, const atomic_bool *cancel,
                              struct diagnostics *diagnostics)
{
    struct front front = {.cancel = cancel};
    const struct query query = {.front = true, .across = points->query.across};
    enum status status = store_query(points->store, &query, keep_front, &front, diagnostics);
    if (!status && front.count) {
        qsort(front.items, front.count, sizeof *front.items, compare_indices);
        for (size_t i = 0; i < points->count; i++)
            points->items[i].front = bsearch(&points->items[i].index, front.items, front.count,
                                             sizeof *front.items, compare_indices) != NULL;
    }
    free(front.items);
    return status;
}

static enum status take_columns(struct points *points)
{
    const struct metric *const *columns;
    points->column_count = store_columns(points->store, &columns);
    points->columns = malloc((points->column_count + 1) * sizeof(struct metric *));
    if (!points->columns)
        return STATUS_MEMORY;
    memcpy(points->columns, columns, points->column_count * sizeof(struct metric *));
    return STATUS_OK;
}

static bool has_value(const struct points *points, size_t column)
{
    for (size_t i = 0; i < points->count; i++)
        if (!isnan(points->values[i * points->column_count + column]))
            return true;
    return false;
}

/* The objectives, which come first, stay. */
static void drop_empty_columns(struct points *points)
{
    size_t kept = 0, from[METRIC_COUNT];
    for (size_t i = 0; i < points->column_count; i++)
        if (i < points->study->objective_count || has_value(points, i))
            from[kept++] = i;
    for (size_t i = 0; i < points->count; i++)
        for (size_t k = 0; k < kept; k++)
            points->values[i * kept + k] = points->values[i * points->column_count + from[k]];
    for (size_t k = 0; k < kept; k++)
        points->columns[k] = points->columns[from[k]];
    points->column_count = kept;
}

static void take_difference(struct points *points)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    char untold[DIFFERENCE_TEXT];
    if (points->query.across)
        snprintf(points->untold, sizeof points->untold,
                 "points of one workload can be taken apart, not these over workloads");
    else if (point_difference_open(points->store, points->query.from, points->query.to,
                                   &points->difference, &found))
        snprintf(points->untold, sizeof points->untold, "%s",
                 diagnostics_first(&found, STATUS_MEMORY));
    else
        snprintf(points->untold, sizeof points->untold, "%s",
                 point_difference_untold(&points->difference, untold));
    diagnostics_free(&found);
}

/* What a run that did not come to its end has left to do. */
static enum status count_missing(struct points *points, struct diagnostics *diagnostics)
{
    bool ended = true;
    enum status status = store_ended(points->store, &ended, diagnostics);
    return status || ended
               ? status
               : store_count_legal(points->store, &points->there, &points->legal, diagnostics);
}

static void points_run(void *answer, const atomic_bool *cancel)
{
    struct points *points = answer;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const struct points_query *wanted = &points->query;
    struct reading reading = {points, cancel};
    struct query query = {.where = wanted->where[0] ? wanted->where : NULL,
                          .sort = wanted->sort[0] ? wanted->sort : NULL,
                          .front = wanted->front,
                          .across = wanted->across,
                          .limit = POINTS_MAX};
    enum status status = store_open(wanted->store, &points->store, &points->study, &diagnostics);
    if (!status)
        status = space_open(points->study, &points->space, &diagnostics);
    if (!status)
        status = take_columns(points);
    if (!status)
        status = store_query(points->store, &query, points_keep_row, &reading, &diagnostics);
    if (!status && !wanted->grows)
        status = count_missing(points, &diagnostics);
    if (!status && points->count)
        drop_empty_columns(points);
    if (!status)
        status = mark_front(points, cancel, &diagnostics);
    if (!status && wanted->importance && points->study->objective_count)
        (void)importance_within(points->store, points->study->objectives[0].metric, query.where,
                                &points->importance, NULL); /* without a value it is not shown */
    if (!status && wanted->compares)
        take_difference(points);
    if (points->count == POINTS_MAX)
        snprintf(points->answer.message, sizeof points->answer.message,
                 "the first %d points; a filter or the front narrows them", POINTS_MAX);
    answer_end(&points->answer, status, &diagnostics);
}

static void points_free(void *answer)
{
    struct points *points = answer;
    importance_free(&points->importance);
    point_difference_close(&points->difference);
    store_close(points->store);
    free(points->items);
    free(points->columns);
    free(points->values);
    free(points);
}

const struct job_kind points_job = {points_run, points_free};

struct points *points_new(const struct points_query *query)
{
    struct points *points = calloc(1, sizeof *points);
    if (points)
        points->query = *query;
    return points;
}

struct value points_axis(const struct points *points, uint64_t index, size_t axis)
{
    uint64_t machine = index % points->space.machines;
    return points->study->axes[axis].values[space_digit(&points->space, machine, axis)];
}

const char *points_workload(const struct points *points, uint64_t index)
{
    return points->study->workloads[index / points->space.machines];
}

size_t points_workload_of(const struct points *points, const char *workload)
{
    for (size_t i = 0; i < points->study->workload_count; i++)
        if (!strcmp(points->study->workloads[i], workload))
            return i;
    return 0;
}

const char *points_whose(const struct points *points, size_t workload, char text[POINTS_TEXT])
{
    text[0] = '\0';
    if (points->study->workload_count > 1 && points->query.across)
        snprintf(text, POINTS_TEXT, " over all workloads");
    else if (points->study->workload_count > 1)
        snprintf(text, POINTS_TEXT, " of %.200s", points->study->workloads[workload]);
    return text;
}

size_t points_row(const struct points *points, uint64_t index)
{
    size_t row = 0;
    while (row < points->count && points->items[row].index != index)
        row++;
    return row;
}

double points_part(const struct points *points, size_t axis, const struct metric *metric)
{
    const struct point_difference *difference = &points->difference;
    const struct metric *const *columns;
    const size_t count = difference->column_count ? store_columns(points->store, &columns) : 0;
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < difference->axis_count && columns[c] == metric; i++)
            if (difference->axes[i] == axis && !difference->missing)
                return difference->parts[i * count + c];
    return NAN;
}

size_t points_column(const struct points *points, const struct metric *metric)
{
    for (size_t i = 0; i < points->column_count; i++)
        if (points->columns[i] == metric)
            return i;
    return points->column_count;
}
