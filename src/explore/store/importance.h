/* Which axes matter to a metric: main effects and shares of its variance, as exact averages over
 * the rows of a store.
 *
 * Over a complete table (every combination of the values that occur has a row) this is the
 * functional ANOVA of the metric (Hooker, "Discovering Additive Structure in Black Box Functions",
 * KDD 2004, section 2): the shares of single axes, of pairs and of the rest add up to 1. Over an
 * incomplete table it takes the same averages over the rows that exist.
 *
 * Cost: one pass over the rows; memory is one cell per combination of values of each pair of axes,
 * up to IMPORTANCE_CELLS cells. */
#pragma once

#include "explore/store/store.h"

struct importance_value {
    uint64_t rows;
    double mean; /* of the metric over these rows; NaN if there are none */
};

struct importance_axis {
    const struct axis *axis; /* NULL for the workload */
    size_t count;
    struct importance_value *values;
    double share; /* of the variance; NaN if the variance is 0 or unknown */
};

struct importance_pair {
    size_t first, second; /* indices into axes */
    double share;         /* beyond the shares of both axes; NaN if there are too many cells */
};

struct importance {
    uint64_t rows;         /* that have a value of the metric */
    uint64_t combinations; /* of the values that occur in them */
    uint64_t without;      /* rows that have no value of the metric */
    bool complete;         /* rows = combinations */
    double mean, variance;
    struct importance_axis *axes; /* the workload comes first if the study has several */
    size_t axis_count;
    struct importance_pair *pairs;
    size_t pair_count;
    double rest; /* share of interactions of three and more axes; NaN if any pair's is */
};

/* The most cells that all pairs together may have; pairs beyond that are not counted. */
#define IMPORTANCE_CELLS ((uint64_t)1 << 24)

/* Considers the rows for which the condition `where` (may be NULL) holds. For a summary, uses the
 * marginals over all its points: then there are no pairs, and a `where` is STATUS_UNSUPPORTED.
 * Returns STATUS_NOT_FOUND if the store has no column of the metric. */
enum status importance_compute(struct store *store, const struct metric *metric, const char *where,
                               struct importance *importance, struct diagnostics *diagnostics);
/* Does the same for each workload alone and averages the results, so that differences between
 * workloads do not drown those between machines. Shares are averaged over the workloads in which
 * the metric varies; values are relative to their workload's mean, so `mean` is 1. There is no axis
 * of workloads, and `variance` is the mean of the relative variances. `complete` means complete for
 * each workload. */
enum status importance_within(struct store *store, const struct metric *metric, const char *where,
                              struct importance *importance, struct diagnostics *diagnostics);
void importance_free(struct importance *importance);
