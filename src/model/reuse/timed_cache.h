/* The L1D of one SM in one run of the textbook model: LRU stacks of lines (recency.h), some sectors
 * of them in flight. What is issued now takes effect later; effects at the same time happen in
 * order of issue. A line that is not sectored is one sector. A touch or an effect takes constant
 * time. */
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
    uint32_t *present; /* [line]: set of its sectors that were filled since it was cached */
    struct timed_sector {
        uint64_t due;    /* time at which its fill takes effect */
        uint32_t merged; /* accesses that wait for that */
        uint32_t seen;   /* `flushes` at its last look-up, 0: never */
    } * sectors;         /* [line x config.sectors] */
    uint32_t flushes;    /* number of flushes, from 1 */
    uint32_t line_count;
    size_t line_capacity, present_capacity, sector_capacity;
    struct recency_set *sets;
    struct latency_cursor latencies;
    uint64_t in_flight;     /* fills in flight */
    uint32_t *in_flight_of; /* [warps]: those of a warp; owned by the user */
    uint64_t now;
    struct time_ring effects; /* fills and, if hits take time, touches */
    uint32_t *effect_links;
    struct effect {
        uint32_t line;
        uint32_t warp; /* fill: the warp whose MSHR it uses */
        uint8_t sector;
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

/* A sector of a line as a bit of the sets of sectors. */
static inline uint32_t sector_bit(uint8_t sector)
{
    return (uint32_t)1 << sector;
}

static inline bool timed_cache_hits(const struct timed_cache *cache, uint32_t line, uint8_t sector)
{
    return cache->lines[line].recency == RECENCY_NEAR && cache->present[line] & sector_bit(sector);
}

static inline struct timed_sector *timed_cache_sector(const struct timed_cache *cache,
                                                      uint32_t line, uint8_t sector)
{
    return &cache->sectors[(size_t)line * cache->config.sectors + sector];
}

static inline void timed_cache_touch(struct timed_cache *cache, uint32_t line)
{
    if (cache->distances && distances_touch(cache->distances, cache->lines[line].set, line))
        cache->failed = true;
    recency_touch(cache->sets, cache->lines, line, cache->config.ways);
}

/* Makes room for a line that is not cached, and makes it the newest of its set. */
static inline void timed_cache_reserve(struct timed_cache *cache, uint32_t line)
{
    if (cache->lines[line].recency != RECENCY_NEAR)
        cache->present[line] = 0;
    timed_cache_touch(cache, line);
}

/* Fills a sector of a line, which has its place already where misses allocate at once. */
static inline void timed_cache_fill(struct timed_cache *cache, uint32_t line, uint8_t sector)
{
    if (!cache->config.on_miss)
        timed_cache_reserve(cache, line);
    cache->present[line] |= sector_bit(sector);
}

/* Whether a line that is not cached would have to replace one in flight. */
static inline bool timed_cache_blocked(const struct timed_cache *cache, uint32_t line)
{
    const struct recency_set *set = &cache->sets[cache->lines[line].set];
    return cache->lines[line].recency != RECENCY_NEAR && set->near == cache->config.ways &&
           cache->lines[set->last].in_flight;
}

enum status timed_cache_put(struct timed_cache *cache, uint64_t time, struct effect effect);

/* Applies everything that takes effect at `time`. */
void timed_cache_apply(struct timed_cache *cache, uint64_t time);

/* Advances to `time` and applies everything on the way. */
void timed_cache_advance(struct timed_cache *cache, uint64_t time);
