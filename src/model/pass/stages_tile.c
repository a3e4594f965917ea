/* The tile caches in the tree of stages: fed by the tile requests of a scene, beside everything
 * else. Machines that deal the screen out alike share a pool, whose LRU caches share passes where
 * little is asked of them; what they miss goes to memory. A machine that sorts primitives into
 * blocks has no cache and no node here (model/tile/binned.h). */
#include <stdlib.h>

#include "base/memory.h"
#include "model/pass/stages_state.h"
#include "model/tile/tile.h"

void stages_see(struct stages *stages, const struct tile_stream *tiles)
{
    stages->tiles = tiles;
}

static enum status find_pool(struct stages *stages, const struct tile_config *config,
                             size_t *number)
{
    for (*number = 0; *number < stages->tile_pool_count; ++*number) {
        const struct tile_config *other = stages->tile_pools[*number].config;
        if (other->partition == config->partition && other->unit == config->unit &&
            other->cache.slices == config->cache.slices)
            return STATUS_OK;
    }
    if (array_reserve(&stages->tile_pools, &stages->tile_pool_capacity,
                      stages->tile_pool_count + 1))
        return STATUS_MEMORY;
    struct tile_pool *pool = &stages->tile_pools[stages->tile_pool_count++];
    *pool = (struct tile_pool){.config = config};
    screen_init(&pool->screen, config, stages->tiles->surfaces, stages->tiles->surface_count);
    return cache_batch_create(stages->share, stages->grids, &pool->batch);
}

static enum status add_node(struct stages *stages, const struct machine *machine,
                            struct leaf *added)
{
    const struct node wanted = {machine, machine_hash(machine, STAGE_TILE), (int)added->tile_pool};
    added->tile = stages_find_node(stages->tile_nodes, stages->tile_count,
                                   sizeof *stages->tile_nodes, &wanted, STAGE_TILE);
    if (added->tile != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&stages->tile_nodes, &stages->tile_capacity, stages->tile_count + 1))
        return STATUS_MEMORY;
    added->tile = (int)stages->tile_count++;
    struct tile_node *node = &stages->tile_nodes[added->tile];
    *node = (struct tile_node){.node = wanted};
    const struct cache_config config = deal_config(&machine->tile);
    return cache_create(&config, (unsigned)machine->tile.cache.slices, machine->seed, 0,
                        &node->cache);
}

enum status stages_add_tile(struct stages *stages, const struct machine *machine,
                            struct leaf *added)
{
    if (!stages->tiles || !tile_has_cache(machine))
        return STATUS_OK;
    const struct cache_config config = deal_config(&machine->tile);
    enum status status = find_pool(stages, &machine->tile, &added->tile_pool);
    added->has_tile = true;
    if (status || !cache_batch_apply(&config, stages->share))
        return status ? status : add_node(stages, machine, added);
    added->tile_shared = true;
    return cache_batch_add(stages->tile_pools[added->tile_pool].batch, &config,
                           (unsigned)machine->tile.cache.slices, 0, &added->tile_member);
}

/* Writes changed lines back and empties the caches, as at both ends of a pass. */
enum status stages_flush_tiles(struct stages *stages)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < stages->tile_pool_count && !status; i++)
        status = cache_batch_launch(stages->tile_pools[i].batch);
    for (size_t i = 0; i < stages->tile_count && !status; i++)
        status = cache_flush(stages->tile_nodes[i].cache, NULL);
    return status;
}

enum status stages_run_tiles(struct stages *stages, const struct request *packed, size_t count)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < stages->tile_pool_count && !status; i++) {
        struct tile_pool *pool = &stages->tile_pools[i];
        if (array_reserve(&pool->requests.items, &pool->requests.capacity, count))
            return STATUS_MEMORY;
        struct request *requests = pool->requests.items;
        const size_t made = deal(&pool->screen, packed, count, &pool->dealt, requests);
        status = cache_batch_run(pool->batch, requests, made);
        for (size_t k = 0; k < stages->tile_count && !status; k++)
            if (stages->tile_nodes[k].node.parent == (int)i)
                status = cache_run(stages->tile_nodes[k].cache, requests, made, NULL);
    }
    return status;
}

enum status stages_finish_tiles(struct stages *stages)
{
    enum status status = stages_flush_tiles(stages);
    for (size_t i = 0; i < stages->tile_pool_count && !status; i++)
        status = cache_batch_finish(stages->tile_pools[i].batch);
    return status;
}

void stages_put_tile(const struct stages *stages, const struct leaf *leaf, struct metrics *metrics)
{
    struct cache_counts counts;
    if (!leaf->has_tile)
        return;
    const struct tile_pool *pool = &stages->tile_pools[leaf->tile_pool];
    if (leaf->tile_shared)
        cache_batch_counts(pool->batch, leaf->tile_member, &counts);
    else
        cache_read_counts(stages->tile_nodes[leaf->tile].cache, &counts);
    tile_put_dealt(&pool->dealt, pool->screen.banks, metrics);
    metrics->tile_accesses = (double)counts.accesses;
    metrics->tile_misses = (double)counts.misses;
    if (leaf->tile_shared && stages->share == SHARE_LOOKUPS)
        return;
    metrics->tile_bus_reads = (double)counts.read_bytes / TILE_BYTES;
    metrics->tile_writebacks = (double)counts.writebacks;
    metrics->tile_read_bytes = (double)counts.read_bytes;
    metrics->tile_write_bytes = (double)counts.write_bytes;
}

void stages_free_tiles(struct stages *stages)
{
    for (size_t i = 0; i < stages->tile_pool_count; i++) {
        cache_batch_free(stages->tile_pools[i].batch);
        free(stages->tile_pools[i].requests.items);
    }
    for (size_t i = 0; i < stages->tile_count; i++)
        cache_free(stages->tile_nodes[i].cache);
    free(stages->tile_pools);
    free(stages->tile_nodes);
}
