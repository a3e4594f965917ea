/* Caches of which only look-ups are wanted (accesses and misses), or these and their traffic, and
 * that have nothing behind them. Those that see the same requests are simulated together, exactly.
 * For look-ups, LRU and FIFO caches of few ways are one grid (model/lru/grid.h), LRU ones of more
 * ways, or from which stores drop lines, by their number of sets one stack pass each
 * (model/lru/stack.h). LRU caches with sectors or lazy allocation, whose ways change with the
 * launch, or that are asked for their traffic are one pass of model/lru/sector_stack.h. This is
 * the one place that knows which caches go together and how. */
#pragma once

#include "model/cache/cache.h"
#include "schema/stages.h"

struct cache_batch; /* caches on one stream of requests */

/* What is wanted of caches, from all to least: what little is asked can be had in shared passes. */
enum pass_share {
    SHARE_NOTHING, /* classes of misses, what goes to the next level: each on its own */
    SHARE_TRAFFIC, /* every other count */
    SHARE_LOOKUPS  /* accesses, misses, reads, writes and misses of them; the others may be 0 */
};

/* Without `grids` everything is done by what has no limits. `share` is not SHARE_NOTHING. */
enum status cache_batch_create(enum pass_share share, bool grids, struct cache_batch **batch);
void cache_batch_free(struct cache_batch *batch); /* NULL is allowed */

/* True where cache_batch_add takes this cache; else it has to be simulated on its own. */
bool cache_batch_apply(const struct cache_config *config, enum pass_share share);

/* Adds a cache in `instances` copies, before the first request. `options`: of enum cache_options.
 * *member identifies it. A unified cache begins without ways. */
enum status cache_batch_add(struct cache_batch *batch, const struct cache_config *config,
                            unsigned instances, unsigned options, size_t *member);

/* A unified cache has so many ways from the next launch on. */
void cache_batch_resize(struct cache_batch *batch, size_t member, uint64_t ways);
/* A launch begins: empties the caches whose configuration says so, and unified ones whose ways
 * change. */
enum status cache_batch_launch(struct cache_batch *batch);
/* STATUS_UNSUPPORTED: the stream is one that a grid or a stack pass cannot follow, and the counts
 * are lost; without grids it goes. */
enum status cache_batch_run(struct cache_batch *batch, const struct request *requests,
                            size_t count);
enum status cache_batch_finish(struct cache_batch *batch); /* after the last request */
/* What is shared of the counts of a cache. */
void cache_batch_counts(const struct cache_batch *batch, size_t member,
                        struct cache_counts *counts);

/* A TLB as a cache whose lines are pages: page number x PAGE_TOKEN is a page's address. */
enum { PAGE_TOKEN = 32 };
/* `pc` of a page's look-up is no program counter but the number of its warp instruction in the
 * order of issue, modulo 2^32. */
struct cache_config tlb_cache(const struct tlb_config *tlb);

/* The stages that they can be, and those in front of them. */
enum { LOOKUPS_STAGES = STAGE_STREAM | STAGE_L1D | STAGE_L2 | STAGE_TLB };

/* Resets in a machine what may differ between machines whose last caches (the L2, or the L1D and
 * the TLB) are of one level, where one more costs nothing; false: it has one that cache_batch_add
 * does not take. */
bool cache_batch_level(struct machine *machine, enum pass_share share);
/* Resets in a machine from cache_batch_level what may differ between levels that share work: those
 * of one line size. */
void cache_batch_family(struct machine *machine);
