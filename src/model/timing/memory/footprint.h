/* What a cache held that never had to give anything up: how few ways would do for as many sets.
 *
 * A cache that replaces and drops no line, and refuses no request for want of one, answers as every
 * other does whose sets have room for all that was ever in it at a time: which way a line is in
 * changes nothing. So its size and its ways are open, at the same line, index and policy. Of a
 * cache with a bypass policy all of that holds as long as the policy decided nothing: it was as if
 * there was none.
 *
 * Cost: when a cache is emptied, and when the run has ended, one look at each of its lines. */
#pragma once

#include "model/timing/cache/cache_unit.h"
#include "model/timing/memory/address_map.h"

enum { FOOTPRINT_SETS = 14 }; /* powers of two */

struct footprint {
    uint64_t size, ways;            /* of the cache that ran */
    uint32_t least[FOOTPRINT_SETS]; /* ways, with 1, 2, 4, ... sets */
    bool open;                      /* any cache with so many ways or more; else only that one */
};

/* A cache of which nothing is known yet. */
void footprint_begin(struct footprint *footprint, const struct cache_config *config);
/* Adds the lines that are in a cache. `map`: of an L2, whose lines are numbered within slices; else
 * NULL. */
void footprint_add(struct footprint *footprint, const struct cache_unit *unit,
                   const struct address_map *map);
/* Adds those of another one of the same caches. */
void footprint_join(struct footprint *footprint, const struct footprint *other);
/* Whether this cache would have answered likewise. */
bool footprint_covers(const struct footprint *footprint, const struct cache_config *config);
