/* Remembers results of stages, in a file that all studies of a user share, or in memory
 * (docs/FORMATS.md, "The stage cache").
 *
 * Invariants: a failing cache costs time, never correctness. A row is used only if its hash
 * matches; after an error the cache finds nothing and close reports it as a warning. The size is
 * bounded: when the file is full, the least recently used quarter of the results goes. Several
 * threads may use one cache, and several processes one file. A lookup is one SQLite query under a
 * mutex. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "explore/plan/stage_key.h"

/* Which groups of a stage's metrics a result holds. */
enum stage_detail {
    DETAIL_LOOKUPS = 1 << 0, /* accesses and misses of loads and stores */
    DETAIL_TRAFFIC = 1 << 1, /* a cache's other counts */
    DETAIL_CLASSES = 1 << 2, /* misses by class */
    DETAIL_OPT = 1 << 3,     /* misses of Belady's optimum */
    DETAIL_WALKERS = 1 << 4  /* page-walk times */
};

struct stage_result {
    struct stage_key key;
    unsigned detail; /* enum stage_detail flags that `values` holds; other values may be NaN */
    double *values;  /* owned by the caller */
    size_t count;
};

struct stage_cache;

/* Default size limit of a cache file. */
#define STAGE_CACHE_BYTES ((uint64_t)256 << 20)

/* Opens the file, or creates it and its folders; a NULL `path` makes a cache in memory. `limit` is
 * the size limit in bytes. An unusable file is not an error: it adds a warning to `diagnostics` and
 * sets *cache to NULL, which the functions below treat as an empty cache. */
enum status stage_cache_open(const char *path, uint64_t limit, struct stage_cache **cache,
                             struct diagnostics *diagnostics);
/* Reports in `diagnostics` (may be NULL) if the cache failed while it was open. NULL is allowed. */
void stage_cache_close(struct stage_cache *cache, struct diagnostics *diagnostics);

/* $XDG_CACHE_HOME/warpscape/stages.db, or under ~/.cache if that variable is not set. The caller
 * frees it. NULL if neither is set. */
char *stage_cache_path(void);

/* Looks up a result with result->key, exactly result->count values and at least the groups of
 * result->detail. Fills in result->values and returns true if it finds one. */
bool stage_cache_get(struct stage_cache *cache, struct stage_result *result);
/* Stores all of these results or none. Failures are kept for stage_cache_close. */
void stage_cache_put(struct stage_cache *cache, const struct stage_result *results, size_t count);

/* What a run proves of other machines of its family (stage_key_family). */
struct stage_proof {
    struct stage_key family, run; /* run: the key of its result */
    const void *bytes;
    size_t size;
};
void stage_cache_put_proof(struct stage_cache *cache, const struct stage_proof *proof);
/* Calls `take` with the proofs of a family that have this size, in no order, until it returns true.
 * It must not use the cache. */
void stage_cache_proofs(struct stage_cache *cache, const struct stage_key *family, size_t size,
                        bool (*take)(void *argument, const struct stage_proof *proof),
                        void *argument);
/* For a thread that is about to make the first proof of a family: true if no other thread of this
 * process is, which from now on waits here until stage_cache_yield. False: one was, and has ended,
 * or *cancel was set: what it proved may be enough. */
bool stage_cache_claim(struct stage_cache *cache, const struct stage_key *family,
                       const atomic_bool *cancel);
void stage_cache_yield(struct stage_cache *cache, const struct stage_key *family);
