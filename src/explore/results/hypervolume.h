/* Hypervolume: how much of the space below a reference point a front dominates. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* costs[i * dimensions + d] is objective d of point i, less is better; what is not below the
 * reference in every objective adds nothing, and dominated points change nothing. Exact: a sort for
 * two objectives, a sweep for three (n log n comparisons and moves within a staircase), for more
 * the recursion of While, Bradstreet and Barone, "A Fast Way of Calculating Exact Hypervolumes",
 * IEEE Trans. Evol. Comput. 16(1), 2012, section III, which is exponential at its worst. NaN where
 * it would take more than about `budget` steps, or where there is no memory. */
double hypervolume(const double *costs, size_t count, size_t dimensions, const double *reference,
                   uint64_t budget);
