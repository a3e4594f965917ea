/* The shadow of a cache, which classifies its misses (Hill and Smith, "Evaluating associativity in
 * CPU caches", 1989). For each instance it simulates one fully associative LRU set of equal
 * capacity, and remembers which sectors were ever accessed and which were accessed since the last
 * flush.
 *
 * Some misses happen in every cache: the first access ever (compulsory), the first one since a
 * flush (flush), and accesses to data that earlier stores did not allocate, dropped or left partly
 * unwritten (store). The shadow counts these itself. For every other access it reports what it
 * misses: if the cache misses it too, that is a capacity miss; all remaining misses of the cache
 * are conflicts. Caches that differ only in sets, replacement or index function would have equal
 * shadows.
 *
 * Cost: one hash look-up and constant-time list work per line accessed, a second look-up for what
 * misses. Memory: 40 to 56 bytes per line that fits, and some 56 bytes per 64 neighbouring sectors
 * of the stream. */
#pragma once

#include "model/cache/cache.h"

struct shadow;

/* Creates the shadow of cache_create(config, instances, any seed, options), which has checked both.
 * STATUS_MEMORY. */
enum status shadow_create(const struct cache_config *config, unsigned instances, unsigned options,
                          struct shadow **shadow);
void shadow_free(struct shadow *shadow); /* NULL is allowed */
/* A shadow that stands where this one stands; NULL: there is no memory. */
struct shadow *shadow_copy(const struct shadow *shadow);

/* Looks up requests in order, as cache_run does, and adds to `compulsory`, `flush` and `store` of
 * *counts. *lost gets one bit set for each line that a request is looked up in, in order: the
 * sectors that the shadow missed although some cache might have kept them. It is valid until the
 * next call. */
enum status shadow_run(struct shadow *shadow, const struct request *requests, size_t count,
                       struct cache_counts *counts, const uint32_t **lost);

/* Empties every instance and sets its capacity to `lines` lines. */
void shadow_flush(struct shadow *shadow, uint64_t lines);
