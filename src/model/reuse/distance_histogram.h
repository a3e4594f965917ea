/* Histogram of the reuse distances of an L1D's accesses: the number of other lines of the set that
 * took effect since the line's own last effect (at a fill, or at a hit that touches it). Adding an
 * access takes amortized constant time; memory is 8 bytes per distance up to the largest. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* counts[i] is the number of accesses at distance i; the vector grows. */
struct reuse_histogram {
    uint64_t *counts;
    size_t count, capacity;
    uint64_t infinite; /* accesses to lines without an earlier effect */
};

void reuse_histogram_free(struct reuse_histogram *histogram);

/* Counts one access at a finite distance. STATUS_MEMORY. */
enum status reuse_histogram_add(struct reuse_histogram *histogram, uint64_t distance);

/* The same in bins of doubling width: 0, 1, 2 to 3, 4 to 7, ... */
enum { REUSE_BINS = 33 };

struct reuse_bins {
    uint64_t hit_below; /* smaller distances hit */
    size_t count;       /* bins up to the last that is not empty */
    uint64_t hits[REUSE_BINS], misses[REUSE_BINS];
    uint64_t infinite, total; /* total: all accesses */
};

void reuse_bins_fill(const struct reuse_histogram *histogram, uint64_t hit_below,
                     struct reuse_bins *bins);

/* The smallest distance in a bin. */
uint64_t reuse_bin_first(size_t bin);
