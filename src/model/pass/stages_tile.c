/* The tile caches in the tree of stages: fed by the tile requests of a scene, beside everything
 * else. Machines that deal the screen out alike share a pool, whose LRU caches share passes where
 * little is asked of them; what they miss goes to memory. A machine that sorts primitives into
 * blocks has no cache and no node here (model/tile/binned.h). */
#include <stdlib.h>

#include "base/memory.h"
#include "model/pass/stages_state.h"
#include "model/tile/deal.h"
#include "model/tile/tile.h"

struct tile_pool { /* tile caches that deal the screen out to their banks alike */
    const struct tile_config *config;
    struct screen screen;
    struct dealt dealt;
    struct request_buffer requests; /* scratch: of this batch, dealt to the banks */
    struct cache_batch *batch;      /* caches without a node */
};

struct tile_node {
    struct node node; /* the parent is a pool */
    struct cache *cache;
};

struct tile_stage {
    struct tile_pool *pools;
    struct tile_node *nodes;
    size_t pool_count, pool_capacity, count, capacity;
};

static struct tile_stage *tile_stage(const struct stages *stages)
{
    return stages->own[STAGE_INDEX_TILE];
}

static enum status find_pool(struct stages *stages, const struct tile_config *config,
                             size_t *number)
{
    struct tile_stage *own = tile_stage(stages);
    for (*number = 0; *number < own->pool_count; ++*number) {
        const struct tile_config *other = own->pools[*number].config;
        if (other->partition == config->partition && other->unit == config->unit &&
            other->cache.slices == config->cache.slices)
            return STATUS_OK;
    }
    if (array_reserve(&own->pools, &own->pool_capacity, own->pool_count + 1))
        return STATUS_MEMORY;
    struct tile_pool *pool = &own->pools[own->pool_count++];
    *pool = (struct tile_pool){.config = config};
    screen_init(&pool->screen, config, stages->tiles->surfaces, stages->tiles->surface_count);
    return cache_batch_create(stages->share, stages->grids, &pool->batch);
}

static enum status add_node(struct stages *stages, const struct machine *machine,
                            struct stage_place *place)
{
    struct tile_stage *own = tile_stage(stages);
    const struct node wanted = {machine, machine_hash(machine, STAGE_TILE), (int)place->pool};
    place->node = stages_find_node(own->nodes, own->count, sizeof *own->nodes, &wanted, STAGE_TILE);
    if (place->node != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&own->nodes, &own->capacity, own->count + 1))
        return STATUS_MEMORY;
    place->node = (int)own->count++;
    struct tile_node *node = &own->nodes[place->node];
    *node = (struct tile_node){.node = wanted};
    const struct cache_config config = deal_config(&machine->tile);
    return cache_create(&config, (unsigned)machine->tile.cache.slices, machine->seed, 0,
                        &node->cache);
}

static enum status tile_add(struct stages *stages, const struct machine *machine,
                            struct leaf *added)
{
    struct tile_stage *own = tile_stage(stages);
    struct stage_place *place = &added->places[STAGE_INDEX_TILE];
    if (!stages->tiles || !tile_has_cache(machine))
        return STATUS_OK;
    const struct cache_config config = deal_config(&machine->tile);
    enum status status = find_pool(stages, &machine->tile, &place->pool);
    if (status || !cache_batch_apply(&config, stages->share))
        return status ? status : add_node(stages, machine, place);
    place->shared = true;
    return cache_batch_add(own->pools[place->pool].batch, &config,
                           (unsigned)machine->tile.cache.slices, 0, &place->member);
}

/* Writes changed lines back and empties the caches, as at both ends of a pass. */
static enum status flush_tiles(const struct tile_stage *own)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < own->pool_count && !status; i++)
        status = cache_batch_launch(own->pools[i].batch);
    for (size_t i = 0; i < own->count && !status; i++)
        status = cache_flush(own->nodes[i].cache, NULL);
    return status;
}

static enum status tile_run(struct stages *stages, const struct request *packed, size_t count,
                            struct diagnostics *diagnostics)
{
    struct tile_stage *own = tile_stage(stages);
    (void)diagnostics;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < own->pool_count && !status; i++) {
        struct tile_pool *pool = &own->pools[i];
        if (array_reserve(&pool->requests.items, &pool->requests.capacity, count))
            return STATUS_MEMORY;
        struct request *requests = pool->requests.items;
        const size_t made = deal(&pool->screen, packed, count, &pool->dealt, requests);
        status = cache_batch_run(pool->batch, requests, made);
        for (size_t k = 0; k < own->count && !status; k++)
            if (own->nodes[k].node.parent == (int)i)
                status = cache_run(own->nodes[k].cache, requests, made, NULL);
    }
    return status;
}

static enum status tile_finish(struct stages *stages)
{
    struct tile_stage *own = tile_stage(stages);
    enum status status = flush_tiles(own);
    for (size_t i = 0; i < own->pool_count && !status; i++)
        status = cache_batch_finish(own->pools[i].batch);
    return status;
}

static void tile_put(const struct stages *stages, const struct leaf *leaf, struct metrics *metrics)
{
    struct tile_stage *own = tile_stage(stages);
    const struct stage_place *place = &leaf->places[STAGE_INDEX_TILE];
    struct cache_counts counts;
    if (!place->shared && place->node == NO_NODE)
        return;
    const struct tile_pool *pool = &own->pools[place->pool];
    if (place->shared)
        cache_batch_counts(pool->batch, place->member, &counts);
    else
        cache_read_counts(own->nodes[place->node].cache, &counts);
    tile_put_dealt(&pool->dealt, pool->screen.banks, metrics);
    metrics->tile_accesses = (double)counts.accesses;
    metrics->tile_misses = (double)counts.misses;
    if (place->shared && stages->share == SHARE_LOOKUPS)
        return;
    metrics->tile_bus_reads = (double)counts.read_bytes / TILE_BYTES;
    metrics->tile_writebacks = (double)counts.writebacks;
    metrics->tile_read_bytes = (double)counts.read_bytes;
    metrics->tile_write_bytes = (double)counts.write_bytes;
}

static void tile_free(struct stages *stages)
{
    struct tile_stage *own = tile_stage(stages);
    for (size_t i = 0; i < own->pool_count; i++) {
        cache_batch_free(own->pools[i].batch);
        free(own->pools[i].requests.items);
    }
    for (size_t i = 0; i < own->count; i++)
        cache_free(own->nodes[i].cache);
    free(own->pools);
    free(own->nodes);
}

static enum status tile_launch(struct stages *stages, const struct trace_launch *launch)
{
    (void)launch;
    return flush_tiles(tile_stage(stages));
}

const struct stage_ops stage_ops_TILE = {
    .state_size = sizeof(struct tile_stage),
    .feed = FEED_TILES,
    .add = tile_add,
    .launch = tile_launch,
    .run = tile_run,
    .finish = tile_finish,
    .put = tile_put,
    .free = tile_free,
};
