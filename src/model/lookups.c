#include "model/lookups.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/cache/grid.h"
#include "model/cache/sector_stack.h"
#include "model/cache/stack.h"
#include "schema/parameters.h"

struct level { /* one stack pass, or one cache that has no other way */
    struct cache_config config;
    uint64_t ways; /* the most */
    struct stack_pass *pass;
    struct cache *cache;
};

struct sectors { /* caches that join in one pass */
    struct cache_config *configs;
    size_t count, capacity;
    struct sector_stack *pass;
};

/* Caches of the same requests, emptied at the same times. */
struct pool {
    struct cache_config config; /* of the first; what is compared is in same_pool */
    unsigned units, options;
    struct cache_config *grid_configs; /* those that one grid holds */
    size_t grid_count, grid_capacity;
    struct grid *grid; /* or NULL */
    struct level *levels;
    size_t level_count, level_capacity;
    struct sectors *sectors;
    size_t sectors_count, sectors_capacity;
};

enum where { IN_GRID, IN_SECTORS, IN_LEVEL };

struct member {
    struct cache_config config; /* as plain_config leaves it */
    size_t pool;
    enum where where;
    size_t group;               /* the number of the sectors or of the level */
    size_t place;               /* in the grid or the sectors */
    uint64_t ways, next_ways;   /* unified: of this launch, of the next */
    struct cache_counts before; /* unified: what launches of other ways counted */
};

struct lookups {
    enum pass_share share;
    bool grids, ready;
    struct pool *pools;
    struct member *members;
    size_t pool_count, member_count, pool_capacity, member_capacity;
};

enum status lookups_create(enum pass_share share, bool grids, struct lookups **lookups)
{
    *lookups = calloc(1, sizeof **lookups);
    if (!*lookups)
        return STATUS_MEMORY;
    (*lookups)->share = share;
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
        for (size_t k = 0; k < pool->sectors_count; k++) {
            sector_stack_free(pool->sectors[k].pass);
            free(pool->sectors[k].configs);
        }
        free(pool->sectors);
        grid_free(pool->grid);
        free(pool->grid_configs);
        free(pool->levels);
    }
    free(lookups->pools);
    free(lookups->members);
    free(lookups);
}

/* The same counts, or the same look-ups, said in one way. Few ways leave most policies no choice
 * but that of LRU, and some rotate like FIFO as long as nothing empties the cache. A unified cache
 * has the most ways that its launches can leave it. */
static struct cache_config plain_config(const struct cache_config *config, enum pass_share share)
{
    const struct replacement_facts *policy = &replacement_facts[config->replacement];
    struct cache_config plain = *config;
    if (policy->traits & REPLACEMENT_ROTATION && !config->flush && !config->unified)
        plain.replacement = REPLACEMENT_FIFO;
    if (!config->unified && config->ways <= policy->lru_ways)
        plain.replacement = REPLACEMENT_LRU;
    if (config->unified) {
        plain.ways = config->unified / (cache_sets(config) * config->line);
        plain.size = config->unified;
    }
    if (share != SHARE_LOOKUPS || stack_evicts(&plain) ||
        (!sector_stack_applies(&plain) && !grid_applies(&plain)))
        return plain;
    bool stores = write_traits[plain.write] & WRITE_TAKES;
    if (stores)
        plain.write = WRITE_THROUGH; /* so nothing has to be known of dirty lines */
    if (!stores || !(write_allocate_traits[plain.write_allocate] & WRITE_ALLOCATE_PARTIAL))
        plain.write_allocate = WRITE_ALLOCATE_FETCH;
    return plain;
}

/* Whether a plain cache goes into a pass with levels of sectors: because it needs them, or because
 * a grid could not hold it and this is faster than single stack passes. */
static bool in_sectors(const struct cache_config *plain, enum pass_share share)
{
    if (plain->unified && stack_evicts(plain)) /* a pass that goes wrong is repeated without */
        return false;
    return sector_stack_applies(plain) &&
           (plain->unified || share == SHARE_TRAFFIC || !stack_applies(plain) ||
            stack_evicts(plain) || plain->slices > 1);
}

static bool plain_applies(const struct cache_config *plain, enum pass_share share)
{
    if (!plain->enabled || share == SHARE_NOTHING)
        return false;
    if (in_sectors(plain, share))
        return true;
    if (share == SHARE_TRAFFIC || plain->unified)
        return false;
    return grid_applies(plain) || (stack_applies(plain) && plain->ways <= STACK_WAYS_MAX);
}

bool lookups_apply(const struct cache_config *config, enum pass_share share)
{
    struct cache_config plain = plain_config(config, share);
    return plain_applies(&plain, share);
}

/* Whether a pool is emptied for all its caches or for none. Unified ones that no launch empties are
 * emptied where their ways change: those whose most ways are equal change together. */
static bool same_flushes(const struct cache_config *a, const struct cache_config *b)
{
    if (a->flush != b->flush || !a->unified != !b->unified)
        return false;
    return a->flush || !a->unified || (a->unified == b->unified && a->ways == b->ways);
}

static bool same_pool(const struct pool *pool, const struct cache_config *config, unsigned units,
                      unsigned options)
{
    return pool->units == units && pool->options == options &&
           pool->config.write == config->write && same_flushes(&pool->config, config);
}

/* Without grids nothing may go wrong on the way: no stack that some stores break. */
static bool is_alone(const struct lookups *lookups, const struct cache_config *config)
{
    return !cache_keeps_recency(config) || (!lookups->grids && stack_evicts(config));
}

static bool sectors_take(const struct lookups *lookups, const struct cache_config *config)
{
    return !is_alone(lookups, config) && in_sectors(config, lookups->share);
}

static bool grid_takes(const struct lookups *lookups, const struct cache_config *config)
{
    return lookups->grids && lookups->share == SHARE_LOOKUPS && !config->unified &&
           grid_applies(config);
}

/* Of caches that do not need levels of sectors. */
static bool same_level(const struct lookups *lookups, const struct cache_config *a,
                       const struct cache_config *b)
{
    return a->line == b->line && a->sector == b->sector && cache_sets(a) == cache_sets(b) &&
           a->index == b->index && a->slices == b->slices && a->interleave == b->interleave &&
           a->replacement == b->replacement && (!is_alone(lookups, a) || a->ways == b->ways);
}

enum status lookups_add(struct lookups *lookups, const struct cache_config *config, unsigned units,
                        unsigned options, size_t *number)
{
    if (array_reserve(&lookups->members, &lookups->member_capacity, lookups->member_count + 1) ||
        array_reserve(&lookups->pools, &lookups->pool_capacity, lookups->pool_count + 1))
        return STATUS_MEMORY;
    struct member member = {.config = plain_config(config, lookups->share)};
    if (!config->unified)
        member.ways = member.config.ways;
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

/* Levels for what neither the grid takes nor a pass with levels of sectors. */
static enum status add_levels(struct lookups *lookups)
{
    for (size_t i = 0; i < lookups->member_count; i++) {
        const struct cache_config *config = &lookups->members[i].config;
        struct pool *pool = &lookups->pools[lookups->members[i].pool];
        struct level *level = find_level(lookups, pool, config);
        if (sectors_take(lookups, config))
            continue;
        if (grid_takes(lookups, config) || level) {
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

static enum status place_in_sectors(struct pool *pool, struct member *member)
{
    member->where = IN_SECTORS;
    while (member->group < pool->sectors_count &&
           !sector_stack_joins(&pool->sectors[member->group].configs[0], &member->config))
        member->group++;
    if (member->group == pool->sectors_count) {
        if (array_reserve(&pool->sectors, &pool->sectors_capacity, pool->sectors_count + 1))
            return STATUS_MEMORY;
        pool->sectors[pool->sectors_count++] = (struct sectors){0};
    }
    struct sectors *sectors = &pool->sectors[member->group];
    if (array_reserve(&sectors->configs, &sectors->capacity, sectors->count + 1))
        return STATUS_MEMORY;
    member->place = sectors->count;
    sectors->configs[sectors->count++] = member->config;
    return STATUS_OK;
}

static enum status place_in_grid(struct pool *pool, struct member *member)
{
    member->where = IN_GRID;
    if (array_reserve(&pool->grid_configs, &pool->grid_capacity, pool->grid_count + 1))
        return STATUS_MEMORY;
    member->place = pool->grid_count;
    pool->grid_configs[pool->grid_count++] = member->config;
    return STATUS_OK;
}

/* A cache of few ways goes where one of more ways with its sets has to be anyway. */
static enum status place_members(struct lookups *lookups)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < lookups->member_count && !status; i++) {
        struct member *member = &lookups->members[i];
        struct pool *pool = &lookups->pools[member->pool];
        const struct level *level = find_level(lookups, pool, &member->config);
        if (sectors_take(lookups, &member->config)) {
            status = place_in_sectors(pool, member);
        } else if (level) {
            member->where = IN_LEVEL;
            member->group = (size_t)(level - pool->levels);
        } else {
            status = place_in_grid(pool, member);
        }
    }
    return status;
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
    for (size_t i = 0; i < pool->sectors_count && !status; i++) {
        struct sectors *sectors = &pool->sectors[i];
        status = sector_stack_create(sectors->configs, sectors->count, pool->units, pool->options,
                                     &sectors->pass);
    }
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

void lookups_resize(struct lookups *lookups, size_t member, uint64_t ways)
{
    lookups->members[member].next_ways = ways;
}

/* What has been counted of a member, since its ways changed. */
static void read_counts(const struct lookups *lookups, const struct member *member,
                        struct cache_counts *counts)
{
    const struct pool *pool = &lookups->pools[member->pool];
    *counts = (struct cache_counts){0};
    if (!member->ways)
        return;
    if (member->where == IN_GRID)
        grid_read_counts(pool->grid, member->place, counts);
    else if (member->where == IN_SECTORS)
        sector_stack_read_counts(pool->sectors[member->group].pass, member->place, member->ways,
                                 counts);
    else if (pool->levels[member->group].pass)
        stack_read_counts(pool->levels[member->group].pass, member->ways, counts);
    else
        cache_read_counts(pool->levels[member->group].cache, counts);
}

/* Whether the next launch leaves a unified cache of the pool other ways. */
static bool ways_change(const struct lookups *lookups, size_t pool)
{
    bool changes = false;
    for (size_t i = 0; lookups->pools[pool].config.unified && i < lookups->member_count; i++)
        if (lookups->members[i].pool == pool)
            changes |= lookups->members[i].ways != lookups->members[i].next_ways;
    return changes;
}

/* The unified caches of a pool, which are empty, take the ways of the next launch. All are in
 * passes with levels of sectors. */
static enum status change_ways(struct lookups *lookups, size_t pool)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < lookups->member_count; i++) {
        struct member *member = &lookups->members[i];
        struct cache_counts counts;
        if (member->pool != pool)
            continue;
        read_counts(lookups, member, &counts);
        cache_add_counts(&member->before, &counts);
        member->ways = member->next_ways;
    }
    for (size_t k = 0; k < lookups->pools[pool].sectors_count && !status; k++)
        status = sector_stack_reset_counts(lookups->pools[pool].sectors[k].pass);
    return status;
}

static enum status flush_pool(struct pool *pool)
{
    enum status status = pool->grid ? grid_flush(pool->grid) : STATUS_OK;
    for (size_t k = 0; k < pool->sectors_count && !status; k++)
        status = sector_stack_flush(pool->sectors[k].pass);
    for (size_t k = 0; k < pool->level_count && !status; k++) {
        if (pool->levels[k].pass)
            stack_flush(pool->levels[k].pass);
        else
            status = cache_flush(pool->levels[k].cache, NULL);
    }
    return status;
}

enum status lookups_launch(struct lookups *lookups)
{
    enum status status = make_ready(lookups);
    for (size_t i = 0; i < lookups->pool_count && !status; i++) {
        struct pool *pool = &lookups->pools[i];
        const bool changes = ways_change(lookups, i);
        if (pool->config.flush || changes)
            status = flush_pool(pool);
        if (!status && changes)
            status = change_ways(lookups, i);
    }
    return status;
}

static enum status run_pool(struct pool *pool, const struct request *requests, size_t count)
{
    enum status status = pool->grid ? grid_run(pool->grid, requests, count) : STATUS_OK;
    for (size_t k = 0; k < pool->sectors_count && !status; k++)
        status = sector_stack_run(pool->sectors[k].pass, requests, count);
    for (size_t k = 0; k < pool->level_count && !status; k++)
        status = pool->levels[k].pass ? stack_run(pool->levels[k].pass, requests, count)
                                      : cache_run(pool->levels[k].cache, requests, count, NULL);
    return status;
}

enum status lookups_run(struct lookups *lookups, const struct request *requests, size_t count)
{
    enum status status = make_ready(lookups);
    for (size_t i = 0; i < lookups->pool_count && !status; i++)
        status = run_pool(&lookups->pools[i], requests, count);
    return status;
}

enum status lookups_reset_counts(struct lookups *lookups)
{
    enum status status = make_ready(lookups);
    for (size_t i = 0; i < lookups->pool_count && !status; i++) {
        struct pool *pool = &lookups->pools[i];
        if (pool->grid)
            status = grid_reset_counts(pool->grid);
        for (size_t k = 0; k < pool->sectors_count && !status; k++)
            status = sector_stack_reset_counts(pool->sectors[k].pass);
        for (size_t k = 0; k < pool->level_count; k++) {
            if (pool->levels[k].pass)
                stack_reset_counts(pool->levels[k].pass);
            else
                cache_reset_counts(pool->levels[k].cache);
        }
    }
    for (size_t i = 0; i < lookups->member_count; i++)
        lookups->members[i].before = (struct cache_counts){0};
    return status;
}

enum status lookups_finish(struct lookups *lookups)
{
    enum status status = make_ready(lookups);
    for (size_t i = 0; i < lookups->pool_count && !status; i++) {
        struct pool *pool = &lookups->pools[i];
        if (pool->grid)
            status = grid_drain(pool->grid);
        for (size_t k = 0; k < pool->sectors_count && !status; k++)
            status = sector_stack_settle(pool->sectors[k].pass);
    }
    return status;
}

void lookups_counts(const struct lookups *lookups, size_t number, struct cache_counts *counts)
{
    const struct member *member = &lookups->members[number];
    read_counts(lookups, member, counts);
    cache_add_counts(counts, &member->before);
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

static void reset_cache(struct cache_config *cache, enum pass_share share)
{
    *cache = plain_config(cache, share);
    cache->size /= cache->ways;
    cache->ways = 1;
    if (cache->unified)
        cache->unified = 1;
}

bool lookups_level(struct machine *machine, enum pass_share share)
{
    struct cache_config tlb = tlb_cache(&machine->tlb);
    const bool has_tlb = machine->tlb.enabled, has_l2 = machine->l2.enabled;
    struct cache_config *last = has_l2 ? &machine->l2 : &machine->l1d;
    if (share == SHARE_NOTHING || (!last->enabled && !has_tlb) ||
        (last->enabled && !lookups_apply(last, share)) || (has_l2 && machine_couples(machine)))
        return false;
    if (has_tlb && (machine->pwc.organization != PWC_NONE || !lookups_apply(&tlb, SHARE_LOOKUPS)))
        return false;
    if (last->enabled)
        reset_cache(last, share);
    if (has_tlb) {
        machine->tlb.replacement = plain_config(&tlb, SHARE_LOOKUPS).replacement;
        machine->tlb.entries /= tlb_ways(&machine->tlb);
        machine->tlb.ways = 1;
    }
    if (!has_l2)
        machine->seed = 0; /* nothing is left to chance */
    return true;
}

void lookups_family(struct machine *machine)
{
    struct cache_config *last = machine->l2.enabled ? &machine->l2 : &machine->l1d;
    last->size = last->line;
    last->index = INDEX_LINEAR;
    last->replacement = REPLACEMENT_LRU;
    machine->tlb.entries = 1;
    machine->tlb.replacement = REPLACEMENT_LRU;
}
