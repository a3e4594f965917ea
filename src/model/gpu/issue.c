#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/gpu/address_space.h"
#include "model/gpu/issue_parts.h"
#include "model/gpu/occupancy.h"

enum status issue_flush(struct issue *issue)
{
    enum status status = STATUS_OK;
    if (!addresses_fit(issue->machine, issue->batch, issue->batch_count))
        return addresses_refuse(issue->machine, issue->batch, issue->batch_count,
                                issue->diagnostics);
    if (!addresses_fit(issue->machine, issue->fetched, issue->fetched_count))
        return addresses_refuse(issue->machine, issue->fetched, issue->fetched_count,
                                issue->diagnostics);
    if (issue->batch_count)
        status = issue->sink->requests(issue->sink->argument, issue->batch, issue->batch_count);
    issue->batch_count = 0;
    if (!status && issue->fetched_count)
        status = issue->sink->fetches(issue->sink->argument, issue->fetched, issue->fetched_count);
    issue->fetched_count = issue->stretch = 0;
    for (uint32_t i = 0; i < issue->sm_count; i++)
        issue->sms[i].last = NULL;
    if (!status)
        status = issue->sink->progress(issue->sink->argument, issue->counts);
    return status;
}

/* Reads the next records of a warp and sets the round in which it issues the first; after the last
 * one that of the last instruction of its tail, which keeps the block where it is although it asks
 * for nothing; NEVER if it has ended. */
static enum status refill(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round)
{
    assert(issue->warps_per_block); /* a launch without warps issues nothing */
    if (issue->stepped)
        return issue_refill_stepped(issue, sm, index, round);
    struct warp *warp = &sm->warps[index];
    struct slot *slot = &sm->slots[warp->slot];
    const struct trace_source_ops *ops = issue->source->ops;
    sm->due[index] = NEVER;
    if (!warp->window.end) {
        enum status status =
            ops->read(slot->reader, warp->number, &warp->window, issue->diagnostics);
        if (status)
            return status;
        warp->next = 0;
        if (warp->window.count) {
            sm->due[index] = round + warp->window.items[0].gap;
            return STATUS_OK;
        }
    }
    if (warp->window.tail) {
        counts_of(issue, slot)->records.warp_instructions += warp->window.tail;
        sm->due[index] = round + warp->window.tail - 1;
        warp->window.tail = 0;
    } else {
        end_warp(issue, slot, round);
    }
    return STATUS_OK;
}

/* Puts the SM's next block into a free slot, or leaves the slot empty if there is none. It loops
 * because blocks without instructions end at once. */
static enum status fill_slot(struct issue *issue, struct sm *sm, uint32_t slot_index,
                             uint64_t round)
{
    struct slot *slot = &sm->slots[slot_index];
    const struct trace_source_ops *ops = issue->source->ops;
    while (!slot->running) {
        if (slot->reader) {
            ops->close_block(slot->reader);
            slot->reader = NULL;
            issue->counts->blocks++;
        }
        if (sm->next_block >= issue->blocks)
            return STATUS_OK;
        enum status status = ops->open_block(issue->source, issue->launch, sm->next_block,
                                             &slot->reader, issue->diagnostics);
        if (status)
            return status;
        const uint64_t row = issue->before + sm->next_block;
        const struct issue_range *counted = issue->sink->counted;
        slot->aside = counted && (row < counted->first || row >= counted->end);
        slot->begun = round;
        slot->base = sm->next_block * issue->machine->l1i.block_stride;
        sm->next_block += issue->sm_count;
        slot->running = issue->warps_per_block;
        uint32_t first = slot_index * issue->warps_per_block;
        for (uint32_t w = first; w < first + issue->warps_per_block; w++) {
            struct warp *warp = &sm->warps[w];
            warp->slot = slot_index;
            warp->number = w - first;
            warp->window.end = warp->issued.end = false;
            warp->window.count = warp->issued.count = warp->next = warp->at = 0;
            status = refill(issue, sm, w, round);
            if (status)
                return status;
        }
    }
    return STATUS_OK;
}

void issue_send(struct issue *issue, struct sm *sm, uint32_t index)
{
    struct warp *warp = &sm->warps[index];
    struct warp_access *access = &warp->window.items[warp->next++];
    const struct slot *own = &sm->slots[warp->slot];
    struct issue_counts *counts = counts_of(issue, own);
    const bool past_l1 = access->op == OP_LOAD && access->flags & ACCESS_BYPASS_L1;
    const bool fetch = access->space == SPACE_INSTRUCTION && issue->fetched;
    struct request *requests =
        fetch ? issue->fetched + issue->fetched_count : issue->batch + issue->batch_count;
    record_count(&counts->records, access);
    access_issue(issue->machine, access);
    unsigned made = coalesce_remembered(&issue->memo, &issue->machine->coalescer, access,
                                        &warp->window, (uint16_t)(sm - issue->sms), requests);
    counts->transactions += made;
    counts->past_l1 += past_l1 ? made : 0;
    if (fetch)
        issue->fetched_count += made;
    else if (issue->spaces & space_bit(access->space))
        issue->batch_count += made;
    for (unsigned i = 0; own->aside && i < made; i++)
        requests[i].flags |= REQUEST_ASIDE;
    for (unsigned i = 0; fetch && i < made; i++)
        requests[i].touched = 1;
    sm->last = fetch ? NULL : sm->last;
}

enum status issue_turn_page(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round)
{
    enum status status = refill(issue, sm, index, round);
    uint32_t slot = sm->warps[index].slot;
    if (!status && !sm->slots[slot].running)
        status = fill_slot(issue, sm, slot, round);
    return status;
}

/* Issues the record that is due and advances the warp. */
static enum status issue_record(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round)
{
    struct warp *warp = &sm->warps[index];
    const struct slot *own = &sm->slots[warp->slot];
    counts_of(issue, own)->records.warp_instructions +=
        (uint64_t)warp->window.items[warp->next].gap + 1;
    issue_send(issue, sm, index);
    if (warp->next < warp->window.count)
        sm->due[index] = round + 1 + warp->window.items[warp->next].gap;
    else
        return issue_turn_page(issue, sm, index, round + 1);
    return STATUS_OK;
}

static enum status issue_due(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round)
{
    const struct warp *warp = &sm->warps[index];
    if (warp->next == warp->window.count)
        return issue_turn_page(issue, sm, index, round + 1);
    enum status status = issue_record(issue, sm, index, round);
    return status || !batch_full(issue) ? status : issue_flush(issue);
}

/* Issues what is due of an SM in this round. A warp that starts in this round in place of one that
 * ended is due in a later round, so each slot issues at most once. */
static enum status issue_round(struct issue *issue, struct sm *sm, uint64_t round)
{
    uint32_t warps = issue->slots * issue->warps_per_block;
    enum status status = issue->stepped ? issue_stepped(issue, sm, round) : STATUS_OK;
    for (uint32_t w = 0; w < warps && !issue->stepped && !status; w++)
        if (sm->due[w] == round)
            status = issue_due(issue, sm, w, round);
    if (status)
        return status;
    uint64_t next = NEVER;
    for (uint32_t w = 0; w < warps; w++)
        next = sm->due[w] < next ? sm->due[w] : next;
    sm->next_due = next;
    return STATUS_OK;
}

static void free_sms(struct issue *issue)
{
    uint32_t warps = issue->slots * issue->warps_per_block;
    for (uint32_t s = 0; issue->sms && s < issue->sm_count; s++) {
        struct sm *sm = &issue->sms[s];
        for (uint32_t i = 0; sm->slots && i < issue->slots; i++)
            issue->source->ops->close_block(sm->slots[i].reader);
        for (uint32_t w = 0; sm->warps && w < warps; w++) {
            window_free(&sm->warps[w].window);
            instruction_window_free(&sm->warps[w].issued);
        }
        free(sm->slots);
        free(sm->warps);
        free(sm->due);
    }
    free(issue->sms);
    issue->sms = NULL;
}

static enum status create_sms(struct issue *issue)
{
    uint32_t warps = issue->slots * issue->warps_per_block;
    issue->sms = calloc(issue->sm_count, sizeof *issue->sms);
    if (!issue->sms)
        return STATUS_MEMORY;
    for (uint32_t s = 0; s < issue->sm_count; s++) {
        struct sm *sm = &issue->sms[s];
        sm->due = malloc(warps * sizeof *sm->due);
        sm->warps = calloc(warps, sizeof *sm->warps);
        sm->slots = calloc(issue->slots, sizeof *sm->slots);
        if (!sm->due || !sm->warps || !sm->slots)
            return STATUS_MEMORY;
        memset(sm->due, 0xff, warps * sizeof *sm->due); /* NEVER */
        for (uint32_t w = 0; w < warps; w++)
            if (window_init(&sm->warps[w].window, WARP_WINDOW) ||
                (issue->stepped && instruction_window_init(&sm->warps[w].issued, ISSUED_WINDOW)))
                return STATUS_MEMORY;
    }
    return STATUS_OK;
}

/* Prepares the SMs for a launch. SMs of the previous launch are reused if the shape is the same. */
static enum status prepare_sms(struct issue *issue, const struct trace_launch *launch)
{
    struct occupancy occupancy = occupancy_of(issue->machine, launch);
    if (!occupancy.blocks)
        return diagnostics_error(issue->diagnostics, STATUS_INVALID,
                                 "launch %u (%s) does not fit an SM: its %s do not", issue->launch,
                                 launch->name ? launch->name : "unnamed",
                                 occupancy_limit_name(occupancy.limit));
    issue->blocks = launch_blocks(launch);
    /* Slots beyond an SM's share of the blocks would stay empty. */
    uint64_t share = (issue->blocks + issue->sm_count - 1) / issue->sm_count;
    uint32_t slots = share < occupancy.blocks ? (uint32_t)share : occupancy.blocks;
    uint32_t warps_per_block = launch_warps(launch);
    if (issue->sms && slots == issue->slots && warps_per_block == issue->warps_per_block)
        return STATUS_OK;
    free_sms(issue);
    issue->slots = slots;
    issue->warps_per_block = warps_per_block;
    return create_sms(issue);
}

/* Issues one launch round by round, skipping rounds in which no warp of any SM is due. */
static enum status issue_launch(struct issue *issue, const struct trace_launch *launch)
{
    enum status status = prepare_sms(issue, launch);
    if (status || !issue->blocks)
        return status;
    status = issue->sink->launch(issue->sink->argument, launch);
    issue->code = trace_launch_code(issue->source, issue->launch);
    issue->end = 0;
    for (uint32_t s = 0; s < issue->sm_count && !status; s++) {
        struct sm *sm = &issue->sms[s];
        sm->next_block = s;
        for (uint32_t slot = 0; slot < issue->slots && !status; slot++)
            status = fill_slot(issue, sm, slot, 0);
        sm->next_due = 0;
    }
    while (!status) {
        uint64_t round = NEVER;
        for (uint32_t s = 0; s < issue->sm_count; s++)
            round = issue->sms[s].next_due < round ? issue->sms[s].next_due : round;
        if (round == NEVER)
            break;
        for (uint32_t s = 0; s < issue->sm_count && !status; s++)
            if (issue->sms[s].next_due == round)
                status = issue_round(issue, &issue->sms[s], round);
    }
    issue->counts->rounds += issue->end;
    issue->before += issue->blocks;
    return status ? status : issue_flush(issue);
}

enum status issue_source(const struct machine *machine, const struct trace_source *source,
                         const struct issue_sink *sink, struct issue_counts *counts,
                         struct diagnostics *diagnostics)
{
    struct issue issue = {
        .machine = machine,
        .source = source,
        .sink = sink,
        .counts = counts,
        .diagnostics = diagnostics,
        .sm_count = (uint32_t)machine->gpu.sms,
        .spaces = machine_spaces(machine),
        .batch = malloc((BATCH_REQUESTS + COALESCED_MAX) * sizeof *issue.batch),
        .stepped = sink->fetches && trace_source_timed(source),
        .line_bits = sink->fetch_line ? log2_floor(sink->fetch_line) : 0,
    };
    *counts = (struct issue_counts){0};
    enum status status = issue.batch ? STATUS_OK : STATUS_MEMORY;
    if (sink->fetches) {
        issue.fetched = malloc((BATCH_REQUESTS + COALESCED_MAX) * sizeof *issue.fetched);
        status = issue.fetched ? status : STATUS_MEMORY;
    }
    for (; !status && issue.launch < source->launch_count; issue.launch++)
        status = issue_launch(&issue, &source->launches[issue.launch]);
    free_sms(&issue);
    free(issue.batch);
    free(issue.fetched);
    return status;
}
