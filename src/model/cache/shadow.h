/* The shadow of a cache, by which its misses are classified (Hill and Smith, "Evaluating
 * associativity in CPU caches", 1989): the same cache with all lines of an instance in one LRU set,
 * and the sets of all sectors that an instance ever accessed and of those that it accessed since it
 * was emptied last.
 *
 * What misses for the first time, ever or since the cache was emptied, misses in every cache. So
 * the shadow counts these by itself, and says of the rest what it misses: where the cache misses
 * too it is for want of capacity, and all its other misses are conflicts. Caches that differ in
 * sets, replacement or index function only have one shadow in common. */
#pragma once

#include "model/cache/cache.h"

struct shadow;

/* The shadow of cache_create(config, instances, any seed, options), which has looked at both. */
enum status shadow_create(const struct cache_config *config, unsigned instances, unsigned options,
                          struct shadow **shadow);
void shadow_free(struct shadow *shadow); /* NULL is allowed */

/* Looks up requests in order, as cache_run does. Adds to `compulsory` and `flush` of *counts. For
 * each line that a request is looked up in, in order, *lost gets the sectors that missed although
 * they were accessed since the cache was emptied, as a bit set; valid until the next call. */
enum status shadow_run(struct shadow *shadow, const struct request *requests, size_t count,
                       struct cache_counts *counts, const uint32_t **lost);

/* Empties every instance, which then has `lines` lines. */
void shadow_flush(struct shadow *shadow, uint64_t lines);
