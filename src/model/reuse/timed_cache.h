/* Stacks of lines of which some are on their way: the L1D of one SM in one run of the textbook
 * model. What is issued now takes effect later, at one time in order of issue. */
#pragma once

#include "model/cache/line_table.h"
#include "model/cache/set_index.h"
#include "model/reuse/distances.h"
#include "model/reuse/half_normal.h"
#include "model/reuse/reuse.h"
#include "model/reuse/time_ring.h"

struct timed_cache {
    struct reuse_config config;
    struct set_index index;
    struct recency_line *lines;
    uint64_t *due; /* of each line: when its fill takes effect */
    bool *seen;    /* of each line: looked up before */
    uint32_t line_count;
    size_t line_capacity, due_capacity, seen_capacity;
    struct recency_set *sets;
    struct latency_cursor latencies;
    uint64_t in_flight;     /* lines */
    uint32_t *in_flight_of; /* [warps] of these; the user's */
    uint64_t now;
    struct time_ring effects; /* fills and, where hits take time, touches */
    uint32_t *effect_links;
    struct effect {
        uint32_t line;
        uint32_t warp; /* of a fill: whose MSHR it is */
        bool fill;
    } * effects_of;
    size_t link_capacity, effect_capacity;
    uint32_t effect_count, effect_unused;
    uint64_t changes;            /* times at which something took effect */
    struct distances *distances; /* for histograms, or NULL */
    bool failed;                 /* no memory for these */
};

enum status timed_cache_init(struct timed_cache *cache, const struct reuse_config *config,
                             struct latency_table *latencies);
void timed_cache_free(struct timed_cache *cache);

enum status timed_cache_grow(struct timed_cache *cache, const struct line_table *table);

/* Gives lines that the table has numbered since the last call their places. */
static inline enum status timed_cache_follow(struct timed_cache *cache,
                                             const struct line_table *table)
{
    return cache->line_count == table->count ? STATUS_OK : timed_cache_grow(cache, table);
}

void timed_cache_flush(struct timed_cache *cache); /* nothing may be on its way */

static inline void timed_cache_touch(struct timed_cache *cache, uint32_t line)
{
    if (cache->distances && distances_touch(cache->distances, cache->lines[line].set, line))
        cache->failed = true;
    recency_touch(cache->sets, cache->lines, line, cache->config.ways);
}

enum status timed_cache_put(struct timed_cache *cache, uint64_t time, struct effect effect);

/* Lets happen what takes effect at `time`. */
void timed_cache_apply(struct timed_cache *cache, uint64_t time);

/* Everything up to `time`; then it is `time`. */
void timed_cache_advance(struct timed_cache *cache, uint64_t time);
