/* Caches of which only the look-ups are wanted: accesses and misses, no traffic, no classes,
 * nothing behind them. Those that see the same requests are simulated together, exactly: LRU and
 * FIFO caches of few ways in one grid (model/cache/grid.h), LRU ones of more ways by their number
 * of sets in one stack pass each (model/cache/stack.h). This is the one place that knows which
 * caches go together and how. */
#pragma once

#include "model/cache/cache.h"

struct lookups; /* caches on one stream of requests */

/* Without `grids` everything is done by what has no limits. */
enum status lookups_create(bool grids, struct lookups **lookups);
void lookups_free(struct lookups *lookups); /* NULL is allowed */

/* True where lookups_add takes this cache; else it has to be simulated on its own. */
bool lookups_apply(const struct cache_config *config);

/* Adds a cache in `units` copies, before the first request. `options`: of enum cache_options.
 * *member identifies it for lookups_counts. */
enum status lookups_add(struct lookups *lookups, const struct cache_config *config, unsigned units,
                        unsigned options, size_t *member);

/* A launch begins: empties the caches whose configuration says so. */
enum status lookups_launch(struct lookups *lookups);
/* STATUS_UNSUPPORTED: the stream is one that a grid or a stack pass cannot follow, and the counts
 * are lost; without grids it goes. */
enum status lookups_run(struct lookups *lookups, const struct request *requests, size_t count);
enum status lookups_reset_counts(struct lookups *lookups);
enum status lookups_finish(struct lookups *lookups); /* after the last request */
/* Accesses, misses, reads, writes and misses of them; the other counts are 0. */
void lookups_counts(const struct lookups *lookups, size_t member, struct cache_counts *counts);

/* A TLB as a cache whose lines are pages: page number x PAGE_TOKEN is a page's address. */
enum { PAGE_TOKEN = 32 };
/* `pc` of a page's look-up is no program counter but the number of its warp instruction in the
 * order of issue, modulo 2^32. */
struct cache_config tlb_cache(const struct tlb_config *tlb);

/* Resets in a machine what may differ between machines whose L1Ds or TLBs are of one level, where
 * one more costs nothing; false: it has an L1D or TLB that lookups_add does not take. */
bool lookups_level(struct machine *machine);
/* Resets in a machine from lookups_level what may differ between levels that share work: those of
 * one line size. */
void lookups_family(struct machine *machine);
