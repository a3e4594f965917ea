/* The geometric mean, summed up value by value. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* All 0 at first. */
struct geomean {
    uint64_t count;
    bool undefined; /* a value was not above 0 */
    long double logarithms;
};

void geomean_add(struct geomean *geomean, double value);
/* NaN of no value, or where one was not above 0. In more digits than a result has, so that equal
 * values give that value. */
double geomean_value(const struct geomean *geomean);
