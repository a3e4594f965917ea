/* Converts the counts of a tree of stages into metrics (`put` of struct stage_ops). */
#include <math.h>
#include <string.h>

#include "model/pass/stages_state.h"
#include "model/translation/pwc_rates.h"

enum count_group { COUNT_LOOKUPS, COUNT_TRAFFIC, COUNT_CLASSES };

/* Maps a count of a cache to its metric, for either level. */
static const struct cache_row {
    size_t count, l1d, l2;
    enum count_group group;
} cache_rows[] = {
#define CACHE_ROW(count, metric, group)                                                            \
    {                                                                                              \
        offsetof(struct cache_counts, count), offsetof(struct metrics, l1d_##metric),              \
            offsetof(struct metrics, l2_##metric), group                                           \
    }
    CACHE_ROW(accesses, accesses, COUNT_LOOKUPS),
    CACHE_ROW(misses, misses, COUNT_LOOKUPS),
    CACHE_ROW(reads, reads, COUNT_LOOKUPS),
    CACHE_ROW(read_misses, read_misses, COUNT_LOOKUPS),
    CACHE_ROW(writes, writes, COUNT_LOOKUPS),
    CACHE_ROW(write_misses, write_misses, COUNT_LOOKUPS),
    CACHE_ROW(sector_misses, sector_misses, COUNT_TRAFFIC),
    CACHE_ROW(writebacks, writebacks, COUNT_TRAFFIC),
    CACHE_ROW(read_bytes, read_bytes, COUNT_TRAFFIC),
    CACHE_ROW(write_bytes, write_bytes, COUNT_TRAFFIC),
    CACHE_ROW(compulsory, miss_compulsory, COUNT_CLASSES),
    CACHE_ROW(flush, miss_flush, COUNT_CLASSES),
    CACHE_ROW(store, miss_store, COUNT_CLASSES),
    CACHE_ROW(capacity, miss_capacity, COUNT_CLASSES),
    CACHE_ROW(conflict, miss_conflict, COUNT_CLASSES),
#undef CACHE_ROW
};

/* Writes the groups of counts up to `last` into the metrics of an L1D (`l2` false) or an L2. */
static void put_counts(const struct cache_counts *counts, bool l2, enum count_group last,
                       struct metrics *metrics)
{
    for (size_t i = 0; i < sizeof cache_rows / sizeof *cache_rows; i++) {
        const struct cache_row *row = &cache_rows[i];
        if (row->group > last)
            continue;
        uint64_t count;
        memcpy(&count, (const char *)counts + row->count, sizeof count);
        double number = (double)count;
        memcpy((char *)metrics + (l2 ? row->l2 : row->l1d), &number, sizeof number);
    }
    *(l2 ? &metrics->l2_pending_hits : &metrics->l1d_pending_hits) = 0; /* nothing is in flight */
    if (l2)
        metrics->l2_crossings = metrics->l2_crossing_misses = 0;
}

void stages_put_cache(const struct cache_counts *counts, bool l2, bool classified,
                      struct metrics *metrics)
{
    put_counts(counts, l2, classified ? COUNT_CLASSES : COUNT_TRAFFIC, metrics);
    if (!l2)
        metrics->l1d_hw_misses = (double)(counts->read_misses + counts->tag_misses);
}

/* Of misses; no access: 0/0, NaN. */
static double rate(const struct cache_counts *counts)
{
    return (double)counts->misses / (double)counts->accesses;
}

void stages_put_node(const struct stages *stages, const struct cache_node *node, bool l2,
                     struct metrics *metrics)
{
    const bool classified = stages->needs & NEED_CLASSES(l2 ? STAGE_L2 : STAGE_L1D);
    if (node->cache) {
        struct cache_counts counts;
        cache_read_counts(node->cache, &counts);
        cache_subtract_counts(&counts, &node->crossed); /* all zeros but for an L2 in halves */
        stages_put_cache(&counts, l2, classified, metrics);
        if (l2) {
            metrics->l2_crossings = (double)node->crossed.reads;
            metrics->l2_crossing_misses = (double)node->crossing_misses;
        }
    } else if (node->opt) {
        const struct machine *machine = node->node.machine;
        const int policy = (l2 ? &machine->l2 : &machine->l1d)->replacement;
        const bool bypasses = replacement_facts[policy].traits & REPLACEMENT_BYPASSES;
        put_counts(bypasses ? &node->opt_bypass_counts : &node->opt_counts, l2, COUNT_LOOKUPS,
                   metrics);
    }
    if (!node->opt)
        return;
    *(l2 ? &metrics->l2_opt_miss_rate : &metrics->l1d_opt_miss_rate) = rate(&node->opt_counts);
    *(l2 ? &metrics->l2_opt_bypass_miss_rate : &metrics->l1d_opt_bypass_miss_rate) =
        rate(&node->opt_bypass_counts);
}

void stages_put_tlb(const struct cache_counts *counts, struct metrics *metrics)
{
    metrics->tlb_accesses = (double)counts->accesses;
    metrics->tlb_misses = (double)counts->misses;
}

static void put_walks(const struct stages *stages, const struct pwc_node *node,
                      struct metrics *metrics)
{
    struct pwc_counts walks;
    if (node->l2tlb != NO_NODE) {
        struct cache_counts counts;
        cache_read_counts(pwc_stage(stages)->l2tlbs[node->l2tlb].cache, &counts);
        metrics->l2tlb_accesses = (double)counts.accesses;
        metrics->l2tlb_misses = (double)counts.misses;
    }
    walk_unit_read_counts(node->instance, &walks);
    metrics->walk_count = (double)walks.walks;
    metrics->walk_merged = 0;
    metrics->walk_memory_accesses = (double)walks.memory_accesses;
    if (node->node.machine->pwc.organization == PWC_NONE)
        return;
    const uint64_t page = node->node.machine->page.size;
    metrics->pwc_l4_hit_rate = pwc_hit_rate(&walks, PWC_HIT_L4, page);
    metrics->pwc_l3_hit_rate = pwc_hit_rate(&walks, PWC_HIT_L3, page);
    metrics->pwc_l2_hit_rate = pwc_hit_rate(&walks, PWC_HIT_L2, page);
    metrics->pwc_cycles = (double)walks.lookup_cycles;
    if (walks.walks)
        metrics->pwc_redundancy =
            walks.stored_bits ? (double)walks.duplicate_bits / (double)walks.stored_bits : 0;
    if (pwc_equal_tpc(&node->node.machine->pwc))
        metrics->walk_tpc_accesses = (double)walks.tpc_accesses;
}

static void put_times(const struct stages *stages, const struct pwc_node *node,
                      struct metrics *metrics)
{
    struct walkers_counts counts;
    if (!walk_unit_read_times(node->instance, &counts))
        return;
    metrics->walk_merged = (double)counts.merged;
    if (!(stages->needs & NEED_TIMES(STAGE_PWC)))
        return;
    double walks = (double)counts.walks, span = (double)counts.span;
    metrics->walk_wait_mean = (double)counts.wait / walks; /* no walks: 0/0, NaN */
    metrics->walk_wait_p99 = counts.walks ? (double)counts.wait_p99 : NAN;
    metrics->walk_latency_mean = (double)counts.latency / (walks + (double)counts.merged);
    metrics->walk_instruction_latency =
        (double)counts.instruction_latency / (double)counts.instructions;
    metrics->walker_busy = (double)counts.busy / (double)node->node.machine->walker.count / span;
    metrics->walker_stall = (double)counts.stalled / span;
}

void stages_put_walks(const struct stages *stages, const struct pwc_node *node,
                      struct metrics *metrics)
{
    put_walks(stages, node, metrics);
    put_times(stages, node, metrics);
}

void stages_put_member(const struct stages *stages, const struct cache_batch *batch, size_t member,
                       bool l2, struct metrics *metrics)
{
    struct cache_counts counts;
    cache_batch_counts(batch, member, &counts);
    put_counts(&counts, l2, stages->share == SHARE_LOOKUPS ? COUNT_LOOKUPS : COUNT_TRAFFIC,
               metrics);
}
