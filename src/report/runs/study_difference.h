/* Why the best points of a sweep are better than its baseline: what each axis in which they differ
 * does to the metric, averaged over all orders (explore/store/point_difference.h).
 *
 * Cost: one look-up for each point between the two, 2^axes of them for each best point. */
#pragma once

#include "report/drawing/page.h"
#include "report/runs/study_summary.h"

/* Prints nothing where the baseline is no point of the store; where points between are missing,
 * says so. */
enum status study_difference_print(struct page *page, const struct study_summary *summary);
