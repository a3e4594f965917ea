/* Sets of cache configurations that simulators are compared by. */
#pragma once

#include <stddef.h>

#include "schema/machine.h"

struct grid_set {
    const char *name, *help;
    int replacement;             /* enum replacement_policy of all */
    uint64_t line_min, line_max; /* powers of two, like the sets */
    uint64_t sets_min, sets_max, ways_min, ways_max;
    uint64_t size_min, size_max; /* 0: any */
};

/* Ended by a row without a name. */
extern const struct grid_set grid_sets[];

/* Writes up to `capacity` of the configurations, by line size, sets and ways; returns how many
 * there are. Write-back caches that allocate, with index function `index`. */
size_t grid_set_configs(const struct grid_set *set, int index, struct cache_config *configs,
                        size_t capacity);
