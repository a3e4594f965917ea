/* warpscape compare STORE --points A,B: what each axis in which two points differ does to the
 * metrics (explore/store/point_difference.h). */
#pragma once

#include "cli/results/results.h"

/* `points` is "A,B". Prints a row for each metric that differs and each axis, and one of all. */
enum status compare_points(struct store *store, const char *points, enum table_format format,
                           struct diagnostics *diagnostics);
