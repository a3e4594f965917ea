/* The L1D of one SM in one run of the textbook model: LRU stacks of lines (recency.h), some of them
 * in flight. What is issued now takes effect later; effects at the same time happen in order of
 * issue. A touch or an effect takes constant time. */
#pragma once

#include "base/key_table.h"
#include "model/cache/set_index.h"
#include "model/reuse/distances.h"
#include "model/reuse/half_normal.h"
#include "model/reuse/reuse.h"
#include "model/reuse/time_ring.h"

struct timed_cache {
    struct reuse_config config;
    struct set_index index;
    struct recency_line *lines;
    uint64_t *due;    /* [line]: time at which its fill takes effect */
    uint32_t flushes; /* number of flushes, from 1 */
    uint32_t *seen;   /* [line]: `flushes` at its last look-up, 0: never */
    uint32_t line_count;
    size_t line_capacity, due_capacity, seen_capacity;
    struct recency_set *sets;
    struct latency_cursor latencies;
    uint64_t in_flight;     /* lines in flight */
    uint32_t *in_flight_of; /* [warps]: lines in flight by warp; owned by the user */
    uint64_t now;
    struct time_ring effects; /* fills and, if hits take time, touches */
    uint32_t *effect_links;
    struct effect {
        uint32_t line;
        uint32_t warp; /* fill: the warp whose MSHR it uses */
        bool fill;
    } * effects_of;
    size_t link_capacity, effect_capacity;
    uint32_t effect_count, effect_unused;
    uint64_t changes;            /* number of times at which something took effect */
    struct distances *distances; /* for histograms; or NULL */
    bool failed;                 /* no memory for distances */
};

enum status timed_cache_init(struct timed_cache *cache, const struct reuse_config *config,
                             struct latency_table *latencies);
void timed_cache_free(struct timed_cache *cache);

enum status timed_cache_grow(struct timed_cache *cache, const struct key_table *table);

/* Adds the lines that the table has numbered since the last call. */
static inline enum status timed_cache_follow(struct timed_cache *cache,
                                             const struct key_table *table)
{
    return cache->line_count == table->count ? STATUS_OK : timed_cache_grow(cache, table);
}

void timed_cache_flush(struct timed_cache *cache); /* nothing may be in flight */

static inline void timed_cache_touch(struct timed_cache *cache, uint32_t line)
{
    if (cache->distances && distances_touch(cache->distances, cache->lines[line].set, line))
        cache->failed = true;
    recency_touch(cache->sets, cache->lines, line, cache->config.ways);
}

enum status timed_cache_put(struct timed_cache *cache, uint64_t time, struct effect effect);

/* Applies everything that takes effect at `time`. */
void timed_cache_apply(struct timed_cache *cache, uint64_t time);

/* Advances to `time` and applies everything on the way. */
void timed_cache_advance(struct timed_cache *cache, uint64_t time);
