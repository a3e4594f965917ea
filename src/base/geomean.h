/* A running geometric mean: a sum of logarithms, so no product overflows. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialize before the first value. */
struct geomean {
    uint64_t count;
    bool undefined; /* some value was 0, negative or NaN */
    long double logarithms;
};

void geomean_add(struct geomean *geomean, double value);
/* NaN if there were no values or one was not positive. The sum is a long double so that the mean of
 * equal values is exactly that value after rounding to double. */
double geomean_value(const struct geomean *geomean);
