/* Whether two evaluations said the same. A metric that neither has (NaN) is the same. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "schema/metrics.h"

static inline bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* The first metric of any of these stages in which they differ; NULL: none. */
const struct metric *metrics_differ(const struct metrics *a, const struct metrics *b,
                                    unsigned stages);

/* The first metric in which they differ of those that do not follow from the area, as energies do;
 * NULL: none. */
const struct metric *counts_differ(const struct metrics *a, const struct metrics *b);

/* Fails with the metric's name and values if any differs. */
void assert_same_stages(const struct metrics *found, const struct metrics *expected,
                        unsigned stages);
void assert_same_metrics(const struct metrics *found, const struct metrics *expected);
