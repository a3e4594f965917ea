/* Sums over the workloads of a reuse study. */
#pragma once

#include "explore/papers/reuse_study.h"

/* The miss rate of a run in percent; NaN where the model refused the workload. */
double figure_rate(const struct reuse_study *study, size_t subject, size_t setting);

struct figure_change {                /* of the miss rates, from one setting to another */
    size_t count;                     /* workloads that have both */
    size_t lower, higher;             /* by more than a tenth of a point */
    size_t large;                     /* workloads that move by more than `large` */
    double mean, mean_absolute, most; /* points; most: the largest, without its sign */
    size_t most_subject;
};

struct figure_change figure_change(const struct reuse_study *study, size_t from, size_t to,
                                   double large);

/* The mean miss rate over the workloads that the setting has, or over those `complete` that have
 * all settings; NaN without any. */
double figure_mean(const struct reuse_study *study, size_t setting, bool complete);
