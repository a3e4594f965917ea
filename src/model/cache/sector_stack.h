/* One pass for all LRU caches of one line size, one number of sets and one index function that have
 * sectors, allocate lazily or are asked for their traffic: every count of cache_run but the classes
 * of misses, for any number of ways at once, exact (J. G. Thompson and A. J. Smith, "Efficient
 * (stack) algorithms for analysis of write-back and sector memories", ACM TOCS 7(1), 1989).
 *
 * The lines of a set are one recency list (model/cache/stack.h): caches of more ways than the place
 * of a line have it. What the caches differ in besides is a level of each sector, the largest place
 * that its line was found at since something happened to the sector; caches of more ways have kept
 * what it left:
 * - since it was accessed: they have the sector;
 * - since it was stored to: theirs is dirty. So when the line is met again, or leaves the list,
 *   those of more ways than the level and no more than its place have written it back;
 * - since each of its 32 parts was stored to, or the sector loaded: theirs is readable, where
 * lazily allocated sectors are not before all parts are. */
#pragma once

#include "model/cache/cache.h"

enum { SECTOR_STACK_WAYS_MAX = 1024 };

struct sector_stack;

/* True where the pass counts what cache_run does for this configuration, but for its ways: LRU, and
 * stores do not come here or bring their line in. */
bool sector_stack_applies(const struct cache_config *config);

/* The ways and size of `config` only give the sets; `ways` is the most that will be asked for.
 * `options`: of enum cache_options (CACHE_CLASSIFY does nothing) and stack_options.
 * STATUS_UNSUPPORTED where sector_stack_applies is false or `ways` is above SECTOR_STACK_WAYS_MAX.
 */
enum status sector_stack_create(const struct cache_config *config, uint64_t ways, unsigned units,
                                unsigned options, struct sector_stack **pass);
void sector_stack_free(struct sector_stack *pass); /* NULL is allowed */

/* After STATUS_MEMORY the pass is of no use. */
enum status sector_stack_run(struct sector_stack *pass, const struct request *requests,
                             size_t count);

/* Writes back what is dirty and empties every set (end of a launch). Counts stay. */
void sector_stack_flush(struct sector_stack *pass);
void sector_stack_reset_counts(struct sector_stack *pass);

/* Counts what was written back so far: before sector_stack_read_counts. */
void sector_stack_settle(struct sector_stack *pass);
/* Everything but the classes of misses, of 1 to `ways` ways, summed over all units. Linear in the
 * ways. */
void sector_stack_read_counts(const struct sector_stack *pass, uint64_t ways,
                              struct cache_counts *counts);
