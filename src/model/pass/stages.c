#include "model/pass/stages.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/cache/cache_watch.h"
#include "model/cache/pc_table.h"
#include "model/gpu/occupancy.h"
#include "model/pass/stages_state.h"

enum status stages_create(unsigned needs, enum pass_share share, bool grids, struct stages **stages)
{
    *stages = calloc(1, sizeof **stages);
    if (!*stages)
        return STATUS_MEMORY;
    (*stages)->needs = needs;
    (*stages)->share = share;
    (*stages)->grids = grids;
    enum status status = cache_batch_create(share, grids, &(*stages)->batch);
    if (status) {
        stages_free(*stages);
        *stages = NULL;
    }
    return status;
}

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

void stages_free(struct stages *stages)
{
    if (!stages)
        return;
    free_cache_nodes(stages->l1ds, stages->l1d_count);
    free_cache_nodes(stages->l2s, stages->l2_count);
    stages_free_translation(stages);
    stages_free_l1is(stages);
    stages_free_tiles(stages);
    cache_batch_free(stages->batch);
    free(stages->leaves);
    free(stages->taken.items);
    free(stages->sliced.items);
    free(stages);
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

int stages_find_node(const void *nodes, size_t count, size_t size, const struct node *wanted,
                     unsigned stage)
{
    for (size_t i = 0; i < count; i++) {
        const struct node *node = (const void *)((const char *)nodes + i * size);
        if (node->key == wanted->key && node->parent == wanted->parent &&
            machine_same(node->machine, wanted->machine, stage))
            return (int)i;
    }
    return NO_NODE;
}

static enum status add_l1d(struct stages *stages, const struct machine *machine, int *number)
{
    struct node wanted = {machine, machine_hash(machine, STAGE_L1D), NO_NODE};
    *number =
        stages_find_node(stages->l1ds, stages->l1d_count, sizeof *stages->l1ds, &wanted, STAGE_L1D);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&stages->l1ds, &stages->l1d_capacity, stages->l1d_count + 1))
        return STATUS_MEMORY;
    *number = (int)stages->l1d_count++;
    struct cache_node *node = &stages->l1ds[*number];
    *node = (struct cache_node){.node = wanted, .ways = machine->l1d.ways};
    if (!machine->l1d.enabled)
        return STATUS_OK;
    unsigned classify = stages->needs & NEED_CLASSES(STAGE_L1D) ? CACHE_CLASSIFY : 0;
    return create_cache_node(node, &machine->l1d, (unsigned)machine->gpu.sms, CACHE_L1 | classify,
                             stages->needs & NEED_OPTIMUM(STAGE_L1D));
}

static enum status add_l2(struct stages *stages, const struct machine *machine, int l1d,
                          int *number)
{
    bool coupled = machine_couples(machine);
    unsigned depends = coupled ? (unsigned)COUPLED_L2 : STAGE_L2;
    struct node wanted = {machine, machine_hash(machine, depends), l1d};
    *number =
        stages_find_node(stages->l2s, stages->l2_count, sizeof *stages->l2s, &wanted, depends);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&stages->l2s, &stages->l2_capacity, stages->l2_count + 1))
        return STATUS_MEMORY;
    *number = (int)stages->l2_count++;
    struct cache_node *node = &stages->l2s[*number];
    *node = (struct cache_node){.node = wanted, .coupled = coupled};
    stages->l1ds[l1d].coupled |= coupled;
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

/* Adds an L2 without a node. */
static enum status share_l2(struct stages *stages, const struct machine *machine,
                            struct leaf *added)
{
    struct cache_node *l1d = &stages->l1ds[added->l1d];
    enum status status = find_l2_pool(stages, &machine->l2, l1d, &added->l2_pool);
    added->l2_shared = true;
    return status ? status
                  : cache_batch_add(l1d->l2_pools[added->l2_pool].batch, &machine->l2,
                                    (unsigned)machine->l2.slices, 0, &added->l2_member);
}

static enum status add_caches(struct stages *stages, const struct machine *machine,
                              struct leaf *added)
{
    if (!machine->l2.enabled && cache_batch_apply(&machine->l1d, stages->share)) {
        added->l1d_shared = true;
        return cache_batch_add(stages->batch, &machine->l1d, (unsigned)machine->gpu.sms, CACHE_L1,
                               &added->l1d_member);
    }
    /* An offline L1D knows its misses only at the end, so no L2 can follow it. */
    bool fed = !machine->l1d.enabled || !cache_is_offline(&machine->l1d);
    enum status status = add_l1d(stages, machine, &added->l1d);
    if (status || !machine->l2.enabled || !fed)
        return status;
    if (!machine_couples(machine) && cache_batch_apply(&machine->l2, stages->share))
        return share_l2(stages, machine, added);
    return add_l2(stages, machine, added->l1d, &added->l2);
}

enum status stages_add(struct stages *stages, const struct machine *machine, size_t *leaf)
{
    if (array_reserve(&stages->leaves, &stages->leaf_capacity, stages->leaf_count + 1))
        return STATUS_MEMORY;
    stages->spaces = l1d_spaces(machine);
    struct leaf added = {.l1d = NO_NODE,
                         .l2 = NO_NODE,
                         .tlb = NO_NODE,
                         .pwc = NO_NODE,
                         .l1i = NO_NODE,
                         .tile = NO_NODE,
                         .machine = machine};
    enum status status = add_caches(stages, machine, &added);
    if (!status)
        status = stages_add_l1i(stages, machine, &added);
    if (!status)
        status = stages_add_tile(stages, machine, &added);
    if (!status)
        status = stages_add_translation(stages, machine, &added);
    *leaf = stages->leaf_count;
    if (!status)
        stages->leaves[stages->leaf_count++] = added;
    return status;
}

void stages_record(struct stages *stages, const struct request_logs *logs)
{
    stages->logs = *logs;
}

enum status stages_watch(struct stages *stages, unsigned stage, const struct set_watching *watching)
{
    struct cache *cache = NULL;
    if (stage == STAGE_L1D && stages->l1d_count)
        cache = stages->l1ds[0].cache;
    if (stage == STAGE_L2 && stages->l2_count)
        cache = stages->l2s[0].cache;
    if (stage == STAGE_L1I && stages->l1i_count)
        cache = stages->l1is[0].cache;
    return cache ? cache_watch(cache, watching) : STATUS_UNSUPPORTED;
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

enum status stages_launch(struct stages *stages, const struct trace_launch *launch)
{
    if (stages->logs.misses)
        request_log_launch(stages->logs.misses, launch);
    if (stages->pcs && pc_table_launch(stages->pcs, launch->name))
        return STATUS_MEMORY;
    for (size_t i = 0; i < stages->leaf_count; i++) {
        const struct leaf *leaf = &stages->leaves[i];
        if (leaf->l1d_shared && leaf->machine->l1d.unified)
            cache_batch_resize(stages->batch, leaf->l1d_member,
                               occupancy_l1d_ways(leaf->machine, launch));
    }
    enum status status = stages_flush_tiles(stages);
    if (!status)
        status = cache_batch_launch(stages->batch);
    for (size_t i = 0; i < stages->l1d_count && !status; i++) {
        struct cache_node *node = &stages->l1ds[i];
        for (size_t k = 0; k < node->l2_pool_count && !status; k++)
            status = cache_batch_launch(node->l2_pools[k].batch);
        if (!status && node->node.machine->l1d.flush)
            status = flush_cache(node, &node->down);
        if (!status && node->node.machine->l1d.unified)
            status = resize_l1d(node, launch);
    }
    for (size_t i = 0; i < stages->l2_count && !status; i++)
        if (stages->l2s[i].node.machine->l2.flush)
            status = flush_cache(&stages->l2s[i], NULL);
    return status;
}

enum status stages_run_l2(struct stages *stages, struct cache_node *node,
                          const struct request *misses, size_t count,
                          struct diagnostics *diagnostics)
{
    struct request_buffer *sliced = &stages->sliced;
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
    struct request_buffer *sliced = &stages->sliced;
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
    if (node->opt)
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
static enum status take_requests(struct stages *stages, struct part all, struct part *taken)
{
    struct request_buffer *buffer = &stages->taken;
    unsigned present = 0;
    for (size_t i = 0; i < all.count; i++)
        present |= space_bit(all.items[i].space);
    *taken = all;
    if (!(present & ~stages->spaces))
        return STATUS_OK;
    if (array_reserve(&buffer->items, &buffer->capacity, all.count))
        return STATUS_MEMORY;
    buffer->count = requests_take(stages->spaces, all.items, all.count, buffer->items);
    *taken = (struct part){buffer->items, buffer->count};
    return STATUS_OK;
}

static enum status run_node(const struct stages *stages, struct cache_node *node,
                            struct part requests)
{
    return node->coupled ? run_coupled_l1d(node, stages->spaces, requests.items, requests.count)
                         : run_l1d(node, requests.items, requests.count);
}

void stages_count_pcs(struct stages *stages, struct pc_table *pcs)
{
    stages->pcs = pcs;
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
    for (size_t i = 0; i < stages->l1d_count; i++) {
        struct cache_node *node = &stages->l1ds[i];
        struct part part = node->coupled ? all : taken;
        node->end_count = 0;
        enum status status = node->cache && !i && stages->pcs ? run_by_pc(stages, node, part)
                                                              : run_node(stages, node, part);
        if (!status && node->opt)
            status = opt_run(node->opt, taken.items, taken.count, diagnostics);
        if (!status && !i && stages->logs.misses)
            request_log_append(stages->logs.misses, node->down.items, node->down.count);
        for (size_t k = 0; k < stages->l2_count && !status; k++)
            if (stages->l2s[k].node.parent == (int)i && !stages->l2s[k].coupled)
                status = stages_run_l2(stages, &stages->l2s[k], node->down.items, node->down.count,
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

/* The coupled L2s run last, because their order of accesses depends on both the caches and the
 * translation. */
enum status stages_run(struct stages *stages, const struct request *requests, size_t count,
                       struct diagnostics *diagnostics)
{
    const struct part all = {requests, count};
    struct part taken;
    enum status status = take_requests(stages, all, &taken);
    if (!status)
        status = cache_batch_run(stages->batch, taken.items, taken.count);
    if (!status)
        status = run_caches(stages, all, taken, diagnostics);
    if (!status)
        status = stages_run_translation(stages, requests, count);
    return status ? status : stages_run_coupled(stages, diagnostics);
}

static void count_nodes(struct cache_node *nodes, size_t count, bool counted)
{
    for (size_t i = 0; i < count; i++) {
        nodes[i].aside = !counted;
        if (nodes[i].cache)
            cache_count(nodes[i].cache, counted);
    }
}

void stages_count(struct stages *stages, bool counted)
{
    count_nodes(stages->l1ds, stages->l1d_count, counted);
    count_nodes(stages->l2s, stages->l2_count, counted);
    stages_count_translation(stages, counted);
    stages_count_l1is(stages, counted);
}

enum status stages_assume(struct stages *stages, bool emptied)
{
    enum status status = stages_assume_translation(stages);
    if (!status)
        status = stages_assume_l1is(stages);
    for (size_t i = 0; i < stages->l1d_count && !status; i++)
        if (stages->l1ds[i].cache && !(emptied && stages->l1ds[i].node.machine->l1d.flush))
            status = cache_assume(stages->l1ds[i].cache);
    for (size_t i = 0; i < stages->l2_count && !status; i++)
        if (stages->l2s[i].cache && !(emptied && stages->l2s[i].node.machine->l2.flush))
            status = cache_assume(stages->l2s[i].cache);
    return status;
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

enum status stages_finish(struct stages *stages)
{
    enum status status = cache_batch_finish(stages->batch);
    if (!status)
        status = stages_finish_tiles(stages);
    if (!status)
        status = stages_finish_translation(stages);
    if (!status)
        status = finish_nodes(stages->l1ds, stages->l1d_count);
    return status ? status : finish_nodes(stages->l2s, stages->l2_count);
}
