/* The tile caches in the tree of stages: fed by the tile requests of a scene, beside everything
 * else. Machines that deal the screen out alike share a pool, whose LRU caches share passes where
 * little is asked of them; what they miss goes to memory, or to the L2 of their node. A machine
 * that sorts primitives into blocks has no cache and no node here (model/tile/binned.h). */
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
    struct node node;           /* the parent is a pool */
    struct cache *cache, *l2;   /* l2 may be NULL */
    struct request_buffer down; /* what the banks send to the L2 */
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

/* Whether a machine needs a node, because what its banks miss is wanted in order. */
static bool has_l2(const struct stages *stages, const struct machine *machine)
{
    return machine->tile.l2.size && stages->share != SHARE_LOOKUPS;
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
    const enum status status =
        cache_create(&config, (unsigned)machine->tile.cache.slices, machine->seed, 0, &node->cache);
    return status || !has_l2(stages, machine)
               ? status
               : cache_create(&machine->tile.l2, 1, machine->seed, 0, &node->l2);
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
    if (status || has_l2(stages, machine) || !cache_batch_apply(&config, stages->share))
        return status ? status : add_node(stages, machine, place);
    place->shared = true;
    return cache_batch_add(own->pools[place->pool].batch, &config,
                           (unsigned)machine->tile.cache.slices, 0, &place->member);
}

static struct request_buffer *sent_by(struct tile_node *node)
{
    return node->l2 ? &node->down : NULL;
}

/* Looks up in the L2 of a node what its banks sent, by the addresses of the lines. */
static enum status run_l2(const struct stages *stages, struct tile_node *node)
{
    const struct screen *screen = &tile_stage(stages)->pools[node->node.parent].screen;
    const size_t count = node->down.count;
    for (size_t i = 0; i < count; i++) {
        struct request *sent = &node->down.items[i];
        const struct tile_request place =
            screen_place(screen, sent->instance, sent->address / TILE_BYTES);
        sent->address = tile_address(&stages->tiles->surfaces[place.surface], place.x, place.y);
        sent->instance = 0;
    }
    node->down.count = 0;
    return count ? cache_run(node->l2, node->down.items, count, NULL) : STATUS_OK;
}

/* Writes changed lines back and empties the caches, as at both ends of a pass. The L2 keeps its
 * lines. */
static enum status flush_tiles(const struct stages *stages)
{
    struct tile_stage *own = tile_stage(stages);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < own->pool_count && !status; i++)
        status = cache_batch_launch(own->pools[i].batch);
    for (size_t i = 0; i < own->count && !status; i++)
        status = cache_flush(own->nodes[i].cache, sent_by(&own->nodes[i]));
    for (size_t i = 0; i < own->count && !status; i++)
        status = run_l2(stages, &own->nodes[i]);
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
                status = cache_run(own->nodes[k].cache, requests, made, sent_by(&own->nodes[k]));
    }
    for (size_t k = 0; k < own->count && !status; k++)
        status = run_l2(stages, &own->nodes[k]);
    return status;
}

static enum status tile_finish(struct stages *stages)
{
    struct tile_stage *own = tile_stage(stages);
    enum status status = flush_tiles(stages);
    for (size_t i = 0; i < own->count && !status; i++)
        status = own->nodes[i].l2 ? cache_flush(own->nodes[i].l2, NULL) : STATUS_OK;
    for (size_t i = 0; i < own->pool_count && !status; i++)
        status = cache_batch_finish(own->pools[i].batch);
    return status;
}

/* What passes between banks and L2 are bus reads and write-backs; the rest is between it and
 * memory. */
static void put_l2(const struct cache *l2, struct metrics *metrics)
{
    struct cache_counts counts;
    cache_read_counts(l2, &counts);
    metrics->tile_l2_accesses = (double)counts.accesses;
    metrics->tile_l2_misses = (double)counts.read_misses;
    metrics->tile_read_bytes = (double)counts.read_bytes;
    metrics->tile_write_bytes = (double)counts.write_bytes;
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
    if (!place->shared && own->nodes[place->node].l2)
        put_l2(own->nodes[place->node].l2, metrics);
}

static void tile_free(struct stages *stages)
{
    struct tile_stage *own = tile_stage(stages);
    for (size_t i = 0; i < own->pool_count; i++) {
        cache_batch_free(own->pools[i].batch);
        free(own->pools[i].requests.items);
    }
    for (size_t i = 0; i < own->count; i++) {
        cache_free(own->nodes[i].cache);
        cache_free(own->nodes[i].l2);
        free(own->nodes[i].down.items);
    }
    free(own->pools);
    free(own->nodes);
}

static enum status tile_launch(struct stages *stages, const struct trace_launch *launch)
{
    (void)launch;
    return flush_tiles(stages);
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
