/* Belady's optimum: a lower bound on the misses of any replacement policy on the same request
 * stream, under the cache's own rules for allocation, stores, flushes and sizes. It is a limit to
 * compare real policies with, not a design (L. A. Belady, "A study of replacement algorithms for a
 * virtual-storage computer", IBM Systems Journal 5(2), 1966).
 *
 * The algorithm decides which sectors to keep until their next use. A next use is worth keeping for
 * only if some cache could hit it: the line was accessed since the last flush, and no store in
 * between dropped it, bypassed it or left it partly unwritten. A load, and a store that allocates,
 * needs a way during its access; the other ways hold the sectors with the nearest next uses.
 *
 * Where loads may bypass the cache, they need no way: that is the optimum of replacement and bypass
 * together, never above the first.
 *
 * No policy misses less. A policy that knows the future reaches the bound if lines have one sector
 * and stores neither hit a line that they could not allocate (write-through or write-back without
 * allocation) nor drop one that they would allocate (write-evict with allocation). With sectors the
 * bound may be too low, because each sector position of a set chooses its lines independently. */
#pragma once

#include "model/cache/cache.h"

struct opt_cache;

/* `options` as for cache_create; CACHE_CLASSIFY has no effect. Keeps 9 bytes per access (4 of them
 * only in opt_finish) and about 40 per distinct sector. When that reaches `memory_limit` bytes (0:
 * 4 GiB), opt_run fails with STATUS_MEMORY and a message. */
enum status opt_create(const struct cache_config *config, unsigned instances, unsigned options,
                       uint64_t memory_limit, struct opt_cache **opt);
enum status opt_run(struct opt_cache *opt, const struct request *requests, size_t count,
                    struct diagnostics *diagnostics);
void opt_flush(struct opt_cache *opt);                        /* as cache_flush */
enum status opt_resize(struct opt_cache *opt, uint64_t ways); /* as cache_resize */
/* Call at the end; no request may follow. Fills accesses, misses, reads, read_misses, writes and
 * write_misses, with or without bypassed loads; takes O(n log ways) for n accesses. */
enum status opt_finish(struct opt_cache *opt, bool bypassing, struct cache_counts *counts);
void opt_free(struct opt_cache *opt);
