#include "model/reuse/distance_histogram.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"

void reuse_histogram_free(struct reuse_histogram *histogram)
{
    free(histogram->counts);
    *histogram = (struct reuse_histogram){0};
}

enum status reuse_histogram_add(struct reuse_histogram *histogram, uint64_t distance)
{
    if (distance >= histogram->count) {
        if (array_reserve(&histogram->counts, &histogram->capacity, distance + 1))
            return STATUS_MEMORY;
        while (histogram->count <= distance)
            histogram->counts[histogram->count++] = 0;
    }
    histogram->counts[distance]++;
    return STATUS_OK;
}

static size_t reuse_bin(uint64_t distance)
{
    size_t bin = distance ? log2_floor(distance) + 1 : 0;
    return bin < REUSE_BINS ? bin : REUSE_BINS - 1;
}

uint64_t reuse_bin_first(size_t bin)
{
    return bin ? (uint64_t)1 << (bin - 1) : 0;
}

void reuse_bins_fill(const struct reuse_histogram *histogram, uint64_t hit_below,
                     struct reuse_bins *bins)
{
    *bins = (struct reuse_bins){
        .hit_below = hit_below, .infinite = histogram->infinite, .total = histogram->infinite};
    for (size_t distance = 0; distance < histogram->count; distance++) {
        uint64_t count = histogram->counts[distance];
        size_t bin = reuse_bin(distance);
        bins->total += count;
        *(distance < hit_below ? &bins->hits[bin] : &bins->misses[bin]) += count;
        if (count)
            bins->count = bin + 1;
    }
}
