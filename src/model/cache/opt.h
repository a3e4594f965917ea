/* Belady's optimum beside a cache: a bound on the misses that any replacement policy could have on
 * this very request stream, with the cache's own rules of allocation, stores, flushes and sizes. A
 * limit to hold real policies against, not a design.
 * (L. A. Belady, "A study of replacement algorithms for a virtual-storage computer", IBM Systems
 * Journal 5(2), 1966.)
 *
 * What is chosen is which line goes on to its next use. A use is worth choosing where some cache
 * hits it: the line was accessed since the last flush, and no store in between has dropped it,
 * passed it by or left it partly unwritten. A load, and a store that allocates, takes a way while
 * it is accessed; of the others as many are kept as fit, those with the nearest next use.
 *
 * No policy misses less. The bound is reached, by a policy that knows the future, where a line is
 * one sector and no store hits a line that it could not bring in (write-through or write-back
 * without allocation) or drops one that it would (write-evict with it). Sectors choose for
 * themselves: as many as there are ways of each place in the lines of a set. */
#pragma once

#include "model/cache/cache.h"

struct opt_cache;

/* `options` as for cache_create; CACHE_CLASSIFY does nothing. Keeps 9 bytes for each access and
 * about 40 for each distinct sector until opt_finish; past `memory_limit` bytes opt_run fails with
 * STATUS_MEMORY and a sentence (0 = 4 GiB). */
enum status opt_create(const struct cache_config *config, unsigned instances, unsigned options,
                       uint64_t memory_limit, struct opt_cache **opt);
enum status opt_run(struct opt_cache *opt, const struct request *requests, size_t count,
                    struct diagnostics *diagnostics);
void opt_flush(struct opt_cache *opt);                        /* as cache_flush */
enum status opt_resize(struct opt_cache *opt, uint64_t ways); /* as cache_resize */
/* Accesses, misses, reads, read_misses, writes, write_misses of the whole stream. */
enum status opt_finish(struct opt_cache *opt, struct cache_counts *counts);
void opt_free(struct opt_cache *opt);
