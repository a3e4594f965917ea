/* Belady's optimum for the geometry of a cache: the least misses that any replacement policy could
 * have on this very request stream. A limit to hold real policies against, not a design.
 * (L. A. Belady, "A study of replacement algorithms for a virtual-storage computer", IBM Systems
 * Journal 5(2), 1966.)
 *
 * Every access, load or store, brings its line in, whatever the write policy, and a request that
 * spans several sectors accesses each. Exact for caches that are not sectored; with sectors the
 * placement is that of the fewest line misses (misses - sector_misses), and the sector misses are
 * those that it has, which is not proved to be the least sum. */
#pragma once

#include "model/cache/cache.h"

struct opt_cache;

/* `options` as for cache_create; CACHE_CLASSIFY does nothing. `bypass` also lets a miss leave the
 * set as it is where that is better: then the misses bound policies that do not allocate as well.
 * Keeps 9 bytes for each access and about 32 for each distinct line until opt_finish; past
 * `memory_limit` bytes opt_run fails with STATUS_MEMORY and a sentence (0 = 4 GiB). */
enum status opt_create(const struct cache_config *config, unsigned instances, bool bypass,
                       unsigned options, uint64_t memory_limit, struct opt_cache **opt);
enum status opt_run(struct opt_cache *opt, const struct request *requests, size_t count,
                    struct diagnostics *diagnostics);
/* Accesses, misses, reads, read_misses, writes, write_misses, sector_misses of the whole stream. */
enum status opt_finish(struct opt_cache *opt, struct cache_counts *counts);
void opt_free(struct opt_cache *opt);
