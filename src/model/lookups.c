#include "model/lookups.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/cache/grid.h"
#include "model/cache/stack.h"
#include "schema/parameters.h"

struct level { /* one stack pass, or one cache that has no other way */
    struct cache_config config;
    uint64_t ways; /* the most */
    struct stack_pass *pass;
    struct cache *cache;
};

/* Caches that one grid could hold: of the same requests, emptied at the same times. */
struct pool {
    struct cache_config config; /* of the first; what is compared is in same_pool */
    unsigned units, options;
    struct cache_config *grid_configs;
    size_t grid_count, grid_capacity;
    struct grid *grid; /* or NULL */
    struct level *levels;
    size_t level_count, level_capacity;
};

struct member {
    struct cache_config config; /* as lookups_plain leaves it */
    size_t pool;
    bool in_grid;
    size_t place; /* in the grid, or the number of the level */
};

struct lookups {
    bool grids, ready;
    struct pool *pools;
    struct member *members;
    size_t pool_count, member_count, pool_capacity, member_capacity;
};

enum status lookups_create(bool grids, struct lookups **lookups)
{
    *lookups = calloc(1, sizeof **lookups);
    if (!*lookups)
        return STATUS_MEMORY;
    (*lookups)->grids = grids;
    return STATUS_OK;
}

void lookups_free(struct lookups *lookups)
{
    if (!lookups)
        return;
    for (size_t i = 0; i < lookups->pool_count; i++) {
        struct pool *pool = &lookups->pools[i];
        for (size_t k = 0; k < pool->level_count; k++) {
            stack_free(pool->levels[k].pass);
            cache_free(pool->levels[k].cache);
        }
        grid_free(pool->grid);
        free(pool->grid_configs);
        free(pool->levels);
    }
    free(lookups->pools);
    free(lookups->members);
    free(lookups);
}

/* The same look-ups said in one way. A set of one way has nothing to choose, tree PLRU of two is
 * LRU, and round robin is FIFO as long as nothing empties the cache: its counter would go on. */
static struct cache_config plain_config(const struct cache_config *config)
{
    struct cache_config plain = *config;
    bool choice = config->replacement != REPLACEMENT_OPT && config->ways > 1;
    if (config->replacement == REPLACEMENT_RR && !config->flush)
        plain.replacement = REPLACEMENT_FIFO;
    if ((config->replacement != REPLACEMENT_OPT && !choice) ||
        (config->replacement == REPLACEMENT_PLRU && config->ways == 2))
        plain.replacement = REPLACEMENT_LRU;
    if (!stack_applies(&plain) && !grid_applies(&plain))
        return plain;
    if (stack_evicts(&plain))
        return plain;
    if (plain.write != WRITE_READ_ONLY)
        plain.write = WRITE_BACK;
    plain.write_allocate = WRITE_ALLOCATE_FETCH;
    return plain;
}

static bool plain_applies(const struct cache_config *plain)
{
    if (!plain->enabled || plain->unified)
        return false;
    return grid_applies(plain) || (stack_applies(plain) && plain->ways <= STACK_WAYS_MAX);
}

bool lookups_apply(const struct cache_config *config)
{
    struct cache_config plain = plain_config(config);
    return plain_applies(&plain);
}

static bool same_pool(const struct pool *pool, const struct cache_config *config, unsigned units,
                      unsigned options)
{
    return pool->units == units && pool->options == options &&
           pool->config.flush == config->flush && pool->config.write == config->write;
}

/* Without grids nothing may go wrong on the way: no stack that some stores break. */
static bool is_alone(const struct lookups *lookups, const struct cache_config *config)
{
    return config->replacement != REPLACEMENT_LRU || (!lookups->grids && stack_evicts(config));
}

static bool same_level(const struct lookups *lookups, const struct cache_config *a,
                       const struct cache_config *b)
{
    return a->line == b->line && cache_sets(a) == cache_sets(b) && a->index == b->index &&
           a->slices == b->slices && a->interleave == b->interleave &&
           a->replacement == b->replacement && (!is_alone(lookups, a) || a->ways == b->ways);
}

enum status lookups_add(struct lookups *lookups, const struct cache_config *config, unsigned units,
                        unsigned options, size_t *number)
{
    if (array_reserve(&lookups->members, &lookups->member_capacity, lookups->member_count + 1) ||
        array_reserve(&lookups->pools, &lookups->pool_capacity, lookups->pool_count + 1))
        return STATUS_MEMORY;
    struct member member = {.config = plain_config(config)};
    while (member.pool < lookups->pool_count &&
           !same_pool(&lookups->pools[member.pool], &member.config, units, options))
        member.pool++;
    if (member.pool == lookups->pool_count)
        lookups->pools[lookups->pool_count++] =
            (struct pool){.config = member.config, .units = units, .options = options};
    *number = lookups->member_count;
    lookups->members[lookups->member_count++] = member;
    return STATUS_OK;
}

static struct level *find_level(const struct lookups *lookups, const struct pool *pool,
                                const struct cache_config *config)
{
    for (size_t i = 0; i < pool->level_count; i++)
        if (same_level(lookups, &pool->levels[i].config, config))
            return &pool->levels[i];
    return NULL;
}

/* Levels for what the grid does not take. */
static enum status add_levels(struct lookups *lookups)
{
    for (size_t i = 0; i < lookups->member_count; i++) {
        const struct cache_config *config = &lookups->members[i].config;
        struct pool *pool = &lookups->pools[lookups->members[i].pool];
        struct level *level = find_level(lookups, pool, config);
        if ((lookups->grids && grid_applies(config)) || level) {
            if (level && level->ways < config->ways)
                level->ways = config->ways;
            continue;
        }
        if (array_reserve(&pool->levels, &pool->level_capacity, pool->level_count + 1))
            return STATUS_MEMORY;
        pool->levels[pool->level_count++] = (struct level){.config = *config, .ways = config->ways};
    }
    return STATUS_OK;
}

/* A cache of few ways goes where one of more ways with its sets has to be anyway. */
static enum status place_members(struct lookups *lookups)
{
    for (size_t i = 0; i < lookups->member_count; i++) {
        struct member *member = &lookups->members[i];
        struct pool *pool = &lookups->pools[member->pool];
        const struct level *level = find_level(lookups, pool, &member->config);
        member->in_grid = !level;
        if (level) {
            member->place = (size_t)(level - pool->levels);
            continue;
        }
        if (array_reserve(&pool->grid_configs, &pool->grid_capacity, pool->grid_count + 1))
            return STATUS_MEMORY;
        member->place = pool->grid_count;
        pool->grid_configs[pool->grid_count++] = member->config;
    }
    return STATUS_OK;
}

static enum status open_pool(const struct lookups *lookups, struct pool *pool)
{
    /* Loads alone need no telling apart. */
    const struct grid_options options = {.units = pool->units,
                                         .cache = pool->options,
                                         .split_writes = pool->config.write != WRITE_READ_ONLY};
    enum status status = STATUS_OK;
    if (pool->grid_count)
        status = grid_create(pool->grid_configs, pool->grid_count, &options, &pool->grid);
    for (size_t i = 0; i < pool->level_count && !status; i++) {
        struct level *level = &pool->levels[i];
        if (!is_alone(lookups, &level->config))
            status =
                stack_create(&level->config, level->ways, pool->units, pool->options, &level->pass);
        else
            status = cache_create(&level->config, pool->units, 0, pool->options, &level->cache);
    }
    return status;
}

/* Which caches there are is known when the first launch or request comes. */
static enum status make_ready(struct lookups *lookups)
{
    if (lookups->ready)
        return STATUS_OK;
    enum status status = add_levels(lookups);
    if (!status)
        status = place_members(lookups);
    for (size_t i = 0; i < lookups->pool_count && !status; i++)
        status = open_pool(lookups, &lookups->pools[i]);
    lookups->ready = !status;
    return status;
}

enum status lookups_launch(struct lookups *lookups)
{
    enum status status = make_ready(lookups);
    for (size_t i = 0; i < lookups->pool_count && !status; i++) {
        struct pool *pool = &lookups->pools[i];
        if (!pool->config.flush)
            continue;
        if (pool->grid)
            status = grid_flush(pool->grid);
        for (size_t k = 0; k < pool->level_count && !status; k++) {
            if (pool->levels[k].pass)
                stack_flush(pool->levels[k].pass);
            else
                status = cache_flush(pool->levels[k].cache, NULL);
        }
    }
    return status;
}

enum status lookups_run(struct lookups *lookups, const struct request *requests, size_t count)
{
    enum status status = make_ready(lookups);
    for (size_t i = 0; i < lookups->pool_count && !status; i++) {
        struct pool *pool = &lookups->pools[i];
        if (pool->grid)
            status = grid_run(pool->grid, requests, count);
        for (size_t k = 0; k < pool->level_count && !status; k++)
            status = pool->levels[k].pass ? stack_run(pool->levels[k].pass, requests, count)
                                          : cache_run(pool->levels[k].cache, requests, count, NULL);
    }
    return status;
}

enum status lookups_reset_counts(struct lookups *lookups)
{
    enum status status = make_ready(lookups);
    for (size_t i = 0; i < lookups->pool_count && !status; i++) {
        struct pool *pool = &lookups->pools[i];
        if (pool->grid)
            status = grid_reset_counts(pool->grid);
        for (size_t k = 0; k < pool->level_count; k++) {
            if (pool->levels[k].pass)
                stack_reset_counts(pool->levels[k].pass);
            else
                cache_reset_counts(pool->levels[k].cache);
        }
    }
    return status;
}

enum status lookups_finish(struct lookups *lookups)
{
    enum status status = make_ready(lookups);
    for (size_t i = 0; i < lookups->pool_count && !status; i++)
        if (lookups->pools[i].grid)
            status = grid_drain(lookups->pools[i].grid);
    return status;
}

void lookups_counts(const struct lookups *lookups, size_t number, struct cache_counts *counts)
{
    const struct member *member = &lookups->members[number];
    const struct pool *pool = &lookups->pools[member->pool];
    if (member->in_grid) {
        grid_read_counts(pool->grid, member->place, counts);
        return;
    }
    const struct level *level = &pool->levels[member->place];
    if (level->pass)
        stack_read_counts(level->pass, member->config.ways, counts);
    else
        cache_read_counts(level->cache, counts);
}

struct cache_config tlb_cache(const struct tlb_config *tlb)
{
    return (struct cache_config){
        .enabled = 1,
        .size = tlb->entries * PAGE_TOKEN,
        .ways = tlb_ways(tlb),
        .line = PAGE_TOKEN,
        .sector = PAGE_TOKEN,
        .index = INDEX_LINEAR,
        .replacement = tlb->replacement,
        .write = WRITE_READ_ONLY,
        .slices = 1,
    };
}

bool lookups_level(struct machine *machine)
{
    struct cache_config tlb = tlb_cache(&machine->tlb);
    bool l1d = machine->l1d.enabled, has_tlb = machine->tlb.enabled;
    if ((!l1d && !has_tlb) || (l1d && (machine->l2.enabled || !lookups_apply(&machine->l1d))) ||
        (has_tlb && (machine->pwc.organization != PWC_NONE || !lookups_apply(&tlb))))
        return false;
    if (l1d) {
        machine->l1d = plain_config(&machine->l1d);
        machine->l1d.size /= machine->l1d.ways;
        machine->l1d.ways = 1;
    }
    if (has_tlb) {
        machine->tlb.replacement = plain_config(&tlb).replacement;
        machine->tlb.entries /= tlb_ways(&machine->tlb);
        machine->tlb.ways = 1;
    }
    machine->seed = 0; /* nothing is left to chance */
    return true;
}

void lookups_family(struct machine *machine)
{
    machine->l1d.size = machine->l1d.line;
    machine->l1d.index = INDEX_LINEAR;
    machine->l1d.replacement = REPLACEMENT_LRU;
    machine->tlb.entries = 1;
    machine->tlb.replacement = REPLACEMENT_LRU;
}
