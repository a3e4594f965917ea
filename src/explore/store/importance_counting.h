/* Internal to explore/store/importance.h: what is counted of the rows of a store. */
#pragma once

#include "explore/store/importance.h"

/* A sum of deviations from the first value met (`origin`). Sums of the values themselves would lose
 * the small differences between large numbers. */
struct cell {
    uint64_t rows;
    double sum;
};

struct counting {
    const struct space *space;
    size_t column, axis_count;
    size_t first_workload, workload_end; /* the range of workloads considered */
    bool workloads;                      /* axis 0 is the workload */
    bool sampled;
    size_t tables; /* that are counted beside it, and itself */
    size_t *counts, *digits;
    struct cell **singles; /* per axis, one cell per value */
    struct cell **pairs;   /* per pair, a matrix of cells; NULL if it is too large */
    double origin;
    uint64_t rows, without;
    double sum, squares;
    uint64_t *points; /* of the rows, ascending; not of a summary */
    double *values;
    size_t kept, point_capacity, value_capacity;
};

/* Numbers the pairs (first < second) row by row of the upper triangle. */
static inline size_t pair_number(size_t axis_count, size_t first, size_t second)
{
    return first * axis_count - first * (first + 1) / 2 + second - first - 1;
}

static inline void add_cell(struct cell *cell, double value)
{
    cell->rows++;
    cell->sum += value;
}

/* How many values of an axis occur. */
static inline size_t count_met(const struct counting *counting, size_t axis)
{
    size_t met = 0;
    for (size_t v = 0; v < counting->counts[axis]; v++)
        met += counting->singles[axis][v].rows > 0;
    return met;
}

/* Chooses what the means of an axis are over (`basis`, `compared` and `other`). sums[v], those of
 * value v over all rows, become those over the rows compared. Fails only with STATUS_MEMORY. */
enum status importance_basis(const struct counting *counting, size_t index,
                             struct importance_axis *axis, struct cell *sums);

/* Fills results[count]: one of all workloads together (count = 1), or one of each. */
enum status importance_parts(struct store *store, const struct metric *metric, const char *where,
                             size_t count, struct importance *results,
                             struct diagnostics *diagnostics);
/* Counts the points of a summary that have no value of the metric: marginals leave them out. */
enum status importance_without(struct store *store, struct importance *importance,
                               struct diagnostics *diagnostics);
