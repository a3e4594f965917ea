/* Rates over the programs of a CPWC study (cpwc_study.h), in percent, and their means. The tables,
 * the chart and the comparison with the paper take their numbers from here, so that they agree.
 *
 * A figure is NaN if the model refused the program. Cost: a few operations for each program. */
#pragma once

#include "explore/papers/cpwc_study.h"

/* A figure of one program on one machine. */
typedef double (*cpwc_figure)(const struct cpwc_study *study, size_t subject,
                              enum cpwc_layout layout, enum cpwc_machine machine);

/* The share of the page walks that find all three upper indices in the page-walk cache (metric
 * pwc.l2.hit_rate). */
double cpwc_l2_hits(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                    enum cpwc_machine machine);

/* The lower of the hit rates at L4 and at L3. */
double cpwc_upper_hits(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                       enum cpwc_machine machine);

/* The reduction of page-table accesses against a TPC of as many bits behind the same TLBs; negative
 * if there are more accesses. */
double cpwc_reduction(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                      enum cpwc_machine machine);

/* The redundancy of the page-walk cache (metric pwc.redundancy). */
double cpwc_redundancy(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                       enum cpwc_machine machine);

/* The mean over the programs of one class of the paper (0: all) that have the figure; NaN if none
 * has. */
double cpwc_mean(const struct cpwc_study *study, unsigned group, cpwc_figure figure,
                 enum cpwc_layout layout, enum cpwc_machine machine);

/* The reduction of the accesses of all programs taken together. This is not the mean of their
 * reductions: long programs count for more. */
double cpwc_total_reduction(const struct cpwc_study *study, enum cpwc_layout layout,
                            enum cpwc_machine machine);
