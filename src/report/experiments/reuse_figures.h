/* Miss rates over the workloads of a reuse study (reuse_study.h), and how they change from one
 * setting to another. The tables and the comparison with the paper take their numbers from here, so
 * that they agree. */
#pragma once

#include "explore/papers/reuse_study.h"

/* The miss rate of a run in percent; NaN where the model refused the workload. */
double figure_rate(const struct reuse_study *study, size_t subject, size_t setting);

struct figure_change {                /* how the miss rates change from one setting to another */
    size_t count;                     /* workloads with both settings */
    size_t lower, higher;             /* by more than 0.1 points */
    size_t large;                     /* workloads that change by more than `large` points */
    double mean, mean_absolute, most; /* in points; `most`: the largest absolute change */
    size_t most_subject;
};

struct figure_change figure_change(const struct reuse_study *study, size_t from, size_t to,
                                   double large);

/* The mean miss rate over the workloads with this setting or, if `complete`, over those with all
 * settings; NaN if there are none. */
double figure_mean(const struct reuse_study *study, size_t setting, bool complete);
