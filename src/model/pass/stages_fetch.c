/* The instruction caches in the tree of stages: fed by the fetches of a pass, beside everything
 * else, with L0s and stream buffers around them. What they miss goes no further. */
#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "model/cache/geometry.h"
#include "model/pass/fetch_ahead.h"
#include "model/pass/stages_state.h"

struct l1i_node {
    struct node node;
    struct cache *cache;
    uint64_t *last;             /* [SM]: line of its last fetch, plus one; 0: none */
    uint64_t repeated;          /* fetches from it that read no tags (l1i.same_line) */
    bool aside;                 /* counting is off */
    struct request_buffer run;  /* scratch: fetches that read the tags */
    struct request_buffer down; /* scratch: its misses */
    struct fetch_ahead *ahead;  /* what is in front of and behind it (fetch_ahead.h); or NULL */
};

struct l1i_stage {
    struct l1i_node *nodes;
    size_t count, capacity;
};

static struct l1i_stage *l1i_stage(const struct stages *stages)
{
    return stages->own[STAGE_INDEX_L1I];
}

static enum status l1i_add(struct stages *stages, const struct machine *machine, struct leaf *added)
{
    struct l1i_stage *own = l1i_stage(stages);
    int *number = &added->places[STAGE_INDEX_L1I].node;
    if (!machine->l1i.fetches)
        return STATUS_OK;
    const struct node wanted = {machine, machine_hash(machine, STAGE_L1I), NO_NODE};
    *number = stages_find_node(own->nodes, own->count, sizeof *own->nodes, &wanted, STAGE_L1I);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&own->nodes, &own->capacity, own->count + 1))
        return STATUS_MEMORY;
    *number = (int)own->count++;
    struct l1i_node *node = &own->nodes[*number];
    *node = (struct l1i_node){.node = wanted};
    node->last = calloc(machine->gpu.sms, sizeof *node->last);
    if (!node->last)
        return STATUS_MEMORY;
    enum status status = fetch_ahead_create(machine, &node->ahead);
    if (status)
        return status;
    const struct cache_config config = instruction_cache_of(&machine->l1i);
    return cache_create(&config, (unsigned)machine->gpu.sms, machine->seed, 0, &node->cache);
}

/* Leaves out the fetches from the line of the fetch before: they hit, and the cache does not hear
 * of them. */
static size_t take_changes(struct l1i_node *node, const struct request *fetches, size_t count,
                           struct request *taken)
{
    const unsigned line_bits = log2_floor(node->node.machine->l1i.line);
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t of = (fetches[i].address >> line_bits) + 1;
        uint64_t *last = &node->last[fetches[i].instance];
        const bool same = *last == of;
        if (!node->aside && !(fetches[i].flags & REQUEST_ASIDE))
            node->repeated += request_fetches(&fetches[i]) - !same;
        if (same)
            continue;
        *last = of;
        taken[made++] = fetches[i];
    }
    return made;
}

/* Runs fetches through one cache and what stands around it. */
static enum status run_node(struct l1i_node *node, const struct request *fetches, size_t count)
{
    if (!node->ahead && !node->node.machine->l1i.same_line)
        return cache_run(node->cache, fetches, count, NULL);
    if (array_reserve(&node->run.items, &node->run.capacity, count))
        return STATUS_MEMORY;
    if (node->ahead) {
        count = fetch_ahead_miss(node->ahead, fetches, count, !node->aside, node->run.items);
        fetches = node->run.items;
    }
    if (node->node.machine->l1i.same_line) {
        count = take_changes(node, fetches, count, node->run.items);
        fetches = node->run.items;
    }
    node->down.count = 0;
    const enum status status =
        cache_run(node->cache, fetches, count, node->ahead ? &node->down : NULL);
    if (!status && node->ahead)
        fetch_ahead_stream(node->ahead, node->down.items, node->down.count, !node->aside);
    return status;
}

/* The lines in which fetches may be joined to one request, for one machine: those of its cache if
 * it leaves repeats out and nothing in front of it sees them. 0: none. */
static uint64_t joined_line(const struct machine *machine)
{
    return machine->l1i.same_line && !machine->l1i.l0.size ? machine->l1i.line : 0;
}

uint64_t stages_fetch_line(const struct machine *const *machines, size_t count)
{
    uint64_t line = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t own = joined_line(machines[i]);
        if (!machines[i]->l1i.fetches)
            continue;
        if (!own)
            return 0;
        line = line && line < own ? line : own;
    }
    return line;
}

static enum status l1i_run(struct stages *stages, const struct request *fetches, size_t count,
                           struct diagnostics *diagnostics)
{
    struct l1i_stage *own = l1i_stage(stages);
    (void)diagnostics;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < own->count && !status; i++)
        status = run_node(&own->nodes[i], fetches, count);
    return status;
}

static void l1i_count(struct stages *stages, bool counted)
{
    struct l1i_stage *own = l1i_stage(stages);
    for (size_t i = 0; i < own->count; i++) {
        own->nodes[i].aside = !counted;
        cache_count(own->nodes[i].cache, counted);
    }
}

static enum status l1i_assume(struct stages *stages, bool emptied)
{
    struct l1i_stage *own = l1i_stage(stages);
    (void)emptied;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < own->count && !status; i++)
        status = cache_assume(own->nodes[i].cache);
    return status;
}

static void l1i_put(const struct stages *stages, const struct leaf *leaf, struct metrics *metrics)
{
    struct l1i_stage *own = l1i_stage(stages);
    const int number = leaf->places[STAGE_INDEX_L1I].node;
    if (number == NO_NODE)
        return;
    const struct l1i_node *node = &own->nodes[number];
    struct cache_counts counts;
    cache_read_counts(node->cache, &counts);
    metrics->l1i_tag_reads = (double)counts.accesses;
    metrics->l1i_accesses = (double)(counts.accesses + node->repeated);
    metrics->l1i_misses = (double)counts.misses;
    if (!node->ahead)
        return;
    const struct fetch_ahead_counts ahead = fetch_ahead_read_counts(node->ahead);
    if (node->node.machine->l1i.buffer) {
        metrics->l1i_buffer_hits = (double)ahead.buffer_hits;
        metrics->l1i_prefetches = (double)ahead.prefetches;
    }
    if (node->node.machine->l1i.l0.size) {
        metrics->l1i_l0_accesses = (double)ahead.l0_accesses;
        metrics->l1i_l0_misses = (double)ahead.l0_misses;
    }
}

static void l1i_free(struct stages *stages)
{
    struct l1i_stage *own = l1i_stage(stages);
    for (size_t i = 0; i < own->count; i++) {
        cache_free(own->nodes[i].cache);
        free(own->nodes[i].last);
        free(own->nodes[i].run.items);
        free(own->nodes[i].down.items);
        fetch_ahead_free(own->nodes[i].ahead);
    }
    free(own->nodes);
}

static struct cache *l1i_watched(const struct stages *stages)
{
    return l1i_stage(stages)->count ? l1i_stage(stages)->nodes[0].cache : NULL;
}

const struct stage_ops stage_ops_L1I = {
    .state_size = sizeof(struct l1i_stage),
    .feed = FEED_FETCHES,
    .add = l1i_add,
    .run = l1i_run,
    .count = l1i_count,
    .assume = l1i_assume,
    .put = l1i_put,
    .watched = l1i_watched,
    .free = l1i_free,
};
