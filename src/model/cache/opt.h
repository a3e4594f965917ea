/* Belady's optimum for the geometry of a cache: the least misses that any replacement policy could
 * have on this very request stream. A limit to hold real policies against, not a design. */
#pragma once

#include "model/cache/cache.h"

struct opt_cache;

/* `bypass` also lets a miss leave the set as it is where that is better. Keeps 12 bytes for each
 * request until opt_finish; past `memory_limit` bytes opt_run fails with STATUS_MEMORY and a
 * sentence (0 = 4 GiB). */
enum status opt_create(const struct cache_config *config, unsigned units, bool bypass,
                       uint64_t memory_limit, struct opt_cache **opt);
enum status opt_run(struct opt_cache *opt, const struct request *requests, size_t count,
                    struct diagnostics *diagnostics);
/* Accesses, misses, reads, read_misses, writes, write_misses of the whole stream. */
enum status opt_finish(struct opt_cache *opt, struct cache_counts *counts);
void opt_free(struct opt_cache *opt);
