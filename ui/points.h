/* The points of a store, read in the background (explore screen, front and matrix charts). */
#pragma once

#include "base/diag.h"
#include "explore/store/store.h"
#include "ui/worker.h"

enum { POINTS_MAX = 20000, POINTS_TEXT = 240 };

struct points_query {
    char store[4096];
    char where[512]; /* "" = all */
    char sort[80];   /* as struct query; "" = point order */
    bool front;
};

struct point {
    uint64_t index; /* in the space */
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
};

/* Starts the query; its job argument is a struct points. */
enum status points_start(struct worker *worker, const struct points_query *query);
void points_free(struct points *points); /* NULL is allowed */

/* The value of axis `axis` at row `row`. */
struct value points_axis(const struct points *points, size_t row, size_t axis);
const char *points_workload(const struct points *points, size_t row);
/* The column of a metric, or column_count. */
size_t points_column(const struct points *points, const struct metric *metric);
