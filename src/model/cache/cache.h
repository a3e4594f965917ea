/* A set-associative cache of the functional depth. It covers every geometry, sector size, index
 * function, replacement policy and write policy of the schema. One object simulates all instances
 * of a cache: one per SM for an L1D, one per slice for an L2.
 *
 * Invariant: the counts depend only on the requests and their order. Nothing is timed: a miss has
 * its data at once. Five ways of organizing a set (cache_state.h) trade memory for speed; tests
 * hold each of them equal to tests/support/slow_cache.c.
 *
 * Cost: 20 bytes per way for the tag and the sector masks, plus the replacement state. A look-up
 * takes constant time, except that policies other than LRU compare the tags one by one up to 32
 * ways (in vectors up to 16 where there is AVX2). The search for an invalid way or a victim is
 * linear for some policies. */
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
    uint64_t tag_misses;    /* CACHE_L1 only: sectors of stores whose line was absent when the first
                             * of their warp instruction's accesses to it came */
    /* Only counted with CACHE_CLASSIFY. These five add up to `misses`. */
    uint64_t compulsory, flush, store, capacity, conflict;
    uint64_t read_bytes, write_bytes; /* from and to the next level */
};

enum cache_options {
    CACHE_CLASSIFY = 1 << 0, /* classify misses, with a fully associative LRU shadow beside each */
    CACHE_L1 = 1 << 1, /* an L1D: atomics and REQUEST_BYPASS_L1 pass it unchanged and uncounted */
    CACHE_PORTABLE = 1 << 8 /* plain C only, so that a test can compare it with the vector code */
};

struct cache;

/* Creates `instances` copies of `config`. Each copy has size / slices bytes, so an L2 passes
 * instances = slices; the bits that choose a slice are left out of the set index. `seed` decides
 * the draws of REPLACEMENT_RANDOM. STATUS_INVALID: `config` breaks the machine rules
 * (machine_check). STATUS_UNSUPPORTED: REPLACEMENT_FUTURE, which needs opt.h. */
enum status cache_create(const struct cache_config *config, unsigned instances, uint64_t seed,
                         unsigned options, struct cache **cache);
/* Call before the first access of a cache with one instance. It makes that instance behave as
 * number `instance` of several: REPLACEMENT_RANDOM then draws what that one would draw. Requests
 * still name instance 0. */
void cache_set_instance(struct cache *cache, unsigned instance);
/* From now on the pc of a request is an index in `pcs`, where its policy finds the instruction.
 * What the cache sends on carries the index. */
void cache_set_pcs(struct cache *cache, const uint32_t *pcs);
void cache_free(struct cache *cache);

/* Looks up requests in order. A request that spans several lines (or sectors) is looked up once for
 * each of them. Requests for the next level are appended to `down`; with NULL they are counted and
 * dropped. They are fetches (OP_LOAD of the sector or line), stores that pass, and write-backs
 * (REQUEST_WRITEBACK). One access sends them in this order: the store, the fetch, the write-backs.
 * Each has the pc of the request that caused it; write-backs of a flush have pc 0. docs/MODELS.md
 * has the definitions. */
enum status cache_run(struct cache *cache, const struct request *requests, size_t count,
                      struct request_buffer *down);

/* True where a request passes a cache with this write policy (enum write_policy) and these options
 * without a look-up: it goes to the next level unchanged and enters no count. */
static inline bool cache_passes(int write, unsigned options, const struct request *request)
{
    if (write == WRITE_READ_ONLY && request_writes(request))
        return true;
    return options & CACHE_L1 && (request->op == OP_ATOMIC || request->flags & REQUEST_BYPASS_L1);
}

/* Writes back all dirty sectors and empties every instance, at the end of a launch or of the run.
 */
enum status cache_flush(struct cache *cache, struct request_buffer *down);

/* Sets the number of ways of every instance, as a shared-memory carve-out does. Does nothing if the
 * number is unchanged; otherwise flushes and resizes. On failure the cache keeps its old ways. */
enum status cache_resize(struct cache *cache, uint64_t ways, struct request_buffer *down);

/* Sum over all instances. */
void cache_read_counts(const struct cache *cache, struct cache_counts *counts);
void cache_add_counts(struct cache_counts *to, const struct cache_counts *from);
void cache_subtract_counts(struct cache_counts *from, const struct cache_counts *part);
/* Switches counting on or off for the accesses that follow; it starts on. */
void cache_count(struct cache *cache, bool counted);

/* Assumes the best about what the cache held before its first access: until the next flush, an
 * access that would take a way which has not been filled yet finds its line there, clean and whole.
 * With this call an LRU cache hits as often as after any history; without it, as rarely. (D. Wood,
 * M. Hill, R. Kessler, "A model for estimating trace-sample miss ratios", SIGMETRICS 1991, use the
 * same two bounds.) */
enum status cache_assume(struct cache *cache);
