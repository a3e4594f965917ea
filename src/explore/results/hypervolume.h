/* Hypervolume: the volume between a front and a reference point, which measures how good the front
 * is.
 *
 * Exact. Two objectives take a sort. Three take a sweep: O(n log n) comparisons, plus moves within
 * an array. More take the recursion of While, Bradstreet and Barone, "A Fast Way of Calculating
 * Exact Hypervolumes", IEEE Trans. Evol. Comput. 16(1), 2012, section III, which is exponential at
 * worst; a budget of steps bounds it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* costs[i * dimensions + d] is objective d of point i; less is better. A point that does not beat
 * the reference in every objective adds nothing, and neither does a dominated point. Returns NaN if
 * the computation would take more than about `budget` steps, or if out of memory. */
double hypervolume(const double *costs, size_t count, size_t dimensions, const double *reference,
                   uint64_t budget);

/* A reference coordinate for costs between `low` and `high`: a tenth of the range beyond the worst,
 * so that the ends of a front count too, or 1 beyond if all costs are equal. */
double hypervolume_reference(double low, double high);
