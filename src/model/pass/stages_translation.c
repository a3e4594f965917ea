/* The translation part of the tree of stages (model/pass/stage_tree.h): TLBs that look up the pages
 * of each warp instruction, then shared TLBs, then page walks. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/pass/stages_state.h"

static enum status add_page_stream(struct stages *stages, uint64_t page_size)
{
    struct tlb_stage *own = tlb_stage(stages);
    for (size_t i = 0; i < own->page_count; i++)
        if (own->pages[i].page_size == page_size)
            return STATUS_OK;
    if (array_reserve(&own->pages, &own->page_capacity, own->page_count + 1))
        return STATUS_MEMORY;
    struct page_stream pages = {.page_size = page_size};
    enum status status = cache_batch_create(SHARE_LOOKUPS, stages->grids, &pages.batch);
    if (!status)
        own->pages[own->page_count++] = pages;
    return status;
}

const struct page_stream *stages_pages(const struct stages *stages, uint64_t page_size)
{
    const struct page_stream *pages = tlb_stage(stages)->pages;
    while (pages->page_size != page_size)
        pages++;
    return pages;
}

static enum status add_tlb_node(struct stages *stages, const struct machine *machine, int *number)
{
    struct tlb_stage *own = tlb_stage(stages);
    *number = NO_NODE;
    if (!machine->tlb.enabled)
        return STATUS_OK;
    struct node wanted = {machine, machine_hash(machine, STAGE_TLB), NO_NODE};
    *number = stages_find_node(own->nodes, own->count, sizeof *own->nodes, &wanted, STAGE_TLB);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&own->nodes, &own->capacity, own->count + 1))
        return STATUS_MEMORY;
    *number = (int)own->count++;
    struct tlb_node *node = &own->nodes[*number];
    *node = (struct tlb_node){.node = wanted};
    struct cache_config config = tlb_cache(&machine->tlb);
    enum status status = add_page_stream(stages, machine->page.size);
    return status
               ? status
               : cache_create(&config, (unsigned)machine->gpu.sms, machine->seed, 0, &node->cache);
}

/* Compares only what a shared TLB depends on. Other STAGE_PWC parameters belong to the walkers and
 * the page-walk cache, which share one shared TLB even if they differ. */
static bool same_l2tlb(const struct machine *a, const struct machine *b)
{
    static const char group[] = "l2tlb.";
    bool same = a->seed == b->seed;
    for (size_t i = 0; i < parameter_count && same; i++)
        if (!strncmp(parameters[i].path, group, sizeof group - 1))
            same = parameter_equal(&parameters[i], parameter_get(&parameters[i], a),
                                   parameter_get(&parameters[i], b));
    return same;
}

static enum status add_l2tlb(struct stages *stages, const struct machine *machine, int tlb,
                             int *number)
{
    struct pwc_stage *walks = pwc_stage(stages);
    *number = NO_NODE;
    if (!machine->l2tlb.enabled)
        return STATUS_OK;
    for (size_t i = 0; i < walks->l2tlb_count; i++)
        if (walks->l2tlbs[i].tlb == tlb && same_l2tlb(walks->l2tlbs[i].machine, machine)) {
            *number = (int)i;
            return STATUS_OK;
        }
    if (array_reserve(&walks->l2tlbs, &walks->l2tlb_capacity, walks->l2tlb_count + 1))
        return STATUS_MEMORY;
    *number = (int)walks->l2tlb_count++;
    struct l2tlb_node *node = &walks->l2tlbs[*number];
    *node = (struct l2tlb_node){.machine = machine, .tlb = tlb};
    struct cache_config config = tlb_cache(&machine->l2tlb);
    return cache_create(&config, 1, machine->seed, 0, &node->cache);
}

static enum status pwc_stage_add(struct stages *stages, const struct machine *machine,
                                 struct leaf *added)
{
    struct pwc_stage *walks = pwc_stage(stages);
    const int tlb = added->places[STAGE_INDEX_TLB].node;
    int *number = &added->places[STAGE_INDEX_PWC].node;
    if (tlb == NO_NODE)
        return STATUS_OK;
    bool coupled = machine_couples(machine);
    unsigned depends = coupled ? (unsigned)COUPLED_PWC : STAGE_PWC;
    struct node wanted = {machine, machine_hash(machine, depends), tlb};
    *number = stages_find_node(walks->nodes, walks->count, sizeof *walks->nodes, &wanted, depends);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&walks->nodes, &walks->capacity, walks->count + 1))
        return STATUS_MEMORY;
    *number = (int)walks->count++;
    struct pwc_node *node = &walks->nodes[*number];
    *node = (struct pwc_node){.node = wanted};
    enum status status = add_l2tlb(stages, machine, tlb, &node->l2tlb);
    if (!status && coupled)
        status = stages_couple(stages, node, added->places[STAGE_INDEX_L2].node);
    struct walk_memory memory = coupling_memory(node->coupling);
    return status ? status
                  : walk_unit_create(machine, stages->needs & NEED_TIMES(STAGE_PWC), &memory,
                                     &node->instance);
}

static enum status tlb_add(struct stages *stages, const struct machine *machine, struct leaf *added)
{
    struct stage_place *place = &added->places[STAGE_INDEX_TLB];
    struct cache_config config = tlb_cache(&machine->tlb);
    bool alone = machine->tlb.enabled && machine->pwc.organization == PWC_NONE;
    if (!stages->share || !alone || !cache_batch_apply(&config, SHARE_LOOKUPS))
        return add_tlb_node(stages, machine, &place->node);
    enum status status = add_page_stream(stages, machine->page.size);
    if (status)
        return status;
    place->shared = true;
    return cache_batch_add(stages_pages(stages, machine->page.size)->batch, &config,
                           (unsigned)machine->gpu.sms, 0, &place->member);
}

/* Collects the distinct pages of each warp instruction whose space is translated. Requests come
 * highest address first, so equal pages are neighbours. */
static enum status collect_pages(struct page_stream *pages, const struct request *requests,
                                 size_t count)
{
    if (array_reserve(&pages->items, &pages->capacity, count))
        return STATUS_MEMORY;
    int shift = __builtin_ctzll(pages->page_size);
    const unsigned spaces = tlb_spaces();
    size_t made = 0;
    uint64_t last = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        uint64_t page = requests[i].address >> shift;
        pages->instructions += (requests[i].flags & REQUEST_FIRST) != 0;
        if (!(spaces & space_bit(requests[i].space)) ||
            (page == last && !(requests[i].flags & REQUEST_FIRST)))
            continue;
        last = page;
        pages->items[made++] = (struct request){.address = page * PAGE_TOKEN,
                                                .pc = pages->instructions,
                                                .touched = UINT32_MAX,
                                                .instance = requests[i].instance,
                                                .bytes = PAGE_TOKEN,
                                                .op = OP_LOAD,
                                                .flags = REQUEST_FIRST};
    }
    pages->count = made;
    return STATUS_OK;
}

const struct request_buffer *stages_walks(const struct stages *stages, const struct pwc_node *node)
{
    return node->l2tlb == NO_NODE ? &tlb_stage(stages)->nodes[node->node.parent].down
                                  : &pwc_stage(stages)->l2tlbs[node->l2tlb].down;
}

/* Sends the misses of TLB number `tlb` to everything after it. */
static enum status run_walks(struct stages *stages, size_t tlb)
{
    struct pwc_stage *own = pwc_stage(stages);
    const struct request_buffer *misses = &tlb_stage(stages)->nodes[tlb].down;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < misses->count; i++)
        misses->items[i].instance = 0; /* all SMs share what follows */
    for (size_t i = 0; i < own->l2tlb_count && !status; i++) {
        struct l2tlb_node *node = &own->l2tlbs[i];
        if (node->tlb != (int)tlb)
            continue;
        node->down.count = 0;
        status = cache_run(node->cache, misses->items, misses->count, &node->down);
    }
    for (size_t i = 0; i < own->count && !status; i++) {
        const struct pwc_node *node = &own->nodes[i];
        if (node->node.parent != (int)tlb || node->coupling)
            continue;
        const struct request_buffer *walks = stages_walks(stages, node);
        status = walk_unit_run(node->instance, walks->items, walks->count);
    }
    return status;
}

void stages_issued(struct stages *stages, uint32_t instructions)
{
    struct tlb_stage *own = tlb_stage(stages);
    for (size_t i = 0; i < own->page_count; i++)
        own->pages[i].instructions = instructions;
}

enum status stages_run_walks(struct stages *stages, const struct request *walks, size_t count)
{
    struct request_buffer *down = &tlb_stage(stages)->nodes[0].down;
    if (array_reserve(&down->items, &down->capacity, count))
        return STATUS_MEMORY;
    memcpy(down->items, walks, count * sizeof *walks);
    down->count = count;
    return run_walks(stages, 0);
}

static enum status tlb_run(struct stages *stages, const struct request *requests, size_t count,
                           struct diagnostics *diagnostics)
{
    struct tlb_stage *own = tlb_stage(stages);
    (void)diagnostics;
    for (size_t i = 0; i < own->page_count; i++) {
        struct page_stream *pages = &own->pages[i];
        enum status status = collect_pages(pages, requests, count);
        if (!status)
            status = cache_batch_run(pages->batch, pages->items, pages->count);
        if (status)
            return status;
    }
    for (size_t i = 0; i < own->count; i++) {
        struct tlb_node *node = &own->nodes[i];
        const struct page_stream *pages = stages_pages(stages, node->node.machine->page.size);
        node->down.count = 0;
        enum status status = cache_run(node->cache, pages->items, pages->count, &node->down);
        if (status)
            return status;
        if (!i && stages->logs.walks)
            request_log_append(stages->logs.walks, node->down.items, node->down.count);
        status = run_walks(stages, i);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static void tlb_count(struct stages *stages, bool counted)
{
    const struct tlb_stage *own = tlb_stage(stages);
    for (size_t i = 0; i < own->count; i++)
        cache_count(own->nodes[i].cache, counted);
}

static void pwc_stage_count(struct stages *stages, bool counted)
{
    const struct pwc_stage *own = pwc_stage(stages);
    for (size_t i = 0; i < own->l2tlb_count; i++)
        cache_count(own->l2tlbs[i].cache, counted);
    for (size_t i = 0; i < own->count; i++)
        walk_unit_count(own->nodes[i].instance, counted);
}

static enum status tlb_assume(struct stages *stages, bool emptied)
{
    const struct tlb_stage *own = tlb_stage(stages);
    enum status status = STATUS_OK;
    (void)emptied;
    for (size_t i = 0; i < own->count && !status; i++)
        status = cache_assume(own->nodes[i].cache);
    return status;
}

static enum status pwc_stage_assume(struct stages *stages, bool emptied)
{
    const struct pwc_stage *own = pwc_stage(stages);
    enum status status = STATUS_OK;
    (void)emptied;
    for (size_t i = 0; i < own->l2tlb_count && !status; i++)
        status = cache_assume(own->l2tlbs[i].cache);
    return status;
}

static enum status tlb_finish(struct stages *stages)
{
    const struct tlb_stage *own = tlb_stage(stages);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < own->page_count && !status; i++)
        status = cache_batch_finish(own->pages[i].batch);
    if (own->count && stages->logs.walks)
        request_log_reach(
            stages->logs.walks,
            stages_pages(stages, own->nodes[0].node.machine->page.size)->instructions);
    return status;
}

/* The walkers run until the last instruction, even if the last walk came earlier. */
static enum status pwc_stage_finish(struct stages *stages)
{
    const struct pwc_stage *own = pwc_stage(stages);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < own->count && !status; i++) {
        const struct pwc_node *node = &own->nodes[i];
        walk_unit_advance(node->instance,
                          stages_pages(stages, node->node.machine->page.size)->instructions);
        walk_unit_finish(node->instance);
        status = coupling_status(node->coupling);
    }
    return status;
}

static void tlb_put(const struct stages *stages, const struct leaf *leaf, struct metrics *metrics)
{
    const struct stage_place *place = &leaf->places[STAGE_INDEX_TLB];
    struct cache_counts counts;
    if (place->shared)
        cache_batch_counts(stages_pages(stages, leaf->machine->page.size)->batch, place->member,
                           &counts);
    else if (place->node != NO_NODE)
        cache_read_counts(tlb_stage(stages)->nodes[place->node].cache, &counts);
    else
        return;
    stages_put_tlb(&counts, metrics);
}

static void pwc_stage_put(const struct stages *stages, const struct leaf *leaf,
                          struct metrics *metrics)
{
    const int number = leaf->places[STAGE_INDEX_PWC].node;
    if (number != NO_NODE)
        stages_put_walks(stages, &pwc_stage(stages)->nodes[number], metrics);
}

static void tlb_free(struct stages *stages)
{
    struct tlb_stage *own = tlb_stage(stages);
    for (size_t i = 0; i < own->count; i++) {
        cache_free(own->nodes[i].cache);
        free(own->nodes[i].down.items);
    }
    for (size_t i = 0; i < own->page_count; i++) {
        free(own->pages[i].items);
        cache_batch_free(own->pages[i].batch);
    }
    free(own->nodes);
    free(own->pages);
}

static void pwc_stage_free(struct stages *stages)
{
    struct pwc_stage *own = pwc_stage(stages);
    for (size_t i = 0; i < own->l2tlb_count; i++) {
        cache_free(own->l2tlbs[i].cache);
        free(own->l2tlbs[i].down.items);
    }
    for (size_t i = 0; i < own->count; i++) {
        walk_unit_free(own->nodes[i].instance);
        coupling_free(own->nodes[i].coupling);
    }
    free(own->l2tlbs);
    free(own->nodes);
}

/* It runs the shared TLBs and the page walks after it, too. */
const struct stage_ops stage_ops_TLB = {
    .state_size = sizeof(struct tlb_stage),
    .add = tlb_add,
    .run = tlb_run,
    .count = tlb_count,
    .assume = tlb_assume,
    .finish = tlb_finish,
    .put = tlb_put,
    .free = tlb_free,
};

const struct stage_ops stage_ops_PWC = {
    .state_size = sizeof(struct pwc_stage),
    .add = pwc_stage_add,
    .run = stages_run_coupled,
    .count = pwc_stage_count,
    .assume = pwc_stage_assume,
    .finish = pwc_stage_finish,
    .put = pwc_stage_put,
    .free = pwc_stage_free,
};
