/* Simulates many LRU caches with sectors or lazy allocation, or whose traffic is wanted, in one
 * pass over their common stream. It gives every count of cache_run except the classes of misses,
 * exactly and for any number of ways at once (J. G. Thompson and A. J. Smith, "Efficient (stack)
 * algorithms for analysis of write-back and sector memories", ACM TOCS 7(1), 1989).
 *
 * The lines of a set form one recency list (model/lru/stack.h): caches with more ways than a line's
 * place hold the line. The caches also differ in the state of its sectors, described by distances.
 * The distance of a sector since an event is the largest place at which its line was found since
 * then; exactly the caches with more ways have kept the result of the event:
 * - since its last access: they have the sector;
 * - since its last store: their copy is dirty. So when the line is found again, or leaves the list,
 *   the caches with more ways than the distance but no more than its place have written it back;
 * - since each of its 32 parts was stored to, or the sector was loaded: the sector is readable,
 *   which a lazily allocated one is only after all parts.
 *
 * A store that drops its line leaves a hole in the list, as in model/lru/stack.h. Lines must then
 * have one sector, or a cache would lose a line of which a larger one keeps other sectors.
 *
 * An access that finds its line at place 0 and the sector's distances 0 changes nothing. Without a
 * hash it also changes nothing with a multiple of the sets, so those never see it (as in
 * model/lru/grid.h). Instances (SMs, slices) are run in turn, some hundred accesses each, so that
 * their lists stay in the processor's cache. */
#pragma once

#include "model/cache/cache.h"

enum { SECTOR_STACK_WAYS_MAX = 1024 };

struct sector_stack;

/* True if the pass counts what cache_run does for this configuration: LRU with at most
 * SECTOR_STACK_WAYS_MAX ways, and stores that do not come here, allocate their line, or drop it
 * (then without sectors; see stack_evicts). */
bool sector_stack_applies(const struct cache_config *config);

/* True if two such caches on one stream can share a pass: they differ only in size, ways and index
 * function. */
bool sector_stack_joins(const struct cache_config *a, const struct cache_config *b);

/* Creates a pass for `count` caches that join; duplicates are fine. `options`: enum cache_options
 * (CACHE_CLASSIFY has no effect) and stack_options. STATUS_UNSUPPORTED if sector_stack_applies or
 * sector_stack_joins is false. */
enum status sector_stack_create(const struct cache_config *configs, size_t count,
                                unsigned instances, unsigned options, struct sector_stack **pass);
void sector_stack_free(struct sector_stack *pass); /* NULL is allowed */

/* Runs the next requests. They may be buffered until one of the functions below is called.
 * STATUS_UNSUPPORTED: a store to local memory, or an atomic, where stores drop their line. After
 * this or STATUS_MEMORY the pass must not be used. */
enum status sector_stack_run(struct sector_stack *pass, const struct request *requests,
                             size_t count);

/* Writes back what is dirty and empties every set (end of a launch). Counts stay. */
enum status sector_stack_flush(struct sector_stack *pass);
enum status sector_stack_reset_counts(struct sector_stack *pass);

/* Runs everything that is buffered and counts what has been written back so far; call before
 * sector_stack_read_counts. */
enum status sector_stack_settle(struct sector_stack *pass);
/* Reads all counts except the miss classes of cache `index`, if it had `ways` ways (at most its
 * own), summed over all instances. Linear in the ways. */
void sector_stack_read_counts(const struct sector_stack *pass, size_t index, uint64_t ways,
                              struct cache_counts *counts);
