/* Many LRU caches with sectors or lazy allocation, or asked for their traffic, in one pass over
 * their common stream: every count of cache_run but the classes of misses, for any number of ways
 * at once, exact (J. G. Thompson and A. J. Smith, "Efficient (stack) algorithms for analysis of
 * write-back and sector memories", ACM TOCS 7(1), 1989).
 *
 * The lines of a set are one recency list (model/lru/stack.h): caches of more ways than the place
 * of a line have it. What the caches differ in besides is a distance of each sector, the largest
 * place that its line was found at since something happened to the sector; caches of more ways have
 * kept what that left. Since it was accessed: they have the sector. Since it was stored to: theirs
 * is dirty, so that when the line is met again, or leaves the list, those of more ways than the
 * distance and no more than its place have written it back. Since each of its 32 parts was stored
 * to, or the sector loaded: theirs is readable, where lazily allocated sectors are not before all
 * parts are. A store that drops its line leaves a hole in the list, as in model/lru/stack.h.
 *
 * An access that finds its line at place 0 and the sector's distances 0 changes nothing, and where
 * the set index is no hash nothing with a multiple of the sets either, which do not get to see it
 * (as in model/lru/grid.h). Instances (SMs, slices) are worked on one after the other, some hundred
 * accesses each, so that their lists are at hand. */
#pragma once

#include "model/cache/cache.h"

enum { SECTOR_STACK_WAYS_MAX = 1024 };

struct sector_stack;

/* True where the pass counts what cache_run does for this configuration: LRU of at most
 * SECTOR_STACK_WAYS_MAX ways, and stores do not come here, bring their line in, or drop it (without
 * sectors; stack_evicts, which says where). */
bool sector_stack_applies(const struct cache_config *config);

/* True where two such caches on one stream can be in one pass: they differ in size, ways and index
 * function alone. */
bool sector_stack_joins(const struct cache_config *a, const struct cache_config *b);

/* A pass for `count` caches that join; duplicates are fine. `options`: of enum cache_options
 * (CACHE_CLASSIFY does nothing) and stack_options. STATUS_UNSUPPORTED where sector_stack_applies or
 * sector_stack_joins is false. */
enum status sector_stack_create(const struct cache_config *configs, size_t count,
                                unsigned instances, unsigned options, struct sector_stack **pass);
void sector_stack_free(struct sector_stack *pass); /* NULL is allowed */

/* The next requests. They may be kept back until one of the functions below. STATUS_UNSUPPORTED: a
 * store to local memory, or an atomic, where stores drop their line. After this, or STATUS_MEMORY,
 * the pass is of no use. */
enum status sector_stack_run(struct sector_stack *pass, const struct request *requests,
                             size_t count);

/* Writes back what is dirty and empties every set (end of a launch). Counts stay. */
enum status sector_stack_flush(struct sector_stack *pass);
enum status sector_stack_reset_counts(struct sector_stack *pass);

/* Looks at all that was kept back, and counts what was written back so far: before
 * sector_stack_read_counts. */
enum status sector_stack_settle(struct sector_stack *pass);
/* Everything but the classes of misses of cache `index`, if it had `ways` ways, at most its own,
 * summed over all instances. Linear in the ways. */
void sector_stack_read_counts(const struct sector_stack *pass, size_t index, uint64_t ways,
                              struct cache_counts *counts);
