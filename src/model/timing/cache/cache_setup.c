#include <math.h>
#include <string.h>

#include "model/cache/replacement.h"
#include "model/cache/shadow.h"
#include "model/timing/cache/cache_classes.h"
#include "model/timing/cache/cache_lookup.h"
#include "schema/parameters.h"

/* A cache unit's arrays: how they are made, emptied and freed. */

enum { NONE = UINT32_MAX, HEADS_MAX = 4096 };

static uint64_t set_count(const struct cache_unit *unit)
{
    return unit->geometry.sets;
}

static void policy_init(struct cache_unit *unit, const struct cache_config *config)
{
    const unsigned traits = replacement_facts[config->replacement].traits;
    unit->fifo = traits & REPLACEMENT_QUEUE;
    if (traits & (REPLACEMENT_RECENCY | REPLACEMENT_QUEUE))
        return;
    unit->policy = replacement_policies[config->replacement];
    unit->any_way = traits & REPLACEMENT_ANY_WAY;
}

static void write_init(struct cache_unit *unit, const struct cache_config *config)
{
    unit->through = config->write == WRITE_THROUGH;
    unit->evict = config->write == WRITE_EVICT;
    unit->local_back = config->write == WRITE_LOCAL_BACK;
    unit->clean_parts = unit->evict || unit->local_back ? UINT32_MAX : 0;
    unit->write_allocate = config->write_allocate;
}

static enum status policy_start(struct cache_unit *unit, const struct cache_config *config)
{
    const struct replacement_policy *policy = unit->policy;
    const uint64_t sets = set_count(unit);
    for (uint64_t set = 0; policy->reset && config->reset != RESET_PAPER && set < sets; set++)
        policy->reset(unit->states + set * unit->state_bytes, unit->ways_max, config->reset);
    if (!policy->shared_bytes)
        return STATUS_OK;
    arrays_add(&unit->arrays, &unit->shared, 1,
               policy->shared_bytes((uint32_t)sets, unit->ways_max));
    return unit->arrays.failed ? STATUS_MEMORY : STATUS_OK;
}

static enum status cache_unit_allocate(struct cache_unit *unit, const struct cache_config *config)
{
    const uint64_t sets = set_count(unit), lines = sets * unit->ways_max;
    struct arrays *arrays = &unit->arrays;
    arrays_add(arrays, &unit->lines, lines, sizeof *unit->lines);
    arrays_add(arrays, &unit->written, lines * unit->geometry.sectors, sizeof *unit->written);
    arrays_add(arrays, &unit->tags, lines, sizeof *unit->tags);
    arrays_add(arrays, &unit->used, lines, sizeof *unit->used);
    arrays_add(arrays, &unit->holds, lines, 1);
    arrays_add(arrays, &unit->marks, lines, 1);
    unit->empty = true;
    uint64_t heads = 16;
    const uint64_t most = config->mshr.tags ? lines * unit->geometry.sectors : config->mshr.entries;
    while (heads < most && heads < HEADS_MAX)
        heads *= 2;
    unit->head_mask = (uint32_t)heads - 1;
    arrays_add(arrays, &unit->heads, heads, sizeof *unit->heads);
    unit->free_mshr = NONE;
    if (arrays->failed)
        return STATUS_MEMORY;
    memset(unit->tags, 0xff, lines * sizeof *unit->tags); /* NO_TAG */
    memset(unit->heads, 0xff, heads * sizeof *unit->heads);
    if (unit->policy) {
        unit->state_bytes = (unit->policy->state_bytes(unit->ways_max) + 7) & ~(size_t)7;
        arrays_add(arrays, &unit->states, sets, unit->state_bytes ? unit->state_bytes : 8);
        return arrays->failed ? STATUS_MEMORY : policy_start(unit, config);
    }
    return STATUS_OK;
}

enum status cache_unit_init(struct cache_unit *unit, const struct cache_config *config,
                            uint64_t ways, uint64_t seed)
{
    *unit = (struct cache_unit){
        .access = unit_access,
        .on_fill = config->allocate != ALLOCATE_ON_MISS,
        .sectored = config->sector < config->line,
        .block_bytes = (uint32_t)config->sector,
        .part_bytes = (uint32_t)config->sector,
        .ways = (uint32_t)ways,
        .ways_max = (uint32_t)ways,
        .seed = seed,
        .blocking = config->blocking,
        .same_line = config->same_line,
        .last_line = NO_TAG,
        .entries = limit_of(config->mshr.tags ? LIMIT_NONE : config->mshr.entries),
        .merge = limit_of(config->mshr.tags ? LIMIT_NONE : config->mshr.merge),
        .places = limit_of(config->miss_queue),
        .ready_first = NONE,
        .ready_last = NONE,
        .free_target = NONE,
    };
    enum status status = geometry_init(&unit->geometry, config);
    if (cache_is_offline(config))
        return STATUS_UNSUPPORTED;
    policy_init(unit, config);
    write_init(unit, config);
    const double lines = (double)(set_count(unit) * ways);
    unit->dirty_limit = (uint64_t)ceil(config->dirty * lines);
    return status ? status : cache_unit_allocate(unit, config);
}

void cache_unit_free(struct cache_unit *unit)
{
    arrays_free(&unit->arrays);
    free(unit->mshrs);
    free(unit->targets);
    shadow_free(unit->shadow);
    packet_pool_free(&unit->packets);
    *unit = (struct cache_unit){0};
}

bool cache_unit_copy(struct cache_unit *unit)
{
    bool all = arrays_copy(&unit->arrays);
    all &= array_copy(&unit->mshrs, unit->mshrs_made * sizeof *unit->mshrs);
    all &= array_copy(&unit->targets, unit->target_count * sizeof *unit->targets);
    all &= packet_pool_copy(&unit->packets);
    if (!unit->shadow)
        return all;
    unit->shadow = shadow_copy(unit->shadow);
    return unit->shadow && all;
}

void cache_unit_flush(struct cache_unit *unit)
{
    const uint64_t lines = set_count(unit) * unit->ways_max;
    unit_class_flush(unit);
    if (unit->empty)
        return;
    for (uint64_t i = 0; i < lines && unit->policy && unit->policy->drop; i++)
        if (unit->tags[i] != NO_TAG)
            unit_drop(unit, (uint32_t)i);
    for (uint64_t i = 0; i < lines; i++)
        unit->lines[i].valid = unit->lines[i].reserved = unit->lines[i].dirty = 0;
    memset(unit->tags, 0xff, lines * sizeof *unit->tags);
    memset(unit->holds, 0, lines);
    unit->dirty_lines = 0;
    unit->empty = true;
    unit->changes++;
}

void cache_unit_set_ways(struct cache_unit *unit, uint64_t ways)
{
    if (unit->ways == ways)
        return;
    cache_unit_flush(unit);
    unit->dirty_limit = unit->dirty_limit * ways / unit->ways;
    unit->ways = (uint32_t)ways;
    unit->changes++;
    unit_class_flush(unit);
}
