/* The caches in the tree of stages: L1Ds, each followed by its L2s, which read what it misses while
 * that is in the host's cache. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/cache/pc_table.h"
#include "model/gpu/occupancy.h"
#include "model/pass/stages_state.h"

static void free_cache_nodes(struct cache_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cache_free(nodes[i].cache);
        opt_free(nodes[i].opt);
        free(nodes[i].down.items);
        free(nodes[i].ends);
        free(nodes[i].sent.items);
        for (size_t k = 0; k < nodes[i].l2_pool_count; k++)
            cache_batch_free(nodes[i].l2_pools[k].batch);
        free(nodes[i].l2_pools);
    }
    free(nodes);
}

static enum status create_cache_node(struct cache_node *node, const struct cache_config *config,
                                     unsigned instances, unsigned options, bool opt)
{
    if (!cache_is_offline(config)) {
        enum status status =
            cache_create(config, instances, node->node.machine->seed, options, &node->cache);
        if (status)
            return status;
    }
    if (!opt && !cache_is_offline(config))
        return STATUS_OK;
    return opt_create(config, instances, options, 0, &node->opt);
}

static enum status add_l1d_node(struct stages *stages, const struct machine *machine, int *number)
{
    struct l1d_stage *own = l1d_stage(stages);
    struct node wanted = {machine, machine_hash(machine, STAGE_L1D), NO_NODE};
    *number = stages_find_node(own->nodes, own->count, sizeof *own->nodes, &wanted, STAGE_L1D);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&own->nodes, &own->capacity, own->count + 1))
        return STATUS_MEMORY;
    *number = (int)own->count++;
    struct cache_node *node = &own->nodes[*number];
    *node = (struct cache_node){.node = wanted, .ways = machine->l1d.ways};
    if (!machine->l1d.enabled)
        return STATUS_OK;
    unsigned classify = stages->needs & NEED_CLASSES(STAGE_L1D) ? CACHE_CLASSIFY : 0;
    return create_cache_node(node, &machine->l1d, (unsigned)machine->gpu.sms, CACHE_L1 | classify,
                             stages->needs & NEED_OPTIMUM(STAGE_L1D));
}

static enum status l1d_add(struct stages *stages, const struct machine *machine, struct leaf *added)
{
    struct l1d_stage *own = l1d_stage(stages);
    struct stage_place *place = &added->places[STAGE_INDEX_L1D];
    own->spaces = l1d_spaces(machine);
    enum status status =
        own->batch ? STATUS_OK : cache_batch_create(stages->share, stages->grids, &own->batch);
    if (status || machine->l2.enabled || !cache_batch_apply(&machine->l1d, stages->share))
        return status ? status : add_l1d_node(stages, machine, &place->node);
    place->shared = true;
    return cache_batch_add(own->batch, &machine->l1d, (unsigned)machine->gpu.sms, CACHE_L1,
                           &place->member);
}

static enum status add_l2_node(struct stages *stages, const struct machine *machine, int l1d,
                               int *number)
{
    struct l2_stage *own = l2_stage(stages);
    bool coupled = machine_couples(machine);
    unsigned depends = coupled ? (unsigned)COUPLED_L2 : STAGE_L2;
    struct node wanted = {machine, machine_hash(machine, depends), l1d};
    *number = stages_find_node(own->nodes, own->count, sizeof *own->nodes, &wanted, depends);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&own->nodes, &own->capacity, own->count + 1))
        return STATUS_MEMORY;
    *number = (int)own->count++;
    struct cache_node *node = &own->nodes[*number];
    *node = (struct cache_node){.node = wanted, .coupled = coupled};
    l1d_stage(stages)->nodes[l1d].coupled |= coupled;
    enum status status = partition_init(&node->partition, &machine->l2);
    unsigned classify = stages->needs & NEED_CLASSES(STAGE_L2) ? CACHE_CLASSIFY : 0;
    return status ? status
                  : create_cache_node(node, &machine->l2, (unsigned)machine->l2.slices, classify,
                                      stages->needs & NEED_OPTIMUM(STAGE_L2));
}

static enum status find_l2_pool(struct stages *stages, const struct cache_config *l2,
                                struct cache_node *l1d, size_t *number)
{
    for (*number = 0; *number < l1d->l2_pool_count; ++*number) {
        const struct cache_config *other = l1d->l2_pools[*number].config;
        if (other->slices == l2->slices && other->interleave == l2->interleave &&
            other->partition == l2->partition)
            return STATUS_OK;
    }
    if (array_reserve(&l1d->l2_pools, &l1d->l2_pool_capacity, l1d->l2_pool_count + 1))
        return STATUS_MEMORY;
    struct l2_pool *pool = &l1d->l2_pools[l1d->l2_pool_count++];
    *pool = (struct l2_pool){.config = l2};
    enum status status = partition_init(&pool->partition, l2);
    return status ? status : cache_batch_create(stages->share, stages->grids, &pool->batch);
}

static enum status l2_add(struct stages *stages, const struct machine *machine, struct leaf *added)
{
    struct stage_place *place = &added->places[STAGE_INDEX_L2];
    const struct stage_place *before = &added->places[STAGE_INDEX_L1D];
    /* An offline L1D knows its misses only at the end, so no L2 can follow it. */
    const bool fed = !machine->l1d.enabled || !cache_is_offline(&machine->l1d);
    if (!machine->l2.enabled || !fed)
        return STATUS_OK;
    if (machine_couples(machine) || !cache_batch_apply(&machine->l2, stages->share))
        return add_l2_node(stages, machine, before->node, &place->node);
    struct cache_node *l1d = &l1d_stage(stages)->nodes[before->node];
    enum status status = find_l2_pool(stages, &machine->l2, l1d, &place->pool);
    place->shared = true;
    return status ? status
                  : cache_batch_add(l1d->l2_pools[place->pool].batch, &machine->l2,
                                    (unsigned)machine->l2.slices, 0, &place->member);
}

/* Flushes a cache and its optimum; write-backs go to `down`. */
static enum status flush_cache(struct cache_node *node, struct request_buffer *down)
{
    if (node->opt)
        opt_flush(node->opt);
    return node->cache ? cache_flush(node->cache, down) : STATUS_OK;
}

static enum status resize_l1d(struct cache_node *node, const struct trace_launch *launch)
{
    uint64_t ways = occupancy_l1d_ways(node->node.machine, launch);
    enum status status = node->opt ? opt_resize(node->opt, ways) : STATUS_OK;
    return status || !node->cache ? status : cache_resize(node->cache, ways, &node->down);
}

static enum status l1d_launch(struct stages *stages, const struct trace_launch *launch)
{
    struct l1d_stage *own = l1d_stage(stages);
    if (stages->logs.misses)
        request_log_launch(stages->logs.misses, launch);
    if (stages->pcs && pc_table_launch(stages->pcs, launch->name))
        return STATUS_MEMORY;
    for (size_t i = 0; i < stages->leaf_count; i++) {
        const struct leaf *leaf = &stages->leaves[i];
        const struct stage_place *place = &leaf->places[STAGE_INDEX_L1D];
        if (place->shared && leaf->machine->l1d.unified)
            cache_batch_resize(own->batch, place->member,
                               occupancy_l1d_ways(leaf->machine, launch));
    }
    enum status status = cache_batch_launch(own->batch);
    for (size_t i = 0; i < own->count && !status; i++) {
        struct cache_node *node = &own->nodes[i];
        for (size_t k = 0; k < node->l2_pool_count && !status; k++)
            status = cache_batch_launch(node->l2_pools[k].batch);
        if (!status && node->node.machine->l1d.flush)
            status = flush_cache(node, &node->down);
        if (!status && node->node.machine->l1d.unified)
            status = resize_l1d(node, launch);
    }
    return status;
}

static enum status l2_launch(struct stages *stages, const struct trace_launch *launch)
{
    struct l2_stage *own = l2_stage(stages);
    enum status status = STATUS_OK;
    (void)launch;
    for (size_t i = 0; i < own->count && !status; i++)
        if (own->nodes[i].node.machine->l2.flush)
            status = flush_cache(&own->nodes[i], NULL);
    return status;
}

enum status stages_run_l2(struct stages *stages, struct cache_node *node,
                          const struct request *misses, size_t count,
                          struct diagnostics *diagnostics)
{
    struct request_buffer *sliced = &l1d_stage(stages)->sliced;
    if (array_reserve(&sliced->items, &sliced->capacity, count))
        return STATUS_MEMORY;
    partition_requests(&node->partition, misses, count, sliced->items);
    enum status status = STATUS_OK;
    if (node->cache)
        status = cache_in_halves(&node->node.machine->l2)
                     ? stages_run_halves(node, misses, count, sliced->items)
                     : cache_run(node->cache, sliced->items, count, NULL);
    if (!status && node->opt)
        status = opt_run(node->opt, sliced->items, count, diagnostics);
    return status;
}

static enum status run_l2_pools(struct stages *stages, const struct cache_node *l1d)
{
    struct request_buffer *sliced = &l1d_stage(stages)->sliced;
    const struct request_buffer *down = &l1d->down;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < l1d->l2_pool_count && !status; i++) {
        const struct l2_pool *pool = &l1d->l2_pools[i];
        if (array_reserve(&sliced->items, &sliced->capacity, down->count))
            return STATUS_MEMORY;
        partition_requests(&pool->partition, down->items, down->count, sliced->items);
        status = cache_batch_run(pool->batch, sliced->items, down->count);
    }
    return status;
}

/* Sends requests through an L1D, or past it if the machine has none, into node->down. */
static enum status run_l1d(struct cache_node *node, const struct request *requests, size_t count)
{
    if (node->cache)
        return cache_run(node->cache, requests, count, &node->down);
    if (node->opt || count == 0)
        return STATUS_OK;
    if (array_reserve(&node->down.items, &node->down.capacity, node->down.count + count))
        return STATUS_MEMORY;
    memcpy(node->down.items + node->down.count, requests, count * sizeof *requests);
    node->down.count += count;
    return STATUS_OK;
}

/* The same, one instruction at a time, recording how much each sends down: nothing if the L1D does
 * not serve its space. */
static enum status run_coupled_l1d(struct cache_node *node, unsigned spaces,
                                   const struct request *requests, size_t count)
{
    enum status status = STATUS_OK;
    for (size_t first = 0, next; first < count && !status; first = next) {
        next = first + 1;
        while (next < count && !(requests[next].flags & REQUEST_FIRST))
            next++;
        if (array_reserve(&node->ends, &node->end_capacity, node->end_count + 1))
            return STATUS_MEMORY;
        if (spaces & space_bit(requests[first].space))
            status = run_l1d(node, requests + first, next - first);
        node->ends[node->end_count++] = node->down.count;
    }
    return status;
}

/* A part of the requests of a batch. */
struct part {
    const struct request *items;
    size_t count;
};

/* Selects the requests of a batch that the L1Ds serve; usually that is the whole batch, which is
 * not copied. */
static enum status take_requests(struct l1d_stage *own, struct part all, struct part *taken)
{
    struct request_buffer *buffer = &own->taken;
    unsigned present = 0;
    for (size_t i = 0; i < all.count; i++)
        present |= space_bit(all.items[i].space);
    *taken = all;
    if (!(present & ~own->spaces))
        return STATUS_OK;
    if (array_reserve(&buffer->items, &buffer->capacity, all.count))
        return STATUS_MEMORY;
    buffer->count = requests_take(own->spaces, all.items, all.count, buffer->items);
    *taken = (struct part){buffer->items, buffer->count};
    return STATUS_OK;
}

static enum status run_node(const struct stages *stages, struct cache_node *node,
                            struct part requests)
{
    return node->coupled
               ? run_coupled_l1d(node, l1d_stage(stages)->spaces, requests.items, requests.count)
               : run_l1d(node, requests.items, requests.count);
}

static void add_counts(struct pc_count *pc, const struct cache_counts *before,
                       const struct cache_counts *after)
{
    pc->accesses += after->accesses - before->accesses;
    pc->misses += after->misses - before->misses;
    pc->classes[MISS_COMPULSORY] += after->compulsory - before->compulsory;
    pc->classes[MISS_CAPACITY] += after->capacity - before->capacity;
    pc->classes[MISS_ASSOCIATIVITY] += after->conflict - before->conflict;
    pc->classes[MISS_FLUSH] += after->flush - before->flush;
    pc->classes[MISS_STORE] += after->store - before->store;
}

/* Runs an L1D one instruction at a time and assigns the counts to it. */
static enum status run_by_pc(struct stages *stages, struct cache_node *node, struct part part)
{
    const struct request *requests = part.items;
    enum status status = STATUS_OK;
    for (size_t first = 0, end; first < part.count && !status; first = end) {
        struct cache_counts before, after;
        for (end = first + 1; end < part.count && requests[end].pc == requests[first].pc &&
                              requests[end].op == requests[first].op;)
            end++;
        cache_read_counts(node->cache, &before);
        status = run_node(stages, node, (struct part){requests + first, end - first});
        cache_read_counts(node->cache, &after);
        if (status || after.accesses == before.accesses)
            continue;
        struct pc_count *pc = pc_table_at(stages->pcs, requests[first].pc, requests[first].op);
        if (pc)
            add_counts(pc, &before, &after);
        else
            status = STATUS_MEMORY;
    }
    return status;
}

/* `taken`: those of all requests that the L1Ds serve. An L1D with a coupled L2 also needs the other
 * instructions, to know when its own are issued. */
static enum status run_caches(struct stages *stages, struct part all, struct part taken,
                              struct diagnostics *diagnostics)
{
    struct l1d_stage *own = l1d_stage(stages);
    struct l2_stage *after = l2_stage(stages);
    for (size_t i = 0; i < own->count; i++) {
        struct cache_node *node = &own->nodes[i];
        struct part part = node->coupled ? all : taken;
        node->end_count = 0;
        enum status status = node->cache && !i && stages->pcs ? run_by_pc(stages, node, part)
                                                              : run_node(stages, node, part);
        if (!status && node->opt)
            status = opt_run(node->opt, taken.items, taken.count, diagnostics);
        if (!status && !i && stages->logs.misses)
            request_log_append(stages->logs.misses, node->down.items, node->down.count);
        for (size_t k = 0; k < after->count && !status; k++)
            if (after->nodes[k].node.parent == (int)i && !after->nodes[k].coupled)
                status = stages_run_l2(stages, &after->nodes[k], node->down.items, node->down.count,
                                       diagnostics);
        if (!status)
            status = run_l2_pools(stages, node);
        if (!node->coupled)
            node->down.count = 0;
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status l1d_run(struct stages *stages, const struct request *requests, size_t count,
                           struct diagnostics *diagnostics)
{
    const struct part all = {requests, count};
    struct part taken;
    enum status status = take_requests(l1d_stage(stages), all, &taken);
    if (!status)
        status = cache_batch_run(l1d_stage(stages)->batch, taken.items, taken.count);
    return status ? status : run_caches(stages, all, taken, diagnostics);
}

static void count_nodes(struct cache_node *nodes, size_t count, bool counted)
{
    for (size_t i = 0; i < count; i++) {
        nodes[i].aside = !counted;
        if (nodes[i].cache)
            cache_count(nodes[i].cache, counted);
    }
}

static enum status finish_nodes(struct cache_node *nodes, size_t count)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        if (nodes[i].opt)
            status = opt_finish(nodes[i].opt, false, &nodes[i].opt_counts);
        if (!status && nodes[i].opt)
            status = opt_finish(nodes[i].opt, true, &nodes[i].opt_bypass_counts);
        for (size_t k = 0; k < nodes[i].l2_pool_count && !status; k++)
            status = cache_batch_finish(nodes[i].l2_pools[k].batch);
    }
    return status;
}

static enum status assume_node(const struct cache_node *node, bool emptied)
{
    return node->cache && !emptied ? cache_assume(node->cache) : STATUS_OK;
}

static void l1d_count(struct stages *stages, bool counted)
{
    count_nodes(l1d_stage(stages)->nodes, l1d_stage(stages)->count, counted);
}

static void l2_count(struct stages *stages, bool counted)
{
    count_nodes(l2_stage(stages)->nodes, l2_stage(stages)->count, counted);
}

static enum status l1d_assume(struct stages *stages, bool emptied)
{
    const struct l1d_stage *own = l1d_stage(stages);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < own->count && !status; i++)
        status = assume_node(&own->nodes[i], emptied && own->nodes[i].node.machine->l1d.flush);
    return status;
}

static enum status l2_assume(struct stages *stages, bool emptied)
{
    const struct l2_stage *own = l2_stage(stages);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < own->count && !status; i++)
        status = assume_node(&own->nodes[i], emptied && own->nodes[i].node.machine->l2.flush);
    return status;
}

static enum status l1d_finish(struct stages *stages)
{
    const struct l1d_stage *own = l1d_stage(stages);
    enum status status = own->batch ? cache_batch_finish(own->batch) : STATUS_OK;
    return status ? status : finish_nodes(own->nodes, own->count);
}

static enum status l2_finish(struct stages *stages)
{
    return finish_nodes(l2_stage(stages)->nodes, l2_stage(stages)->count);
}

static void l1d_put(const struct stages *stages, const struct leaf *leaf, struct metrics *metrics)
{
    const struct stage_place *place = &leaf->places[STAGE_INDEX_L1D];
    if (place->shared)
        stages_put_member(stages, l1d_stage(stages)->batch, place->member, false, metrics);
    if (place->node != NO_NODE)
        stages_put_node(stages, &l1d_stage(stages)->nodes[place->node], false, metrics);
}

static void l2_put(const struct stages *stages, const struct leaf *leaf, struct metrics *metrics)
{
    const struct stage_place *place = &leaf->places[STAGE_INDEX_L2];
    if (place->shared) {
        const struct cache_node *l1d =
            &l1d_stage(stages)->nodes[leaf->places[STAGE_INDEX_L1D].node];
        stages_put_member(stages, l1d->l2_pools[place->pool].batch, place->member, true, metrics);
    }
    if (place->node == NO_NODE)
        return;
    const struct cache_node *node = &l2_stage(stages)->nodes[place->node];
    if (node->coupled) {
        metrics->l2_walk_accesses = (double)node->walk_accesses;
        metrics->l2_walk_misses = (double)node->walk_misses;
    }
    stages_put_node(stages, node, true, metrics);
}

static struct cache *l1d_watched(const struct stages *stages)
{
    return l1d_stage(stages)->count ? l1d_stage(stages)->nodes[0].cache : NULL;
}

static struct cache *l2_watched(const struct stages *stages)
{
    return l2_stage(stages)->count ? l2_stage(stages)->nodes[0].cache : NULL;
}

static void l1d_free(struct stages *stages)
{
    struct l1d_stage *own = l1d_stage(stages);
    free_cache_nodes(own->nodes, own->count);
    cache_batch_free(own->batch);
    free(own->taken.items);
    free(own->sliced.items);
}

static void l2_free(struct stages *stages)
{
    free_cache_nodes(l2_stage(stages)->nodes, l2_stage(stages)->count);
}

const struct stage_ops stage_ops_L1D = {
    .state_size = sizeof(struct l1d_stage),
    .add = l1d_add,
    .launch = l1d_launch,
    .run = l1d_run,
    .count = l1d_count,
    .assume = l1d_assume,
    .finish = l1d_finish,
    .put = l1d_put,
    .watched = l1d_watched,
    .free = l1d_free,
};

/* The L1Ds run it, or the page walks that share it. */
const struct stage_ops stage_ops_L2 = {
    .state_size = sizeof(struct l2_stage),
    .add = l2_add,
    .launch = l2_launch,
    .count = l2_count,
    .assume = l2_assume,
    .finish = l2_finish,
    .put = l2_put,
    .watched = l2_watched,
    .free = l2_free,
};
