/* Rates and means over the programs of a CPWC study, in percent. */
#pragma once

#include "explore/papers/cpwc_study.h"

/* Of one program on one machine; NaN where the model refuses it. */
typedef double (*cpwc_figure)(const struct cpwc_study *study, size_t subject,
                              enum cpwc_layout layout, enum cpwc_machine machine);

double cpwc_l2_hits(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                    enum cpwc_machine machine);

/* The lesser of the hit rates of L4 and L3. */
double cpwc_upper_hits(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                       enum cpwc_machine machine);

/* Page-table accesses that it makes less than the TPC of equal bits behind the same TLBs; negative:
 * more. */
double cpwc_reduction(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                      enum cpwc_machine machine);

double cpwc_redundancy(const struct cpwc_study *study, size_t subject, enum cpwc_layout layout,
                       enum cpwc_machine machine);

/* The mean over the programs of a class of the paper (0: all) that have the figure; NaN without
 * any. */
double cpwc_mean(const struct cpwc_study *study, unsigned group, cpwc_figure figure,
                 enum cpwc_layout layout, enum cpwc_machine machine);

/* The share of all accesses together that is saved: not the mean of the programs' shares. */
double cpwc_total_reduction(const struct cpwc_study *study, enum cpwc_layout layout,
                            enum cpwc_machine machine);
