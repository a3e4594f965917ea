/* Results of stages, remembered: in a file that all studies of a user share, or in memory
 * (docs/FORMATS.md, "The stage cache"). Bounded: the least recently used results go first. Several
 * threads may use one cache, several processes one file. Losing it costs time, never results:
 * whatever goes wrong makes it forget, and is kept for a warning. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "explore/plan/stage_key.h"

/* What of a stage's metrics a result holds. */
enum stage_detail {
    DETAIL_LOOKUPS = 1 << 0, /* accesses and misses, of loads and stores */
    DETAIL_TRAFFIC = 1 << 1, /* the other counts of a cache */
    DETAIL_CLASSES = 1 << 2, /* of misses */
    DETAIL_OPT = 1 << 3,     /* the optimum's misses */
    DETAIL_WALKERS = 1 << 4  /* times of page walks */
};

enum { STAGE_VALUES = 24 }; /* most metrics of one stage */

struct stage_result {
    struct stage_key key;
    unsigned detail; /* of enum stage_detail: what `values` hold; others may be NaN */
    double values[STAGE_VALUES];
    size_t count;
};

struct stage_cache;

/* What a cache file may take by default. */
#define STAGE_CACHE_BYTES ((uint64_t)256 << 20)

/* Opens or makes the file, and its folder; with `path` NULL a cache in memory. `limit`: bytes that
 * it may take. A file that cannot be used is a warning in `diagnostics` and *cache NULL, which all
 * calls below take for a cache that is always empty. */
enum status stage_cache_open(const char *path, uint64_t limit, struct stage_cache **cache,
                             struct diagnostics *diagnostics);
/* Says in `diagnostics` what went wrong in between, if anything did; it may be NULL. */
void stage_cache_close(struct stage_cache *cache, struct diagnostics *diagnostics);

/* $XDG_CACHE_HOME/warpscape/stages.db, below ~/.cache where that is not set; malloc'ed, NULL where
 * there is no place for it. */
char *stage_cache_path(void);

/* Looks for a result with result->key that holds at least result->detail and result->count values;
 * fills in the values. */
bool stage_cache_get(struct stage_cache *cache, struct stage_result *result);
/* Keeps results, all or none. */
void stage_cache_put(struct stage_cache *cache, const struct stage_result *results, size_t count);
