/* Why two points of a store differ: what each axis in which they differ does to every metric.
 *
 * An axis gets the change that its value makes, averaged over all orders in which the axes can go
 * from one point to the other (the Shapley value of the change; explore/results/shapley.h does the
 * same for variances). The parts add up to the whole difference. All points between must be there,
 * 2^axes of them; where one has no row, or no value of a metric, nothing is said of the axes.
 *
 * Cost: one look-up for each point between. */
#pragma once

#include "explore/store/store.h"

enum { DIFFERENCE_AXES = 12 }; /* points that differ in more are not taken apart */

struct point_difference {
    size_t axes[DIFFERENCE_AXES]; /* in which they differ; axis_count may be larger */
    size_t axis_count;
    size_t column_count;
    double *from, *to; /* by column */
    double *parts;     /* [axis][column]; NaN if not known */
    uint64_t missing;  /* points between that have no row */
};

/* STATUS_NOT_FOUND if one of the points has no row, STATUS_INVALID if they are of different
 * workloads; both with diagnostics. */
enum status point_difference_open(struct store *store, uint64_t from, uint64_t to,
                                  struct point_difference *difference,
                                  struct diagnostics *diagnostics);
/* Why nothing is said of single axes; "" where something is. Returns `text`. */
enum { DIFFERENCE_TEXT = 160 };
const char *point_difference_untold(const struct point_difference *difference,
                                    char text[DIFFERENCE_TEXT]);
void point_difference_close(struct point_difference *difference);
