/* Which axes matter: main effects and shares of variance, exact averages over the rows of a store.
 *
 * Over a complete table (every combination of the values that occur has a row) this is the
 * functional ANOVA of the metric (Hooker, "Discovering Additive Structure in Black Box Functions",
 * KDD 2004, section 2): the shares of single axes, of pairs and of what is left over add up to 1.
 * Over an incomplete one the same averages are taken over the rows that exist. One pass over the
 * rows, memory for the cells of the pairs only. */
#pragma once

#include "explore/store/store.h"

struct importance_value {
    uint64_t rows;
    double mean; /* of the metric over these rows; NaN where there are none */
};

struct importance_axis {
    const struct axis *axis; /* NULL: the workload */
    size_t count;
    struct importance_value *values;
    double share; /* of the variance; NaN where there is none */
};

struct importance_pair {
    size_t first, second; /* axes */
    double share;         /* beyond those of both axes; NaN: too many cells to count */
};

struct importance {
    uint64_t rows;         /* with a value of the metric */
    uint64_t combinations; /* of the values that occur among them */
    uint64_t without;      /* rows that have no value of it */
    bool complete;         /* rows = combinations */
    double mean, variance;
    struct importance_axis *axes; /* the workload first where the study has several */
    size_t axis_count;
    struct importance_pair *pairs;
    size_t pair_count;
    double rest; /* share of three axes and more together; NaN where any pair is */
};

/* Cells that all pairs together may have; further pairs are not counted. */
#define IMPORTANCE_CELLS ((uint64_t)1 << 24)

/* Over the rows for which `where` (may be NULL) holds. Of a summary over all its points, from the
 * marginals: no pairs, and STATUS_UNSUPPORTED with a `where`. STATUS_NOT_FOUND where the store has
 * no column of the metric. */
enum status importance_compute(struct store *store, const struct metric *metric, const char *where,
                               struct importance *importance, struct diagnostics *diagnostics);
/* The same of each workload apart, averaged over the workloads, so that they do not drown the axes:
 * shares over those at which the metric varies, values relative to the mean of the workload
 * (`mean` is 1 then). There is no axis of the workloads, and `variance` is the mean of the relative
 * ones. `complete`: of each. */
enum status importance_within(struct store *store, const struct metric *metric, const char *where,
                              struct importance *importance, struct diagnostics *diagnostics);
void importance_free(struct importance *importance);
