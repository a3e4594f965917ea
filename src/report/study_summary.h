/* What a report of a sweep says, as numbers: main effects, distributions, best points, fronts.
 * Exact averages over the rows that the store has. */
#pragma once

#include "explore/store/store.h"

enum { SUMMARY_TARGETS_MAX = 6, SUMMARY_BINS = 40 };

/* All rows of one workload with one value of an axis, seen through one target. */
struct effect {
    uint64_t count; /* rows that have the metric */
    double sum, min, max;
};

/* One workload seen through one target. */
struct distribution {
    uint64_t count;
    double mean, squares; /* squares: sum of squared distances from the mean (Welford) */
    double min, max;
    uint64_t bins[SUMMARY_BINS]; /* of equal width from the least to the largest of all workloads */
    uint64_t best;               /* point, among those that pass the filters; UINT64_MAX = none */
    double best_value, best_targets[SUMMARY_TARGETS_MAX]; /* of the best point */
    double baseline; /* of the study's machine; NaN = not known */
};

/* The machine that is best through one target by the geometric mean over several workloads. */
struct overall {
    uint64_t point; /* on the first workload, passing the filters; UINT64_MAX = none */
    double value;
    double baseline; /* of the study's machine; NaN = not known, or not above 0 at a workload */
};

struct point_list { /* values[i * column_count + c] */
    uint64_t *points;
    double *values;
    size_t count, point_capacity, value_capacity;
};

struct study_summary {
    struct store *store;
    const struct study *study;
    const struct space *space;
    const struct metric *const *columns;
    size_t column_count;
    uint64_t rows;
    bool partial; /* the store is a summary: no histograms, and the sample is what it has */
    struct objective targets[SUMMARY_TARGETS_MAX]; /* the objectives; without any, the columns */
    size_t target_columns[SUMMARY_TARGETS_MAX];    /* their columns in the store */
    size_t target_count;
    double low[SUMMARY_TARGETS_MAX], high[SUMMARY_TARGETS_MAX]; /* over all workloads */
    size_t value_count;                                         /* of all axes */
    struct effect *effects;             /* [workload][value of all axes][target] */
    struct distribution *distributions; /* [workload][target] */
    struct overall overall[SUMMARY_TARGETS_MAX];
    struct point_list front, sample; /* sample: some of the rows, for pictures */
    char baseline_note[200];         /* how the baseline's numbers were had, or why not */
};

/* Reads the store; where its study's machine is no point of it, evaluates that machine on the
 * workloads that can be opened and still have the same digest, on `cancel` not. */
enum status study_summary_open(struct store *store, const atomic_bool *cancel,
                               struct study_summary *summary, struct diagnostics *diagnostics);
void study_summary_free(struct study_summary *summary);

const struct effect *summary_effect(const struct study_summary *summary, size_t workload,
                                    size_t axis, size_t value, size_t target);
const struct distribution *summary_distribution(const struct study_summary *summary,
                                                size_t workload, size_t target);

/* The share of the variance of a target that its mean over one axis explains, averaged over the
 * workloads at which it varies: the first-order index of a functional ANOVA. 0 where nothing does.
 * What importance_within says too. */
double summary_importance(const struct study_summary *summary, size_t axis, size_t target);
