/* Caches of which only the look-ups are wanted: accesses and misses, no traffic, no classes,
 * nothing behind them. Those that differ in their ways alone are simulated together, 1 to
 * STACK_WAYS ways in one stack pass (model/cache/stack.h), exact. This is the one place that knows
 * which caches go together and how. */
#pragma once

#include "model/cache/cache.h"

struct lookups; /* caches on one stream of requests */

enum status lookups_create(struct lookups **lookups);
void lookups_free(struct lookups *lookups); /* NULL is allowed */

/* True where lookups_add takes this cache; else it has to be simulated on its own. */
bool lookups_apply(const struct cache_config *config);

/* Adds a cache in `units` copies. `options`: of enum cache_options. `flush`: emptied by
 * lookups_launch. *member identifies it for lookups_counts. */
enum status lookups_add(struct lookups *lookups, const struct cache_config *config, unsigned units,
                        unsigned options, bool flush, size_t *member);

void lookups_launch(struct lookups *lookups); /* a launch begins */
enum status lookups_run(struct lookups *lookups, const struct request *requests, size_t count);
void lookups_reset_counts(struct lookups *lookups);
/* Accesses, misses, reads, writes and misses of them; the other counts are 0. */
void lookups_counts(const struct lookups *lookups, size_t member, struct cache_counts *counts);

/* A TLB as a cache whose lines are pages: page number x PAGE_TOKEN is a page's address. */
enum { PAGE_TOKEN = 32 };
/* `pc` of a page's look-up is no program counter but the number of its warp instruction in the
 * order of issue, modulo 2^32. */
struct cache_config tlb_cache(const struct tlb_config *tlb);

/* Resets in `shared`, a copy of the machine, what may differ between machines whose L1Ds or TLBs
 * are simulated together. */
void lookups_shared(const struct machine *machine, struct machine *shared);
