/* Shapley effects: how much of the variance of a value each axis of a table explains.
 *
 * v(S) is the variance of the mean of the value given the axes in S. An axis gets what it adds to
 * v, averaged over all orders in which the axes can be added (Owen, "Sobol' indices and Shapley
 * value", SIAM/ASA J. Uncertainty Quantification 2(1), 2014). v only grows with S, so no effect is
 * negative, and together they are the whole variance: also where rows are missing and axes hang
 * together, for which the analysis of variance has no meaning (Song, Nelson and Staum, "Shapley
 * effects for global sensitivity analysis", ibid. 4(1), 2016).
 *
 * Cost: all 2^axes sums are taken from dense tables, which takes time proportional to the product
 * of (values + 1) over the axes, up to SHAPLEY_WORK, and memory for SHAPLEY_CELLS cells of 12
 * bytes. Beyond that, orders are drawn, each of which sorts the rows, and effects have intervals.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { SHAPLEY_AXES = 64 };
#define SHAPLEY_CELLS ((uint64_t)1 << 24)
#define SHAPLEY_WORK  ((uint64_t)1 << 30)

struct shapley_table {
    const size_t *counts; /* by axis: values */
    size_t axis_count;    /* at most SHAPLEY_AXES */
    const uint64_t
        *cells; /* by row, all distinct: its values, in mixed radix, the last axis fastest */
    const double *values; /* by row; finite */
    size_t row_count;
};

struct shapley_effect {
    double share;  /* of the variance, 0 to 1; NaN if the values do not vary */
    double margin; /* half width of the 95 % interval; 0 if exact */
};

/* Fills effects[axis_count]. *exact: no orders were drawn. Which orders are drawn depends on the
 * number of axes alone. `work` is SHAPLEY_WORK; tests set less. Fails only with STATUS_MEMORY. */
enum status shapley_effects(const struct shapley_table *table, uint64_t work,
                            struct shapley_effect *effects, bool *exact);

/* The effects over the whole table, of which the rows are a sample: estimates, with the 95 %
 * interval of a jackknife. An effect is averaged over the numbers of axes before it at which the
 * rows tell it, and 0 +- 1 if they do at none. The effects of all axes need not be 1 together.
 * Fails only with STATUS_MEMORY. */
enum status shapley_sample(const struct shapley_table *table, struct shapley_effect *effects);

/* v(S) as a share, from the sums of squares of `rows` rows around their mean and around those of
 * their `cells` cells, each of which is one of `left` rows in a table of `all`. NaN if too few rows
 * share a cell. */
double shapley_estimate(double squares, double within, double rows, double cells, double left,
                        double all);
