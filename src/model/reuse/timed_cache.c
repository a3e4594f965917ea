#include "model/reuse/timed_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static enum status grow_lines(struct timed_cache *cache, uint32_t count)
{
    if (array_reserve(&cache->lines, &cache->line_capacity, count) ||
        array_reserve(&cache->present, &cache->present_capacity, count) ||
        array_reserve(&cache->sectors, &cache->sector_capacity,
                      (size_t)count * cache->config.sectors))
        return STATUS_MEMORY;
    return STATUS_OK;
}

enum status timed_cache_grow(struct timed_cache *cache, const struct key_table *table)
{
    enum status status = grow_lines(cache, table->count);
    for (; cache->line_count < table->count && !status; cache->line_count++) {
        uint32_t id = cache->line_count;
        cache->lines[id] = (struct recency_line){
            .newer = NO_LINE,
            .older = NO_LINE,
            .set = (uint32_t)set_index_map(&cache->index, cache->index.function, table->keys[id])};
        cache->present[id] = 0;
        memset(&cache->sectors[(size_t)id * cache->config.sectors], 0,
               cache->config.sectors * sizeof *cache->sectors);
    }
    return status;
}

void timed_cache_flush(struct timed_cache *cache)
{
    cache->flushes++;
    for (uint32_t i = 0; i < cache->line_count; i++) {
        cache->lines[i].newer = cache->lines[i].older = NO_LINE;
        cache->lines[i].recency = RECENCY_NEVER;
    }
    for (uint64_t i = 0; i < cache->config.sets; i++)
        recency_set_init(&cache->sets[i]);
    if (cache->distances)
        distances_flush(cache->distances);
}

enum status timed_cache_init(struct timed_cache *cache, const struct reuse_config *config,
                             struct latency_table *latencies)
{
    *cache = (struct timed_cache){
        .config = *config, .latencies = {.table = latencies}, .effect_unused = NO_EVENT};
    cache->sets = malloc(config->sets * sizeof *cache->sets);
    if (!cache->sets)
        return STATUS_MEMORY;
    timed_cache_flush(cache);
    enum status status = set_index_init(&cache->index, config->index, config->sets);
    uint64_t most = latency_table_most(latencies);
    return status ? status
                  : time_ring_init(&cache->effects,
                                   most > config->hit_latency ? most : config->hit_latency);
}

void timed_cache_free(struct timed_cache *cache)
{
    latency_cursor_free(&cache->latencies);
    time_ring_free(&cache->effects);
    free(cache->lines);
    free(cache->present);
    free(cache->sectors);
    free(cache->sets);
    free(cache->effect_links);
    free(cache->effects_of);
}

enum status timed_cache_put(struct timed_cache *cache, uint64_t time, struct effect effect)
{
    uint32_t event = cache->effect_unused;
    if (event != NO_EVENT) {
        cache->effect_unused = cache->effect_links[event];
    } else {
        event = cache->effect_count;
        if (array_reserve(&cache->effects_of, &cache->effect_capacity, (size_t)event + 1) ||
            array_reserve(&cache->effect_links, &cache->link_capacity, (size_t)event + 1))
            return STATUS_MEMORY;
        cache->effect_count++;
    }
    cache->effects_of[event] = effect;
    time_ring_put(&cache->effects, cache->effect_links, time, event);
    return STATUS_OK;
}

/* Effects of one time are in a first-in-first-out list, so they happen in order of issue. */
void timed_cache_apply(struct timed_cache *cache, uint64_t time)
{
    uint32_t event = time_ring_take(&cache->effects, time);
    cache->changes += event != NO_EVENT;
    while (event != NO_EVENT) {
        const uint32_t next = cache->effect_links[event];
        const struct effect effect = cache->effects_of[event];
        if (effect.fill) {
            cache->lines[effect.line].in_flight &= ~sector_bit(effect.sector);
            cache->in_flight--;
            cache->in_flight_of[effect.warp]--;
            timed_cache_fill(cache, effect.line, effect.sector);
        } else {
            timed_cache_touch(cache, effect.line);
        }
        cache->effect_links[event] = cache->effect_unused;
        cache->effect_unused = event;
        event = next;
    }
}

void timed_cache_advance(struct timed_cache *cache, uint64_t time)
{
    for (uint64_t due; (due = time_ring_next(&cache->effects, cache->now)) <= time;)
        timed_cache_apply(cache, cache->now = due);
    cache->now = time;
}
