/* The points of a store, read in the background for the Explore view, and for the front, matrix and
 * importance charts. At most POINTS_MAX rows are read, so that a store with millions of rows stays
 * usable; the message then says so. */
#pragma once

#include "base/diag.h"
#include "explore/store/importance.h"
#include "explore/store/point_difference.h"
#include "explore/store/store.h"
#include "ui/jobs/worker.h"

enum { POINTS_MAX = 20000, POINTS_TEXT = 240 };

struct points_query {
    char store[4096];
    char where[512]; /* "": all points */
    char sort[80];   /* as in struct query; "": order of points */
    bool front;
    enum aggregate across; /* one row for each machine, not for each point */
    bool importance;       /* also compute the importance of the axes for the first objective */
    bool grows;            /* a sweep of ours fills the store, so nobody asks what it lacks */
    bool compares;         /* also take the difference of these points apart */
    uint64_t from, to;
};

struct point {
    uint64_t index;     /* number of the point in the space */
    uint64_t workloads; /* number of workloads that the values cover */
    bool front;
};

/* The result of a query. The store stays open: it owns the study. */
struct points {
    struct answer answer; /* the message says why it failed, or that there are more points */
    struct points_query query;
    struct store *store;
    const struct study *study;
    struct space space;
    const struct metric **columns; /* those of the store, without what no point has a value of */
    size_t column_count;
    struct point *items;
    double *values; /* count x column_count */
    size_t count, capacity, value_capacity;
    uint64_t there, legal; /* points in the store, and of its space, where its last run did not come
                            * to its end; there = legal: nothing is missing as far as is known */
    struct importance importance; /* within the workloads; rows 0: not requested, or none */
    struct point_difference
        difference; /* column_count 0: not requested, or `untold` says why not */
    char untold[POINTS_TEXT];
};

extern const struct job_kind points_job;
/* NULL: no memory. */
struct points *points_new(const struct points_query *query);

/* The value of an axis, and the workload, of point `index` of the space. */
struct value points_axis(const struct points *points, uint64_t index, size_t axis);
const char *points_workload(const struct points *points, uint64_t index);
/* The number of a workload of the study, or 0 if it has none of this name. */
size_t points_workload_of(const struct points *points, const char *workload);
/* " of GEMM", " over all workloads", or "" where the study has one workload. Returns `text`. */
const char *points_whose(const struct points *points, size_t workload, char text[POINTS_TEXT]);
/* The row of a point, or `count` if the query excludes it. */
size_t points_row(const struct points *points, uint64_t index);
/* What an axis does to a metric from one compared point to the other; NaN: nobody knows. */
double points_part(const struct points *points, size_t axis, const struct metric *metric);
/* The column of a metric, or column_count. */
size_t points_column(const struct points *points, const struct metric *metric);
