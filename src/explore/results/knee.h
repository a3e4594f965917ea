/* Where a Pareto front bends, and what the next step along it costs and buys.
 *
 * Costs are scaled to the range of each objective over the front. The knee is the point with the
 * least sum of them: no other gives up so little of everything (Das, "On characterizing the 'knee'
 * of the Pareto curve", Structural Optimization 18, 1999, for a plane through the ends). A front
 * has none if that point is an end, the best of some objective.
 *
 * Cost: O(points) for each question. */
#pragma once

#include "schema/study.h"

/* values[i * stride + columns[t]] is objective t of point i. */
struct front_view {
    const struct objective *objectives;
    const size_t *columns;
    size_t objective_count, stride, count;
    const double *values;
};

/* The index of the knee; `count` if there is none, or fewer than three points, or one objective. */
size_t front_knee(const struct front_view *front);

/* The objective that prices the others: the last one that is an area; else the last one. */
size_t front_price(const struct objective *objectives, size_t count);

/* The next step up from a point: of the points with a higher price that are better in objective
 * `gain`, the one with the lowest price. The index; `count` if there is none. */
size_t front_step(const struct front_view *front, size_t price, size_t gain, size_t point);
