/* The numbers in the report of a sweep: main effects, distributions, best points, fronts. They are
 * exact averages over the rows of the store, not a fitted model.
 *
 * What the machine alone decides is averaged over all legal points, where some were not run.
 *
 * Cost: four queries over the store (effects and ranges; histograms and sample; best points;
 * front), one more for the importance of each target, another if there are several workloads, and
 * one evaluation for each workload if the machine of the study is not in the store. The summary
 * keeps one struct effect for each workload, value of an axis and target, and the rows of front and
 * sample, but not the other rows. */
#pragma once

#include "explore/results/coverage.h"
#include "explore/store/importance.h"

enum { SUMMARY_TARGETS_MAX = 6, SUMMARY_BINS = 40 };

/* One target over all rows of one workload that have one given value of an axis. */
struct effect {
    uint64_t count; /* rows with a value for the metric */
    double sum, min, max;
};

/* One target over all rows of one workload. */
struct distribution {
    uint64_t count;
    double mean, squares; /* `squares`: the sum of squared distances from the mean (Welford 1962) */
    double min, max;
    uint64_t bins[SUMMARY_BINS]; /* of equal width between the extremes over all workloads */
    uint64_t best;               /* the best point that passes the filters; UINT64_MAX: none */
    double best_value, best_targets[SUMMARY_TARGETS_MAX]; /* all targets at the best point */
    double baseline; /* of the machine of the study; NaN: unknown */
};

/* The machine with the best geometric mean of one target over several workloads. */
struct overall {
    uint64_t point; /* its point on the first workload; passes the filters; UINT64_MAX: none */
    double value;
    double baseline; /* that of the study; NaN: unknown, or not positive on some workload */
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
    bool partial; /* the store is a summary: no histograms, few rows */
    struct objective targets[SUMMARY_TARGETS_MAX]; /* the objectives, else the columns */
    size_t target_columns[SUMMARY_TARGETS_MAX];    /* their columns in the store */
    size_t target_count;
    bool unrun[SUMMARY_TARGETS_MAX]; /* its effects and distributions are of all legal points, run
                                      * or not (explore/store/machine_values.h) */
    double low[SUMMARY_TARGETS_MAX], high[SUMMARY_TARGETS_MAX]; /* over all workloads */
    size_t value_count;                                         /* of all axes */
    struct effect *effects;             /* [workload][value of all axes][target] */
    struct distribution *distributions; /* [workload][target] */
    struct overall overall[SUMMARY_TARGETS_MAX];
    struct importance importance[SUMMARY_TARGETS_MAX]; /* within the workloads */
    struct coverage coverage;
    struct point_list front, sample; /* `sample`: some rows, for charts */
    struct point_list across;        /* the front of the geometric means over several workloads */
    double *baseline;        /* [workload][column] of those that metric_saves; NaN: unknown */
    char baseline_note[256]; /* where the baseline comes from, or why it is missing */
};

/* Reads the store. If the machine of the study is not one of its points, evaluates it on every
 * workload that can be opened and still has the same digest; *cancel stops the evaluation. */
enum status study_summary_open(struct store *store, const atomic_bool *cancel,
                               struct study_summary *summary, struct diagnostics *diagnostics);
void study_summary_free(struct study_summary *summary);

const struct effect *summary_effect(const struct study_summary *summary, size_t workload,
                                    size_t axis, size_t value, size_t target);
const struct distribution *summary_distribution(const struct study_summary *summary,
                                                size_t workload, size_t target);
/* A column of the study's machine that counts memory accesses (metric_saves). */
double summary_baseline(const struct study_summary *summary, size_t workload, size_t column);
