/* Simulates many caches together if little is wanted of them: only look-ups (accesses and misses),
 * or also traffic, with no level after them. Caches that see the same requests share passes, and
 * the counts are exact. This module alone decides which caches go together, and how:
 * - For look-ups, LRU and FIFO caches of few ways form one grid (model/lru/grid.h). LRU caches of
 *   more ways, or whose stores drop lines, take one stack pass per number of sets
 *   (model/lru/stack.h).
 * - LRU caches with sectors or lazy allocation, with ways that change per launch, or with traffic
 *   wanted share one pass of model/lru/sector_stack.h.
 *
 * A pass is repeated without grids if the stream covers more memory than a grid can number (2^31 of
 * the smallest lines, in regions as large as the largest way), or stores to local memory reach a
 * local_back cache.
 *
 * The cost is that of the passes, which grows with the distinct line sizes and numbers of sets but
 * hardly with the number of caches. */
#pragma once

#include "model/cache/cache.h"
#include "schema/stages.h"

struct cache_batch; /* caches that see one stream of requests */

/* How much is wanted of caches, from all to least. The less is wanted, the more can be shared. */
enum pass_share {
    /* Everything, also miss classes and what goes to the next level: nothing is shared. */
    SHARE_NOTHING,
    SHARE_TRAFFIC, /* all other counts */
    SHARE_LOOKUPS  /* accesses and misses, also of reads and of writes; other counts may be 0 */
};

/* Without `grids`, only simulators without limits on the stream are used. `share` must not be
 * SHARE_NOTHING to add caches. */
enum status cache_batch_create(enum pass_share share, bool grids, struct cache_batch **batch);
void cache_batch_free(struct cache_batch *batch); /* NULL is allowed */

/* True if cache_batch_add accepts this cache; otherwise it must be simulated on its own. */
bool cache_batch_apply(const struct cache_config *config, enum pass_share share);

/* Adds `instances` copies of a cache, before the first request. `options`: enum cache_options.
 * *member identifies the cache. A unified cache starts without ways. */
enum status cache_batch_add(struct cache_batch *batch, const struct cache_config *config,
                            unsigned instances, unsigned options, size_t *member);

/* Sets the ways of a unified cache from the next launch on. */
void cache_batch_resize(struct cache_batch *batch, size_t member, uint64_t ways);
/* Begins a launch: empties caches that flush, and unified ones whose ways change. */
enum status cache_batch_launch(struct cache_batch *batch);
/* STATUS_UNSUPPORTED: a grid or a stack pass cannot follow this stream, and the counts are lost.
 * Repeat the run without grids, which always works. */
enum status cache_batch_run(struct cache_batch *batch, const struct request *requests,
                            size_t count);
enum status cache_batch_finish(struct cache_batch *batch); /* after the last request */
/* Reads the counts of a cache, as far as `share` asked for them. Call after cache_batch_finish. */
void cache_batch_counts(const struct cache_batch *batch, size_t member,
                        struct cache_counts *counts);

/* Describes a TLB as a cache whose lines are pages: the address of a page is its number x
 * PAGE_TOKEN. */
enum { PAGE_TOKEN = 32 };
/* In a look-up of a page, `pc` is not a program counter but the number of the warp instruction in
 * the order of issue, modulo 2^32. */
struct cache_config tlb_cache(const struct tlb_config *tlb);

/* The stages that can be shared this way, and those before them. */
enum { LOOKUPS_STAGES = STAGE_STREAM | STAGE_L1D | STAGE_L2 | STAGE_TLB | STAGE_TILE };

/* Resets what may differ between machines whose last caches (the L2, or the L1D and the TLB) share
 * a level, where one more machine costs nothing. Returns false if a last cache cannot be shared. */
bool cache_batch_level(struct machine *machine, enum pass_share share);
/* Resets further, in a machine from cache_batch_level, what may differ between levels that share
 * work: those of one line size. */
void cache_batch_family(struct machine *machine);
