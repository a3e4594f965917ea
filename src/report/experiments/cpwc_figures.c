#include "report/experiments/cpwc_figures.h"

#include <math.h>

static const struct metrics *metrics_of(const struct cpwc_study *study, size_t subject,
                                        enum cpwc_layout layout, enum cpwc_machine machine)
{
    const struct cpwc_result *result = cpwc_study_at(study, subject, layout);
    return result->status ? NULL : &result->metrics[machine];
}

double cpwc_l2_hits(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                    enum cpwc_machine machine)
{
    const struct metrics *metrics = metrics_of(study, subject, layout, machine);
    return metrics ? 100 * metrics->pwc_l2_hit_rate : NAN;
}

double cpwc_upper_hits(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                       enum cpwc_machine machine)
{
    const struct metrics *metrics = metrics_of(study, subject, layout, machine);
    return metrics ? 100 * fmin(metrics->pwc_l4_hit_rate, metrics->pwc_l3_hit_rate) : NAN;
}

double cpwc_reduction(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                      enum cpwc_machine machine)
{
    const struct metrics *metrics = metrics_of(study, subject, layout, machine);
    const struct metrics *tpc = metrics_of(study, subject, layout, cpwc_baseline(machine));
    return metrics && tpc ? 100 * (1 - metrics->walk_memory_accesses / tpc->walk_memory_accesses)
                          : NAN;
}

double cpwc_redundancy(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                       enum cpwc_machine machine)
{
    const struct metrics *metrics = metrics_of(study, subject, layout, machine);
    return metrics ? 100 * metrics->pwc_redundancy : NAN;
}

double cpwc_mean(const struct cpwc_study *study, unsigned group, cpwc_figure figure,
                 enum cpwc_layout layout, enum cpwc_machine machine)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < study->subjects; i++) {
        double value = figure(study, i, layout, machine);
        if (isnan(value) || (group && study->names[i]->group != group))
            continue;
        sum += value;
        count++;
    }
    return count ? sum / (double)count : NAN;
}

double cpwc_total_reduction(const struct cpwc_study *study, enum cpwc_layout layout,
                            enum cpwc_machine machine)
{
    double accesses = 0, tpc_accesses = 0;
    for (size_t i = 0; i < study->subjects; i++) {
        const struct metrics *metrics = metrics_of(study, i, layout, machine);
        const struct metrics *tpc = metrics_of(study, i, layout, cpwc_baseline(machine));
        if (!metrics || !tpc)
            continue;
        accesses += metrics->walk_memory_accesses;
        tpc_accesses += tpc->walk_memory_accesses;
    }
    return 100 * (1 - accesses / tpc_accesses); /* 0 / 0 without programs: NaN */
}
