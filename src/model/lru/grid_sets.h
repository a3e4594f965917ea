/* Named sets of cache configurations for comparing simulators in benchmarks and tests. */
#pragma once

#include <stddef.h>

#include "schema/machine.h"

struct grid_set {
    const char *name, *help;
    int replacement;             /* enum replacement_policy, the same for all */
    uint64_t line_min, line_max; /* line sizes and numbers of sets are powers of two */
    uint64_t sets_min, sets_max, ways_min, ways_max;
    uint64_t size_min, size_max; /* 0: any */
};

/* The table ends with a row without a name. */
extern const struct grid_set grid_sets[];

/* Writes up to `capacity` of the configurations, ordered by line size, sets and ways; returns how
 * many there are in total. They are write-back caches with allocation and index function `index`.
 */
size_t grid_set_configs(const struct grid_set *set, int index, struct cache_config *configs,
                        size_t capacity);
