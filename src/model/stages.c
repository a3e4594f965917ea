#include "model/stages.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/cache/cache.h"
#include "model/cache/opt.h"
#include "model/cache/partition.h"
#include "model/evaluate.h"
#include "model/gpu/occupancy.h"
#include "model/translation/pwc.h"

enum { NO_NODE = -1 };

/* A page is one line of this many bytes in the TLB's own address space: page number x this. */
enum { PAGE_TOKEN = 32 };

/* What every node begins with: who asked for it, and what it stands behind. */
struct node {
    const struct machine *machine;
    uint64_t key; /* machine_hash of the stage's parameters */
    int parent;   /* the L1D in front of an L2, the TLB in front of a page-walk cache; or NO_NODE */
};

struct cache_node {
    struct node node;
    struct cache *cache;
    struct opt_cache *opt; /* beside the cache, or instead of it where the policy is OPT */
    struct cache_counts opt_counts;
    struct request_buffer down; /* L1D: what goes on to the L2s */
    struct partition partition; /* L2 */
    uint64_t ways;              /* L1D: now; those of a unified one change with the launch */
};

struct tlb_node {
    struct node node;
    struct cache *cache;
    struct request_buffer down; /* misses: page walks in order */
};

struct pwc_node {
    struct node node;
    struct pwc *pwc;
};

struct page_stream { /* page requests of the current batch for one page size */
    uint64_t page_size;
    struct request *items;
    size_t count, capacity;
};

struct leaf {
    int l1d, l2, tlb, pwc; /* node numbers or NO_NODE */
};

struct stages {
    unsigned needs;
    struct cache_node *l1ds, *l2s;
    struct tlb_node *tlbs;
    struct pwc_node *pwcs;
    struct page_stream *pages;
    struct leaf *leaves;
    size_t l1d_count, l2_count, tlb_count, pwc_count, page_count, leaf_count;
    size_t l1d_capacity, l2_capacity, tlb_capacity, pwc_capacity, page_capacity, leaf_capacity;
    struct request_buffer sliced; /* scratch: an L1D's misses as one partition scheme deals them */
};

enum status stages_create(unsigned needs, struct stages **stages)
{
    *stages = calloc(1, sizeof **stages);
    if (!*stages)
        return STATUS_MEMORY;
    (*stages)->needs = needs;
    return STATUS_OK;
}

static void free_cache_nodes(struct cache_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cache_free(nodes[i].cache);
        opt_free(nodes[i].opt);
        free(nodes[i].down.items);
    }
    free(nodes);
}

void stages_free(struct stages *stages)
{
    if (!stages)
        return;
    free_cache_nodes(stages->l1ds, stages->l1d_count);
    free_cache_nodes(stages->l2s, stages->l2_count);
    for (size_t i = 0; i < stages->tlb_count; i++) {
        cache_free(stages->tlbs[i].cache);
        free(stages->tlbs[i].down.items);
    }
    for (size_t i = 0; i < stages->pwc_count; i++)
        pwc_free(stages->pwcs[i].pwc);
    for (size_t i = 0; i < stages->page_count; i++)
        free(stages->pages[i].items);
    free(stages->tlbs);
    free(stages->pwcs);
    free(stages->pages);
    free(stages->leaves);
    free(stages->sliced.items);
    free(stages);
}

/* Belady's optimum as the machine's own policy has no cache that could be fed on line. */
static bool is_offline(const struct cache_config *config)
{
    return config->replacement == REPLACEMENT_OPT;
}

static enum status create_cache_node(struct cache_node *node, const struct cache_config *config,
                                     unsigned units, unsigned options, bool opt)
{
    if (!is_offline(config)) {
        enum status status =
            cache_create(config, units, node->node.machine->seed, options, &node->cache);
        if (status)
            return status;
    }
    if (!opt && !is_offline(config))
        return STATUS_OK;
    /* Beside a real cache the optimum may bypass: then it also bounds caches that do not take every
     * line in (stores that pass by). As the machine's own policy it takes every line. */
    return opt_create(config, units, !is_offline(config), options, 0, &node->opt);
}

/* The node of an array of `size` byte nodes that simulates `stage` of this machine behind `parent`,
 * or NO_NODE. */
static int find_node(const void *nodes, size_t count, size_t size, const struct node *wanted,
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
    *number = find_node(stages->l1ds, stages->l1d_count, sizeof *stages->l1ds, &wanted, STAGE_L1D);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&stages->l1ds, &stages->l1d_capacity, stages->l1d_count + 1))
        return STATUS_MEMORY;
    *number = (int)stages->l1d_count++;
    struct cache_node *node = &stages->l1ds[*number];
    *node = (struct cache_node){.node = wanted, .ways = machine->l1d.ways};
    if (!machine->l1d.enabled)
        return STATUS_OK;
    unsigned classify = stages->needs & NEED_CLASSES_L1D ? CACHE_CLASSIFY : 0;
    return create_cache_node(node, &machine->l1d, (unsigned)machine->gpu.sms, CACHE_L1 | classify,
                             stages->needs & NEED_OPT_L1D);
}

static enum status add_l2(struct stages *stages, const struct machine *machine, int l1d,
                          int *number)
{
    /* An offline L1D decides its misses only at the end: nothing can stand behind it. */
    bool fed = !machine->l1d.enabled || !is_offline(&machine->l1d);
    *number = NO_NODE;
    if (!machine->l2.enabled || !fed)
        return STATUS_OK;
    struct node wanted = {machine, machine_hash(machine, STAGE_L2), l1d};
    *number = find_node(stages->l2s, stages->l2_count, sizeof *stages->l2s, &wanted, STAGE_L2);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&stages->l2s, &stages->l2_capacity, stages->l2_count + 1))
        return STATUS_MEMORY;
    *number = (int)stages->l2_count++;
    struct cache_node *node = &stages->l2s[*number];
    *node = (struct cache_node){.node = wanted};
    enum status status = partition_init(&node->partition, &machine->l2);
    unsigned classify = stages->needs & NEED_CLASSES_L2 ? CACHE_CLASSIFY : 0;
    return status ? status
                  : create_cache_node(node, &machine->l2, (unsigned)machine->l2.slices, classify,
                                      stages->needs & NEED_OPT_L2);
}

static enum status add_page_stream(struct stages *stages, uint64_t page_size)
{
    for (size_t i = 0; i < stages->page_count; i++)
        if (stages->pages[i].page_size == page_size)
            return STATUS_OK;
    if (array_reserve(&stages->pages, &stages->page_capacity, stages->page_count + 1))
        return STATUS_MEMORY;
    stages->pages[stages->page_count++] = (struct page_stream){.page_size = page_size};
    return STATUS_OK;
}

static enum status add_tlb(struct stages *stages, const struct machine *machine, int *number)
{
    *number = NO_NODE;
    if (!machine->tlb.enabled)
        return STATUS_OK;
    struct node wanted = {machine, machine_hash(machine, STAGE_TLB), NO_NODE};
    *number = find_node(stages->tlbs, stages->tlb_count, sizeof *stages->tlbs, &wanted, STAGE_TLB);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&stages->tlbs, &stages->tlb_capacity, stages->tlb_count + 1))
        return STATUS_MEMORY;
    *number = (int)stages->tlb_count++;
    struct tlb_node *node = &stages->tlbs[*number];
    *node = (struct tlb_node){.node = wanted};
    struct cache_config config = {
        .enabled = 1,
        .size = machine->tlb.entries * PAGE_TOKEN,
        .ways = machine->tlb.ways,
        .line = PAGE_TOKEN,
        .sector = PAGE_TOKEN,
        .index = INDEX_LINEAR,
        .replacement = machine->tlb.replacement,
        .write = WRITE_READ_ONLY,
        .slices = 1,
    };
    enum status status = add_page_stream(stages, machine->page.size);
    return status
               ? status
               : cache_create(&config, (unsigned)machine->gpu.sms, machine->seed, 0, &node->cache);
}

static enum status add_pwc(struct stages *stages, const struct machine *machine, int tlb,
                           int *number)
{
    *number = NO_NODE;
    if (tlb == NO_NODE)
        return STATUS_OK;
    struct node wanted = {machine, machine_hash(machine, STAGE_PWC), tlb};
    *number = find_node(stages->pwcs, stages->pwc_count, sizeof *stages->pwcs, &wanted, STAGE_PWC);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&stages->pwcs, &stages->pwc_capacity, stages->pwc_count + 1))
        return STATUS_MEMORY;
    *number = (int)stages->pwc_count++;
    struct pwc_node *node = &stages->pwcs[*number];
    *node = (struct pwc_node){.node = wanted};
    return pwc_create(&machine->pwc, machine->page.size, &node->pwc);
}

enum status stages_add(struct stages *stages, const struct machine *machine, size_t *leaf)
{
    if (array_reserve(&stages->leaves, &stages->leaf_capacity, stages->leaf_count + 1))
        return STATUS_MEMORY;
    struct leaf added = {NO_NODE, NO_NODE, NO_NODE, NO_NODE};
    enum status status = add_l1d(stages, machine, &added.l1d);
    if (!status)
        status = add_l2(stages, machine, added.l1d, &added.l2);
    if (!status)
        status = add_tlb(stages, machine, &added.tlb);
    if (!status)
        status = add_pwc(stages, machine, added.tlb, &added.pwc);
    *leaf = stages->leaf_count;
    if (!status)
        stages->leaves[stages->leaf_count++] = added;
    return status;
}

enum status stages_launch(struct stages *stages, const struct trace_launch *launch)
{
    for (size_t i = 0; i < stages->l1d_count; i++) {
        struct cache_node *node = &stages->l1ds[i];
        if (!node->cache)
            continue;
        enum status status = STATUS_OK;
        if (node->node.machine->l1d.flush)
            status = cache_flush(node->cache, &node->down);
        if (!status && node->node.machine->l1d.unified)
            status = cache_resize(node->cache, occupancy_l1d_ways(node->node.machine, launch),
                                  &node->down);
        if (status)
            return status;
    }
    for (size_t i = 0; i < stages->l2_count; i++)
        if (stages->l2s[i].cache && stages->l2s[i].node.machine->l2.flush) {
            enum status status = cache_flush(stages->l2s[i].cache, NULL);
            if (status)
                return status;
        }
    return STATUS_OK;
}

static enum status run_l2(struct stages *stages, struct cache_node *node,
                          const struct request_buffer *misses, struct diagnostics *diagnostics)
{
    struct request_buffer *sliced = &stages->sliced;
    if (array_reserve(&sliced->items, &sliced->capacity, misses->count))
        return STATUS_MEMORY;
    partition_requests(&node->partition, misses->items, misses->count, sliced->items);
    enum status status = STATUS_OK;
    if (node->cache)
        status = cache_run(node->cache, sliced->items, misses->count, NULL);
    if (!status && node->opt)
        status = opt_run(node->opt, sliced->items, misses->count, diagnostics);
    return status;
}

static enum status run_caches(struct stages *stages, const struct request *requests, size_t count,
                              struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < stages->l1d_count; i++) {
        struct cache_node *node = &stages->l1ds[i];
        enum status status = STATUS_OK;
        if (node->cache) {
            status = cache_run(node->cache, requests, count, &node->down);
        } else if (!node->opt) {
            status =
                array_reserve(&node->down.items, &node->down.capacity, node->down.count + count);
            if (!status)
                memcpy(node->down.items + node->down.count, requests, count * sizeof *requests);
            node->down.count += status ? 0 : count;
        }
        if (!status && node->opt)
            status = opt_run(node->opt, requests, count, diagnostics);
        for (size_t k = 0; k < stages->l2_count && !status; k++)
            if (stages->l2s[k].node.parent == (int)i)
                status = run_l2(stages, &stages->l2s[k], &node->down, diagnostics);
        node->down.count = 0;
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* The distinct pages of each warp instruction. Its requests come highest address first, so equal
 * pages are neighbours. */
static enum status collect_pages(struct page_stream *pages, const struct request *requests,
                                 size_t count)
{
    if (array_reserve(&pages->items, &pages->capacity, count))
        return STATUS_MEMORY;
    int shift = __builtin_ctzll(pages->page_size);
    size_t made = 0;
    uint64_t last = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        uint64_t page = requests[i].address >> shift;
        if (page == last && !(requests[i].flags & REQUEST_FIRST))
            continue;
        last = page;
        pages->items[made++] = (struct request){.address = page * PAGE_TOKEN,
                                                .touched = UINT32_MAX,
                                                .unit = requests[i].unit,
                                                .bytes = PAGE_TOKEN,
                                                .op = OP_LOAD,
                                                .flags = REQUEST_FIRST};
    }
    pages->count = made;
    return STATUS_OK;
}

static const struct page_stream *find_pages(const struct stages *stages, uint64_t page_size)
{
    const struct page_stream *pages = stages->pages;
    while (pages->page_size != page_size)
        pages++;
    return pages;
}

static enum status run_translation(struct stages *stages, const struct request *requests,
                                   size_t count)
{
    for (size_t i = 0; i < stages->page_count; i++) {
        enum status status = collect_pages(&stages->pages[i], requests, count);
        if (status)
            return status;
    }
    for (size_t i = 0; i < stages->tlb_count; i++) {
        struct tlb_node *node = &stages->tlbs[i];
        const struct page_stream *pages = find_pages(stages, node->node.machine->page.size);
        node->down.count = 0;
        enum status status = cache_run(node->cache, pages->items, pages->count, &node->down);
        if (status)
            return status;
        for (size_t k = 0; k < stages->pwc_count; k++) {
            if (stages->pwcs[k].node.parent != (int)i)
                continue;
            for (size_t w = 0; w < node->down.count; w++)
                pwc_walk(stages->pwcs[k].pwc,
                         node->down.items[w].address / PAGE_TOKEN * pages->page_size);
        }
    }
    return STATUS_OK;
}

enum status stages_run(struct stages *stages, const struct request *requests, size_t count,
                       struct diagnostics *diagnostics)
{
    enum status status = run_caches(stages, requests, count, diagnostics);
    return status ? status : run_translation(stages, requests, count);
}

void stages_reset_counts(struct stages *stages)
{
    for (size_t i = 0; i < stages->l1d_count; i++)
        if (stages->l1ds[i].cache)
            cache_reset_counts(stages->l1ds[i].cache);
    for (size_t i = 0; i < stages->l2_count; i++)
        if (stages->l2s[i].cache)
            cache_reset_counts(stages->l2s[i].cache);
    for (size_t i = 0; i < stages->tlb_count; i++)
        cache_reset_counts(stages->tlbs[i].cache);
    for (size_t i = 0; i < stages->pwc_count; i++)
        pwc_reset_counts(stages->pwcs[i].pwc);
}

static enum status finish_nodes(struct cache_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i].opt) {
            enum status status = opt_finish(nodes[i].opt, &nodes[i].opt_counts);
            if (status)
                return status;
        }
    return STATUS_OK;
}

enum status stages_finish(struct stages *stages)
{
    enum status status = finish_nodes(stages->l1ds, stages->l1d_count);
    return status ? status : finish_nodes(stages->l2s, stages->l2_count);
}

enum count_group { COUNT_LOOKUPS, COUNT_TRAFFIC, COUNT_CLASSES };

/* Where a count of a cache goes in struct metrics, for either level. */
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
    CACHE_ROW(capacity, miss_capacity, COUNT_CLASSES),
    CACHE_ROW(conflict, miss_conflict, COUNT_CLASSES),
#undef CACHE_ROW
};

/* Puts the groups up to `last` into the metrics of an L1D (`l2` false) or an L2. */
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
}

static void put_cache(const struct cache_node *node, bool l2, bool classified,
                      struct metrics *metrics)
{
    if (node->cache) {
        struct cache_counts counts;
        cache_read_counts(node->cache, &counts);
        put_counts(&counts, l2, classified ? COUNT_CLASSES : COUNT_TRAFFIC, metrics);
    } else if (node->opt) {
        put_counts(&node->opt_counts, l2, COUNT_LOOKUPS, metrics);
    }
    if (!node->opt)
        return;
    double rate = (double)node->opt_counts.misses / (double)node->opt_counts.accesses;
    if (l2)
        metrics->l2_opt_miss_rate = rate; /* no access: 0/0, NaN */
    else
        metrics->l1d_opt_miss_rate = rate;
}

static void put_translation(const struct tlb_node *tlb, const struct pwc_node *pwc,
                            struct metrics *metrics)
{
    struct cache_counts counts;
    struct pwc_counts walks;
    cache_read_counts(tlb->cache, &counts);
    pwc_read_counts(pwc->pwc, &walks);
    metrics->tlb_accesses = (double)counts.accesses;
    metrics->tlb_misses = (double)counts.misses;
    metrics->walk_memory_accesses = (double)walks.memory_accesses;
    if (pwc->node.machine->pwc.organization == PWC_NONE)
        return;
    double all = (double)walks.walks; /* no walks: 0/0, NaN */
    metrics->pwc_l4_hit_rate = (double)walks.l4_hits / all;
    metrics->pwc_l3_hit_rate = (double)walks.l3_hits / all;
    metrics->pwc_l2_hit_rate = (double)walks.l2_hits / all;
}

void stages_metrics(const struct stages *stages, size_t leaf, struct metrics *metrics)
{
    const struct leaf *nodes = &stages->leaves[leaf];
    put_cache(&stages->l1ds[nodes->l1d], false, stages->needs & NEED_CLASSES_L1D, metrics);
    if (nodes->l2 != NO_NODE)
        put_cache(&stages->l2s[nodes->l2], true, stages->needs & NEED_CLASSES_L2, metrics);
    if (nodes->tlb != NO_NODE)
        put_translation(&stages->tlbs[nodes->tlb], &stages->pwcs[nodes->pwc], metrics);
}
