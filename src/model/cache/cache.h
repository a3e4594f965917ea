/* A set-associative cache at the functional depth: any geometry, sectors, index function,
 * replacement and write policy; one object holds the same cache for every instance (SM or slice).
 *
 * Exact: the counts are those of the access order given. Nothing is timed: a miss has its data at
 * once. Fast paths inside must equal the slow twin in tests/model (property test). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "model/gpu/request.h"
#include "schema/machine.h"

struct cache_counts {
    uint64_t accesses, misses;
    uint64_t reads, read_misses, writes, write_misses;
    uint64_t sector_misses; /* part of misses */
    uint64_t writebacks;    /* lines evicted or flushed dirty */
    /* Only with CACHE_CLASSIFY; they add up to misses. */
    uint64_t compulsory, flush, store, capacity, conflict;
    uint64_t read_bytes, write_bytes; /* from and to the next level */
};

enum cache_options {
    CACHE_CLASSIFY = 1 << 0, /* keep a fully associative LRU cache of equal size beside each */
    CACHE_L1 = 1 << 1, /* an L1D: atomics and REQUEST_BYPASS_L1 go down unchanged and uncounted */
    CACHE_PORTABLE = 1 << 8 /* no vectors: for the test that holds them equal */
};

struct cache;

/* `instances` copies of `config` (size / slices each, so an L2 passes instances = slices, and the
 * bits that choose a slice are left out of the set index). STATUS_INVALID where `config` breaks the
 * machine rules (machine_check), STATUS_UNSUPPORTED for REPLACEMENT_FUTURE: it needs opt.h. `seed`
 * decides REPLACEMENT_RANDOM. */
enum status cache_create(const struct cache_config *config, unsigned instances, uint64_t seed,
                         unsigned options, struct cache **cache);
/* Makes a cache of one instance, before its first access, the one that is number `instance` among
 * several: REPLACEMENT_RANDOM then draws what that one draws. Its requests name instance 0 all the
 * same. */
void cache_set_instance(struct cache *cache, unsigned instance);
void cache_free(struct cache *cache);

/* Looks up requests in order. A request that spans several lines (or sectors) is looked up once for
 * each. What goes to the next level is appended to `down` (NULL: dropped but counted): fetches as
 * OP_LOAD of the sector or line, stores that pass, write-backs with REQUEST_WRITEBACK; for one
 * access in this order: the store, the fetch, the write-backs. All have the pc of the request that
 * made them; what a flush writes back has pc 0. docs/MODELS.md has the definitions. */
enum status cache_run(struct cache *cache, const struct request *requests, size_t count,
                      struct request_buffer *down);

/* True where a cache with this write policy (enum write_policy) and these options lets a request by
 * without a look-up: it goes to the next level as it is, changes nothing and is in no count. */
static inline bool cache_passes(int write, unsigned options, const struct request *request)
{
    if (write == WRITE_READ_ONLY && request_writes(request))
        return true;
    return options & CACHE_L1 && (request->op == OP_ATOMIC || request->flags & REQUEST_BYPASS_L1);
}

/* Writes back what is dirty and empties every instance (end of a launch, end of the run). */
enum status cache_flush(struct cache *cache, struct request_buffer *down);

/* Gives every instance so many ways (a shared-memory carve-out): where these are others than
 * before, flushes and resizes. */
enum status cache_resize(struct cache *cache, uint64_t ways, struct request_buffer *down);

/* Sum over all instances. */
void cache_read_counts(const struct cache *cache, struct cache_counts *counts);
void cache_add_counts(struct cache_counts *to, const struct cache_counts *from);
/* Whether what is accessed from now on is counted; at first it is. */
void cache_count(struct cache *cache, bool counted);

/* What the cache held before its first access is unknown: until it is flushed, an access that would
 * take one of the ways that nothing was brought into yet finds its line there, clean and whole. No
 * history makes an LRU cache hit more; without this call, none makes it hit less.
 * (D. Wood, M. Hill, R. Kessler, "A model for estimating trace-sample miss ratios", SIGMETRICS
 * 1991, have the same two bounds.) */
enum status cache_assume(struct cache *cache);
