#include "model/lru/cache_batch.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/lru/grid.h"
#include "model/lru/sector_stack.h"
#include "model/lru/stack.h"
#include "schema/parameters.h"

struct single { /* one stack pass, or one cache that can be simulated in no other way */
    struct cache_config config;
    uint64_t ways; /* most ways of its caches */
    struct stack_pass *pass;
    struct cache *cache;
};

struct sectors { /* caches that share one sector stack */
    struct cache_config *configs;
    size_t count, capacity;
    struct sector_stack *pass;
};

/* Caches that see the same requests and are emptied at the same times. */
struct pool {
    struct cache_config config; /* of the first cache; same_pool tells what is compared */
    unsigned instances, options;
    struct cache_config *grid_configs; /* caches in the grid */
    size_t grid_count, grid_capacity;
    struct grid *grid; /* or NULL */
    struct single *singles;
    size_t single_count, single_capacity;
    struct sectors *sectors;
    size_t sectors_count, sectors_capacity;
};

enum where { IN_GRID, IN_SECTORS, IN_SINGLE };

struct member {
    struct cache_config config; /* normalized by plain_config */
    size_t pool;
    enum where where;
    size_t group;               /* number of its sector stack or single pass */
    size_t place;               /* place in the grid or the sector stack */
    uint64_t ways, next_ways;   /* unified: ways of this launch and of the next */
    struct cache_counts before; /* unified: counts of launches with other ways */
};

struct cache_batch {
    enum pass_share share;
    bool grids, ready;
    struct pool *pools;
    struct member *members;
    size_t pool_count, member_count, pool_capacity, member_capacity;
};

enum status cache_batch_create(enum pass_share share, bool grids, struct cache_batch **batch)
{
    *batch = calloc(1, sizeof **batch);
    if (!*batch)
        return STATUS_MEMORY;
    (*batch)->share = share;
    (*batch)->grids = grids;
    return STATUS_OK;
}

void cache_batch_free(struct cache_batch *batch)
{
    if (!batch)
        return;
    for (size_t i = 0; i < batch->pool_count; i++) {
        struct pool *pool = &batch->pools[i];
        for (size_t k = 0; k < pool->single_count; k++) {
            stack_free(pool->singles[k].pass);
            cache_free(pool->singles[k].cache);
        }
        for (size_t k = 0; k < pool->sectors_count; k++) {
            sector_stack_free(pool->sectors[k].pass);
            free(pool->sectors[k].configs);
        }
        free(pool->sectors);
        grid_free(pool->grid);
        free(pool->grid_configs);
        free(pool->singles);
    }
    free(batch->pools);
    free(batch->members);
    free(batch);
}

/* Rewrites a configuration into a simpler one with the same counts, or the same look-ups if only
 * these are wanted. Few ways leave most policies no choice but LRU's; some policies rotate like
 * FIFO if nothing empties the cache, or are LRU if no store drops a line. A unified cache gets the
 * most ways that its launches can leave it. */
static struct cache_config plain_config(const struct cache_config *config, enum pass_share share)
{
    const struct replacement_facts *policy = &replacement_facts[config->replacement];
    struct cache_config plain = *config;
    if (policy->traits & REPLACEMENT_ROTATION && !config->flush && !config->unified)
        plain.replacement = REPLACEMENT_FIFO;
    const bool drops = write_traits[config->write] & WRITE_DROPS;
    if (policy->traits & REPLACEMENT_STACK && !drops && !config->unified)
        plain.replacement = REPLACEMENT_LRU;
    if (!config->unified && config->ways <= policy->lru_ways)
        plain.replacement = REPLACEMENT_LRU;
    if (plain.replacement != config->replacement)
        plain.reset = RESET_PAPER; /* it showed in the numbers of ways only */
    if (config->unified) {
        plain.ways = config->unified / (cache_sets(config) * config->line);
        plain.size = config->unified;
    }
    if (share != SHARE_LOOKUPS || stack_evicts(&plain) ||
        (!sector_stack_applies(&plain) && !grid_applies(&plain)))
        return plain;
    bool stores = write_traits[plain.write] & WRITE_TAKES;
    if (stores)
        plain.write = WRITE_THROUGH; /* look-ups do not depend on dirty lines */
    if (!stores || !(write_allocate_traits[plain.write_allocate] & WRITE_ALLOCATE_PARTIAL))
        plain.write_allocate = WRITE_ALLOCATE_FETCH;
    return plain;
}

/* Whether a normalized cache goes into a sector stack: because it needs one, or because a grid
 * cannot hold it and this is faster than single stack passes. */
static bool in_sectors(const struct cache_config *plain, enum pass_share share)
{
    /* Its stores may break the pass, and a repeated run without grids could not simulate it at all.
     */
    if (plain->unified && stack_evicts(plain))
        return false;
    return sector_stack_applies(plain) &&
           (plain->unified || share == SHARE_TRAFFIC || !stack_applies(plain) ||
            stack_evicts(plain) || plain->slices > 1);
}

static bool plain_applies(const struct cache_config *plain, enum pass_share share)
{
    if (share == SHARE_NOTHING)
        return false;
    if (in_sectors(plain, share))
        return true;
    if (share == SHARE_TRAFFIC || plain->unified)
        return false;
    return grid_applies(plain) || (stack_applies(plain) && plain->ways <= STACK_WAYS_MAX);
}

bool cache_batch_apply(const struct cache_config *config, enum pass_share share)
{
    if (!config->enabled) /* nobody checked its geometry */
        return false;
    if (cache_in_halves(config)) /* one slice's misses are another one's accesses */
        return false;
    struct cache_config plain = plain_config(config, share);
    return plain_applies(&plain, share);
}

/* Whether two caches are always emptied together. Unified caches that no launch flushes are emptied
 * when their ways change; those with equal ways change together. */
static bool same_flushes(const struct cache_config *a, const struct cache_config *b)
{
    if (a->flush != b->flush || !a->unified != !b->unified)
        return false;
    return a->flush || !a->unified || (a->unified == b->unified && a->ways == b->ways);
}

static bool same_pool(const struct pool *pool, const struct cache_config *config,
                      unsigned instances, unsigned options)
{
    return pool->instances == instances && pool->options == options &&
           pool->config.write == config->write && same_flushes(&pool->config, config);
}

/* Whether a cache is simulated on its own. Without grids nothing may fail midway, so stacks that
 * some stores break are not used. */
static bool is_alone(const struct cache_batch *batch, const struct cache_config *config)
{
    return !cache_keeps_recency(config) || (!batch->grids && stack_evicts(config));
}

static bool sectors_take(const struct cache_batch *batch, const struct cache_config *config)
{
    return !is_alone(batch, config) && in_sectors(config, batch->share);
}

static bool grid_takes(const struct cache_batch *batch, const struct cache_config *config)
{
    return batch->grids && batch->share == SHARE_LOOKUPS && !config->unified &&
           grid_applies(config);
}

/* Whether two caches share a single pass. For caches outside sector stacks. */
static bool same_single(const struct cache_batch *batch, const struct cache_config *a,
                        const struct cache_config *b)
{
    return a->line == b->line && a->sector == b->sector && cache_sets(a) == cache_sets(b) &&
           a->index == b->index && a->slices == b->slices && a->interleave == b->interleave &&
           a->replacement == b->replacement && a->reset == b->reset &&
           (!is_alone(batch, a) || a->ways == b->ways);
}

enum status cache_batch_add(struct cache_batch *batch, const struct cache_config *config,
                            unsigned instances, unsigned options, size_t *number)
{
    if (array_reserve(&batch->members, &batch->member_capacity, batch->member_count + 1) ||
        array_reserve(&batch->pools, &batch->pool_capacity, batch->pool_count + 1))
        return STATUS_MEMORY;
    struct member member = {.config = plain_config(config, batch->share)};
    if (!config->unified)
        member.ways = member.config.ways;
    while (member.pool < batch->pool_count &&
           !same_pool(&batch->pools[member.pool], &member.config, instances, options))
        member.pool++;
    if (member.pool == batch->pool_count)
        batch->pools[batch->pool_count++] =
            (struct pool){.config = member.config, .instances = instances, .options = options};
    *number = batch->member_count;
    batch->members[batch->member_count++] = member;
    return STATUS_OK;
}

static struct single *find_single(const struct cache_batch *batch, const struct pool *pool,
                                  const struct cache_config *config)
{
    for (size_t i = 0; i < pool->single_count; i++)
        if (same_single(batch, &pool->singles[i].config, config))
            return &pool->singles[i];
    return NULL;
}

/* Adds single passes for caches that neither the grid nor a sector stack takes. */
static enum status add_singles(struct cache_batch *batch)
{
    for (size_t i = 0; i < batch->member_count; i++) {
        const struct cache_config *config = &batch->members[i].config;
        struct pool *pool = &batch->pools[batch->members[i].pool];
        struct single *single = find_single(batch, pool, config);
        if (sectors_take(batch, config))
            continue;
        if (grid_takes(batch, config) || single) {
            if (single && single->ways < config->ways)
                single->ways = config->ways;
            continue;
        }
        if (array_reserve(&pool->singles, &pool->single_capacity, pool->single_count + 1))
            return STATUS_MEMORY;
        pool->singles[pool->single_count++] =
            (struct single){.config = *config, .ways = config->ways};
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

/* Assigns each cache to its pass. A cache that a grid could hold joins the single pass of a larger
 * cache with the same sets if that exists anyway. */
static enum status place_members(struct cache_batch *batch)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->member_count && !status; i++) {
        struct member *member = &batch->members[i];
        struct pool *pool = &batch->pools[member->pool];
        const struct single *single = find_single(batch, pool, &member->config);
        if (sectors_take(batch, &member->config)) {
            status = place_in_sectors(pool, member);
        } else if (single) {
            member->where = IN_SINGLE;
            member->group = (size_t)(single - pool->singles);
        } else {
            status = place_in_grid(pool, member);
        }
    }
    return status;
}

static enum status open_pool(const struct cache_batch *batch, struct pool *pool)
{
    /* read-only caches have no stores to count separately */
    const struct grid_options options = {.instances = pool->instances,
                                         .cache = pool->options,
                                         .split_writes = pool->config.write != WRITE_READ_ONLY};
    enum status status = STATUS_OK;
    if (pool->grid_count)
        status = grid_create(pool->grid_configs, pool->grid_count, &options, &pool->grid);
    for (size_t i = 0; i < pool->sectors_count && !status; i++) {
        struct sectors *sectors = &pool->sectors[i];
        status = sector_stack_create(sectors->configs, sectors->count, pool->instances,
                                     pool->options, &sectors->pass);
    }
    for (size_t i = 0; i < pool->single_count && !status; i++) {
        struct single *single = &pool->singles[i];
        if (!is_alone(batch, &single->config))
            status = stack_create(&single->config, single->ways, pool->instances, pool->options,
                                  &single->pass);
        else
            status =
                cache_create(&single->config, pool->instances, 0, pool->options, &single->cache);
    }
    return status;
}

/* Builds the passes at the first launch or request, when all caches have been added. */
static enum status make_ready(struct cache_batch *batch)
{
    if (batch->ready)
        return STATUS_OK;
    enum status status = add_singles(batch);
    if (!status)
        status = place_members(batch);
    for (size_t i = 0; i < batch->pool_count && !status; i++)
        status = open_pool(batch, &batch->pools[i]);
    batch->ready = !status;
    return status;
}

void cache_batch_resize(struct cache_batch *batch, size_t member, uint64_t ways)
{
    batch->members[member].next_ways = ways;
}

/* Reads what a member has counted since its ways changed. */
static void read_counts(const struct cache_batch *batch, const struct member *member,
                        struct cache_counts *counts)
{
    const struct pool *pool = &batch->pools[member->pool];
    *counts = (struct cache_counts){0};
    if (!member->ways)
        return;
    if (member->where == IN_GRID)
        grid_read_counts(pool->grid, member->place, counts);
    else if (member->where == IN_SECTORS)
        sector_stack_read_counts(pool->sectors[member->group].pass, member->place, member->ways,
                                 counts);
    else if (pool->singles[member->group].pass)
        stack_read_counts(pool->singles[member->group].pass, member->ways, counts);
    else
        cache_read_counts(pool->singles[member->group].cache, counts);
}

/* Whether the next launch changes the ways of a unified cache of the pool. */
static bool ways_change(const struct cache_batch *batch, size_t pool)
{
    bool changes = false;
    for (size_t i = 0; batch->pools[pool].config.unified && i < batch->member_count; i++)
        if (batch->members[i].pool == pool)
            changes |= batch->members[i].ways != batch->members[i].next_ways;
    return changes;
}

/* Gives the unified caches of a pool, which are empty now, the ways of the next launch. All of them
 * are in sector stacks. */
static enum status change_ways(struct cache_batch *batch, size_t pool)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->member_count; i++) {
        struct member *member = &batch->members[i];
        struct cache_counts counts;
        if (member->pool != pool)
            continue;
        read_counts(batch, member, &counts);
        cache_add_counts(&member->before, &counts);
        member->ways = member->next_ways;
    }
    for (size_t k = 0; k < batch->pools[pool].sectors_count && !status; k++)
        status = sector_stack_reset_counts(batch->pools[pool].sectors[k].pass);
    return status;
}

static enum status flush_pool(struct pool *pool)
{
    enum status status = pool->grid ? grid_flush(pool->grid) : STATUS_OK;
    for (size_t k = 0; k < pool->sectors_count && !status; k++)
        status = sector_stack_flush(pool->sectors[k].pass);
    for (size_t k = 0; k < pool->single_count && !status; k++) {
        if (pool->singles[k].pass)
            stack_flush(pool->singles[k].pass);
        else
            status = cache_flush(pool->singles[k].cache, NULL);
    }
    return status;
}

enum status cache_batch_launch(struct cache_batch *batch)
{
    enum status status = make_ready(batch);
    for (size_t i = 0; i < batch->pool_count && !status; i++) {
        struct pool *pool = &batch->pools[i];
        const bool changes = ways_change(batch, i);
        if (pool->config.flush || changes)
            status = flush_pool(pool);
        if (!status && changes)
            status = change_ways(batch, i);
    }
    return status;
}

/* Each simulator of a pool sees the whole batch of requests before the next one starts. */
static enum status run_pool(struct pool *pool, const struct request *requests, size_t count)
{
    enum status status = pool->grid ? grid_run(pool->grid, requests, count) : STATUS_OK;
    for (size_t k = 0; k < pool->sectors_count && !status; k++)
        status = sector_stack_run(pool->sectors[k].pass, requests, count);
    for (size_t k = 0; k < pool->single_count && !status; k++)
        status = pool->singles[k].pass ? stack_run(pool->singles[k].pass, requests, count)
                                       : cache_run(pool->singles[k].cache, requests, count, NULL);
    return status;
}

enum status cache_batch_run(struct cache_batch *batch, const struct request *requests, size_t count)
{
    enum status status = make_ready(batch);
    for (size_t i = 0; i < batch->pool_count && !status; i++)
        status = run_pool(&batch->pools[i], requests, count);
    return status;
}

enum status cache_batch_finish(struct cache_batch *batch)
{
    enum status status = make_ready(batch);
    for (size_t i = 0; i < batch->pool_count && !status; i++) {
        struct pool *pool = &batch->pools[i];
        if (pool->grid)
            status = grid_drain(pool->grid);
        for (size_t k = 0; k < pool->sectors_count && !status; k++)
            status = sector_stack_settle(pool->sectors[k].pass);
    }
    return status;
}

void cache_batch_counts(const struct cache_batch *batch, size_t number, struct cache_counts *counts)
{
    const struct member *member = &batch->members[number];
    read_counts(batch, member, counts);
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
        .index = INDEX_MODULO,
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

bool cache_batch_level(struct machine *machine, enum pass_share share)
{
    struct cache_config tlb = tlb_cache(&machine->tlb);
    const bool has_tlb = machine->tlb.enabled, has_l2 = machine->l2.enabled;
    struct cache_config *last = has_l2 ? &machine->l2 : &machine->l1d;
    if (share == SHARE_NOTHING || (!last->enabled && !has_tlb) ||
        (last->enabled && !cache_batch_apply(last, share)) || (has_l2 && machine_couples(machine)))
        return false;
    if (has_tlb &&
        (machine->pwc.organization != PWC_NONE || !cache_batch_apply(&tlb, SHARE_LOOKUPS)))
        return false;
    if (last->enabled)
        reset_cache(last, share);
    if (has_tlb) {
        machine->tlb.replacement = plain_config(&tlb, SHARE_LOOKUPS).replacement;
        machine->tlb.entries /= tlb_ways(&machine->tlb);
        machine->tlb.ways = 1;
    }
    if (!has_l2)
        machine->seed = 0; /* no random choice is left */
    return true;
}

void cache_batch_family(struct machine *machine)
{
    struct cache_config *last = machine->l2.enabled ? &machine->l2 : &machine->l1d;
    last->size = last->line;
    last->index = INDEX_MODULO;
    last->replacement = REPLACEMENT_LRU;
    machine->tlb.entries = 1;
    machine->tlb.replacement = REPLACEMENT_LRU;
}
