/* The translation part of the tree of stages (model/pass/stages.h): TLBs that look up the pages of
 * each warp instruction, then shared TLBs, then page walks. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/pass/stages_state.h"

static enum status add_page_stream(struct stages *stages, uint64_t page_size)
{
    for (size_t i = 0; i < stages->page_count; i++)
        if (stages->pages[i].page_size == page_size)
            return STATUS_OK;
    if (array_reserve(&stages->pages, &stages->page_capacity, stages->page_count + 1))
        return STATUS_MEMORY;
    struct page_stream pages = {.page_size = page_size};
    enum status status = cache_batch_create(SHARE_LOOKUPS, stages->grids, &pages.batch);
    if (!status)
        stages->pages[stages->page_count++] = pages;
    return status;
}

const struct page_stream *stages_pages(const struct stages *stages, uint64_t page_size)
{
    const struct page_stream *pages = stages->pages;
    while (pages->page_size != page_size)
        pages++;
    return pages;
}

static enum status add_tlb(struct stages *stages, const struct machine *machine, int *number)
{
    *number = NO_NODE;
    if (!machine->tlb.enabled)
        return STATUS_OK;
    struct node wanted = {machine, machine_hash(machine, STAGE_TLB), NO_NODE};
    *number =
        stages_find_node(stages->tlbs, stages->tlb_count, sizeof *stages->tlbs, &wanted, STAGE_TLB);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&stages->tlbs, &stages->tlb_capacity, stages->tlb_count + 1))
        return STATUS_MEMORY;
    *number = (int)stages->tlb_count++;
    struct tlb_node *node = &stages->tlbs[*number];
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
    *number = NO_NODE;
    if (!machine->l2tlb.enabled)
        return STATUS_OK;
    for (size_t i = 0; i < stages->l2tlb_count; i++)
        if (stages->l2tlbs[i].tlb == tlb && same_l2tlb(stages->l2tlbs[i].machine, machine)) {
            *number = (int)i;
            return STATUS_OK;
        }
    if (array_reserve(&stages->l2tlbs, &stages->l2tlb_capacity, stages->l2tlb_count + 1))
        return STATUS_MEMORY;
    *number = (int)stages->l2tlb_count++;
    struct l2tlb_node *node = &stages->l2tlbs[*number];
    *node = (struct l2tlb_node){.machine = machine, .tlb = tlb};
    struct cache_config config = tlb_cache(&machine->l2tlb);
    return cache_create(&config, 1, machine->seed, 0, &node->cache);
}

static enum status add_pwc(struct stages *stages, const struct machine *machine, int tlb, int l2,
                           int *number)
{
    *number = NO_NODE;
    if (tlb == NO_NODE)
        return STATUS_OK;
    bool coupled = machine_couples(machine);
    unsigned depends = coupled ? (unsigned)COUPLED_PWC : STAGE_PWC;
    struct node wanted = {machine, machine_hash(machine, depends), tlb};
    *number =
        stages_find_node(stages->pwcs, stages->pwc_count, sizeof *stages->pwcs, &wanted, depends);
    if (*number != NO_NODE)
        return STATUS_OK;
    if (array_reserve(&stages->pwcs, &stages->pwc_capacity, stages->pwc_count + 1))
        return STATUS_MEMORY;
    *number = (int)stages->pwc_count++;
    struct pwc_node *node = &stages->pwcs[*number];
    *node = (struct pwc_node){.node = wanted};
    enum status status = add_l2tlb(stages, machine, tlb, &node->l2tlb);
    if (!status && coupled)
        status = stages_couple(stages, node, l2);
    struct walk_memory memory = coupling_memory(node->coupling);
    return status ? status
                  : walk_unit_create(machine, stages->needs & NEED_TIMES(STAGE_PWC), &memory,
                                     &node->instance);
}

enum status stages_add_translation(struct stages *stages, const struct machine *machine,
                                   struct leaf *added)
{
    struct cache_config config = tlb_cache(&machine->tlb);
    bool alone = machine->tlb.enabled && machine->pwc.organization == PWC_NONE;
    if (stages->share && alone && cache_batch_apply(&config, SHARE_LOOKUPS)) {
        enum status status = add_page_stream(stages, machine->page.size);
        if (status)
            return status;
        added->tlb_shared = true;
        added->page_size = machine->page.size;
        return cache_batch_add(stages_pages(stages, machine->page.size)->batch, &config,
                               (unsigned)machine->gpu.sms, 0, &added->tlb_member);
    }
    enum status status = add_tlb(stages, machine, &added->tlb);
    return status ? status : add_pwc(stages, machine, added->tlb, added->l2, &added->pwc);
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
    return node->l2tlb == NO_NODE ? &stages->tlbs[node->node.parent].down
                                  : &stages->l2tlbs[node->l2tlb].down;
}

/* Sends the misses of TLB number `tlb` to everything after it. */
static enum status run_walks(struct stages *stages, size_t tlb)
{
    const struct request_buffer *misses = &stages->tlbs[tlb].down;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < misses->count; i++)
        misses->items[i].instance = 0; /* all SMs share what follows */
    for (size_t i = 0; i < stages->l2tlb_count && !status; i++) {
        struct l2tlb_node *node = &stages->l2tlbs[i];
        if (node->tlb != (int)tlb)
            continue;
        node->down.count = 0;
        status = cache_run(node->cache, misses->items, misses->count, &node->down);
    }
    for (size_t i = 0; i < stages->pwc_count && !status; i++) {
        const struct pwc_node *node = &stages->pwcs[i];
        if (node->node.parent != (int)tlb || node->coupling)
            continue;
        const struct request_buffer *walks = stages_walks(stages, node);
        status = walk_unit_run(node->instance, walks->items, walks->count);
    }
    return status;
}

void stages_issued(struct stages *stages, uint32_t instructions)
{
    for (size_t i = 0; i < stages->page_count; i++)
        stages->pages[i].instructions = instructions;
}

enum status stages_run_walks(struct stages *stages, const struct request *walks, size_t count)
{
    struct request_buffer *down = &stages->tlbs[0].down;
    if (array_reserve(&down->items, &down->capacity, count))
        return STATUS_MEMORY;
    memcpy(down->items, walks, count * sizeof *walks);
    down->count = count;
    return run_walks(stages, 0);
}

enum status stages_run_translation(struct stages *stages, const struct request *requests,
                                   size_t count)
{
    for (size_t i = 0; i < stages->page_count; i++) {
        struct page_stream *pages = &stages->pages[i];
        enum status status = collect_pages(pages, requests, count);
        if (!status)
            status = cache_batch_run(pages->batch, pages->items, pages->count);
        if (status)
            return status;
    }
    for (size_t i = 0; i < stages->tlb_count; i++) {
        struct tlb_node *node = &stages->tlbs[i];
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

void stages_count_translation(struct stages *stages, bool counted)
{
    for (size_t i = 0; i < stages->tlb_count; i++)
        cache_count(stages->tlbs[i].cache, counted);
    for (size_t i = 0; i < stages->l2tlb_count; i++)
        cache_count(stages->l2tlbs[i].cache, counted);
    for (size_t i = 0; i < stages->pwc_count; i++)
        walk_unit_count(stages->pwcs[i].instance, counted);
}

enum status stages_assume_translation(struct stages *stages)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < stages->tlb_count && !status; i++)
        status = cache_assume(stages->tlbs[i].cache);
    for (size_t i = 0; i < stages->l2tlb_count && !status; i++)
        status = cache_assume(stages->l2tlbs[i].cache);
    return status;
}

enum status stages_finish_translation(struct stages *stages)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < stages->page_count && !status; i++)
        status = cache_batch_finish(stages->pages[i].batch);
    /* The walkers run until the last instruction, even if the last walk came earlier. */
    for (size_t i = 0; i < stages->pwc_count && !status; i++) {
        const struct pwc_node *node = &stages->pwcs[i];
        walk_unit_advance(node->instance,
                          stages_pages(stages, node->node.machine->page.size)->instructions);
        walk_unit_finish(node->instance);
        status = coupling_status(node->coupling);
    }
    if (stages->tlb_count && stages->logs.walks)
        request_log_reach(
            stages->logs.walks,
            stages_pages(stages, stages->tlbs[0].node.machine->page.size)->instructions);
    return status;
}

void stages_free_translation(struct stages *stages)
{
    for (size_t i = 0; i < stages->tlb_count; i++) {
        cache_free(stages->tlbs[i].cache);
        free(stages->tlbs[i].down.items);
    }
    for (size_t i = 0; i < stages->l2tlb_count; i++) {
        cache_free(stages->l2tlbs[i].cache);
        free(stages->l2tlbs[i].down.items);
    }
    for (size_t i = 0; i < stages->pwc_count; i++) {
        walk_unit_free(stages->pwcs[i].instance);
        coupling_free(stages->pwcs[i].coupling);
    }
    for (size_t i = 0; i < stages->page_count; i++) {
        free(stages->pages[i].items);
        cache_batch_free(stages->pages[i].batch);
    }
    free(stages->tlbs);
    free(stages->l2tlbs);
    free(stages->pwcs);
    free(stages->pages);
}
