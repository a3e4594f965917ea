/* The pictures of a report of a sweep. */
#pragma once

#include "report/page.h"
#include "report/study_summary.h"

/* For each workload all points (or a sample) and the front, over the first objective and each
 * other. */
void study_front_charts(struct page *page, const struct study_summary *summary);
/* The mean of a target over the values of each axis that matters, a line a workload. */
void study_effect_charts(struct page *page, const struct study_summary *summary, size_t target);
/* How the points are distributed over each target, an outline a workload. */
void study_histograms(struct page *page, const struct study_summary *summary);
