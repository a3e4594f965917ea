/* The charts in the report of a sweep: fronts, main effects and histograms, from the numbers of
 * study_summary.h. A picture shows at most four workloads, because more cannot be told apart. */
#pragma once

#include "report/drawing/page.h"
#include "report/runs/study_summary.h"

/* One chart for each workload and each objective after the first: all points (or a sample) and the
 * front. */
void study_front_charts(struct page *page, const struct study_summary *summary);
/* The mean of a target as a function of each axis that has an effect, one line for each workload.
 */
void study_effect_charts(struct page *page, const struct study_summary *summary, size_t target);
/* A histogram of the points for each target, one outline for each workload. */
void study_histograms(struct page *page, const struct study_summary *summary);
