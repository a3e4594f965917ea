/* The points of a store, read in the background (explore screen, front and matrix charts). */
#pragma once

#include "base/diag.h"
#include "explore/store/importance.h"
#include "explore/store/store.h"
#include "ui/worker.h"

enum { POINTS_MAX = 20000, POINTS_TEXT = 240 };

struct points_query {
    char store[4096];
    char where[512]; /* "" = all */
    char sort[80];   /* as struct query; "" = point order */
    bool front;
    enum aggregate across; /* machines over all workloads in the place of points */
    bool importance;       /* of the axes for the first objective, too */
};

struct point {
    uint64_t index;     /* in the space */
    uint64_t workloads; /* that its values are over */
    bool front;
};

/* What a query gave. The store stays open: it owns the study. */
struct points {
    struct points_query query;
    enum status status;
    char message[POINTS_TEXT]; /* why not, or that there are more */
    struct store *store;
    const struct study *study;
    struct space space;
    const struct metric *const *columns;
    size_t column_count;
    struct point *items;
    double *values; /* count x column_count */
    size_t count, capacity, value_capacity;
    struct importance importance; /* within the workloads; rows 0: not asked for, or none */
};

/* Starts the query; its job argument is a struct points. */
enum status points_start(struct worker *worker, const struct points_query *query);
void points_free(struct points *points); /* NULL is allowed */

/* What the point of the space with this number is: the value of an axis, its workload. */
struct value points_axis(const struct points *points, uint64_t index, size_t axis);
const char *points_workload(const struct points *points, uint64_t index);
/* The row of a point, or `count` where the query leaves it out. */
size_t points_row(const struct points *points, uint64_t index);
/* The column of a metric, or column_count. */
size_t points_column(const struct points *points, const struct metric *metric);
