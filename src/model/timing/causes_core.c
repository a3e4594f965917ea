#include <string.h>

#include "base/memory.h"
#include "model/timing/causes_notes.h"

/* The causes of what happens in the core of an SM, and of launches and blocks. */

static struct warp_note *warp_of_event(struct sm_note *sm, const struct timing_event *event)
{
    return &sm->warps[event->slot % WARPS_MAX];
}

static struct block_note *block_of_warp(const struct causes *causes, struct sm_note *sm,
                                        uint32_t slot)
{
    return &sm->blocks[slot / causes->notes->warps_per_block % WARPS_MAX];
}

/* NULL: not since the launch began. */
static struct block_note *block_of_number(struct sm_note *sm, uint64_t number)
{
    for (uint32_t i = 0; i < WARPS_MAX; i++)
        if (sm->blocks[i].live && sm->blocks[i].number == number)
            return &sm->blocks[i];
    return NULL;
}

/* ---- launches and blocks ---- */

static void of_launch_end(struct causes *causes)
{
    const struct causes_notes *notes = causes->notes;
    for (uint32_t i = 0; i < notes->sm_count; i++)
        causes_add(causes, notes->sms[i].block_end, LINK_LAST_BLOCK, 0, 1);
}

static void of_block_start(struct causes *causes, struct sm_note *sm,
                           const struct timing_event *event)
{
    const struct causes_notes *notes = causes->notes;
    const struct machine *machine = causes->shared->machine;
    const uint64_t blocks = launch_blocks(&causes->shared->source->launches[notes->launch]);
    const uint32_t at = causes_newest(causes);
    uint32_t slot = 0;
    while (slot + 1 < WARPS_MAX && sm->blocks[slot].live)
        slot++;
    causes_add(causes, 0, LINK_BEGIN,
               machine->gpu.launch_latency + blocks * machine->gpu.block_latency, 0);
    causes_add(causes, sm->block_start, LINK_DEALT, 1, 0);
    causes_add(causes, sm->block_end, LINK_GAVE_ROOM, 0, 0);
    sm->blocks[slot] = (struct block_note){
        .live = true, .number = event->address, .release = NO_CAUSE, .arrivals = NO_CAUSE};
    const uint32_t first = slot * notes->warps_per_block;
    for (uint32_t i = 0; i < notes->warps_per_block; i++) {
        struct warp_note *warp = &sm->warps[(first + i) % WARPS_MAX];
        memset(warp, 0xff, sizeof *warp); /* NO_CAUSE */
        warp->start = at;
        warp->stores = warp->stores_left = 0;
    }
    const uint32_t end = first + notes->warps_per_block;
    if (sm->warp_count < end)
        sm->warp_count = end < WARPS_MAX ? end : WARPS_MAX;
    sm->block_start = at;
}

static void of_block_end(struct causes *causes, struct sm_note *sm,
                         const struct timing_event *event)
{
    const uint32_t warps = causes->notes->warps_per_block;
    struct block_note *block = block_of_number(sm, event->address);
    if (!block)
        return;
    const uint32_t first = (uint32_t)(block - sm->blocks) * warps;
    for (uint32_t i = 0; i < warps; i++)
        causes_add(causes, sm->warps[(first + i) % WARPS_MAX].end, LINK_WARPS, 0, 0);
    block->live = false;
    sm->block_end = causes_newest(causes);
}

/* ---- issue ---- */

static void of_decode(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    const struct sm_machine *shared = causes->shared;
    struct warp_note *warp = warp_of_event(sm, event);
    const uint64_t latency = shared->fetch_latency > 1 ? shared->fetch_latency : 1;
    const uint32_t before = warp->issue == NO_CAUSE ? warp->start : warp->issue;
    causes_add(causes, before, LINK_FETCHED, latency, 0);
    if (is_after(causes, warp->line, before)) {
        const uint64_t line = causes->events[warp->line].address;
        causes_add(causes,
                   causes_later(causes, causes_asked(causes, event->place, line)->back, warp->line),
                   LINK_LINE_CAME, 0, 1);
    }
    causes_add_beside(causes, sm->line);
    causes_add_beside(causes, sm->line_fill);
    causes_add(causes, sm->decode, LINK_TURN, shared->fetches == 1, 0);
    sm->decode = warp->decode = causes_newest(causes);
}

/* What a warp waits for as a whole: an atomic, copies, a fence. */
static void of_held_warp(struct causes *causes, struct sm_note *sm, const struct warp_note *warp)
{
    const struct op_note *op = causes_op(sm, warp->op);
    const struct sm_instruction *code = op ? &causes->notes->code->items[op->code] : NULL;
    if (!code)
        return;
    if (code->flags & INSTRUCTION_ATOMIC)
        for (const struct listed_note *request = causes_listed(causes, op->requests); request;
             request = causes_listed(causes, request->before))
            causes_add(causes, causes_data(causes, request), LINK_REPLY, causes->notes->router, 0);
    if (code->flags & INSTRUCTION_ATOMIC || code->action == ACTION_FENCE ||
        code->action == ACTION_WAIT)
        causes_add(causes, warp->done, LINK_GO_ON, 0, 0);
}

/* A scheduler that had nothing else to issue waits for room in the pipe. */
static void of_pipe(struct causes *causes, struct sm_note *sm, const struct sm_instruction *code,
                    uint32_t scheduler)
{
    uint32_t *before = &sm->pipes[causes->shared->subcores ? scheduler : 0][code->pipe];
    const bool waited = causes_awaited(causes);
    const uint32_t unit = causes_later(causes, sm->request, sm->look_up);
    if (waited && code->pipe == PIPE_MEMORY && causes_later(causes, unit, *before) != *before)
        causes_add_last(causes, unit, LINK_BEHIND);
    else if (waited && *before != NO_CAUSE)
        causes_add_last(causes, *before, LINK_LATCH);
    else
        causes_add(causes, *before, LINK_LATCH, code->occupied, 0);
    *before = causes_newest(causes);
}

static void note_op(struct causes *causes, struct sm_note *sm, struct warp_note *warp,
                    const struct timing_event *event)
{
    if (!sm->op_count)
        sm->first_order = event->id;
    if (array_reserve(&sm->ops, &sm->op_capacity, sm->op_count + 1)) {
        causes->status = STATUS_MEMORY;
        return;
    }
    warp->op = event->id;
    sm->ops[sm->op_count++] = (struct op_note){.issue = causes_newest(causes),
                                               .code = (uint32_t)event->address,
                                               .requests = NO_CAUSE,
                                               .pages = NO_CAUSE,
                                               .last_store = NO_CAUSE};
}

static void of_issue(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    const struct sm_machine *shared = causes->shared;
    struct warp_note *warp = warp_of_event(sm, event);
    const struct block_note *block = block_of_warp(causes, sm, event->slot);
    const struct sm_instruction *code = &causes->notes->code->items[event->address];
    const struct instruction *next = code->code;
    const uint32_t at = causes_newest(causes), scheduler = event->slot % shared->schedulers;
    for (unsigned i = 0; i < (unsigned)next->written + next->read; i++)
        causes_add(causes, warp->registers[next->registers[i] % REGISTER_COUNT], LINK_OPERAND, 0,
                   0);
    of_held_warp(causes, sm, warp);
    if (block->release != NO_CAUSE && (warp->issue == NO_CAUSE || block->release > warp->issue))
        causes_add(causes, block->release, LINK_RELEASE, 0, 0);
    causes_add(causes, warp->decode, LINK_DECODED, 0, 1);
    causes_add(causes, warp->issue, LINK_NEXT, shared->machine->scheduler.issue == 1, 0);
    causes_add(causes, sm->issues[scheduler], LINK_SLOT, shared->machine->scheduler.issue == 1, 0);
    of_pipe(causes, sm, code, scheduler);
    causes_add_beside(causes, sm->issue);
    causes_add_beside(causes, sm->done);
    sm->issue = sm->issues[scheduler] = warp->issue = at;
    note_op(causes, sm, warp, event);
}

/* ---- ends of instructions ---- */

static void note_done(struct causes *causes, struct sm_note *sm, struct op_note *op,
                      const struct timing_event *event)
{
    struct warp_note *warp = warp_of_event(sm, event);
    const struct instruction *code = causes->notes->code->items[op->code].code;
    const uint32_t at = causes_newest(causes);
    causes_add_beside(causes, sm->issue);
    causes_add_beside(causes, sm->done);
    sm->done = at;
    if (op->issue < warp->start)
        return; /* of the warp that was there before */
    warp->done = at;
    for (unsigned i = 0; i < code->written; i++)
        warp->registers[code->registers[i] % REGISTER_COUNT] = at;
}

static void of_written(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    struct op_note *op = causes_op(sm, event->id);
    if (!op)
        return;
    const struct sm_instruction *code = &causes->notes->code->items[op->code];
    const uint32_t steps = causes_collect_steps(causes, code);
    if (code->pipe == PIPE_MEMORY)
        causes_add(causes, op->issue, LINK_SHARED, 0, steps + 1);
    else
        causes_add(causes, op->issue, LINK_EXECUTE, code->latency ? code->latency - 1u : 0,
                   steps + 3);
    op->done = op->requests == NO_CAUSE;
    note_done(causes, sm, op, event);
}

static void of_loaded(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    struct op_note *op = causes_op(sm, event->id);
    if (!op)
        return;
    for (const struct listed_note *request = causes_listed(causes, op->requests); request;
         request = causes_listed(causes, request->before)) {
        const uint32_t data = causes_data(causes, request);
        const bool there = data != NO_CAUSE && causes_after(causes, data) ==
                                                   causes_after(causes, causes_newest(causes));
        causes_add(causes, data, LINK_DATA, 0, there ? 0 : 2);
    }
    const struct sm_instruction *code = &causes->notes->code->items[op->code];
    causes_add(causes, op->issue, LINK_SHARED, 0, causes_collect_steps(causes, code));
    op->done = true;
    note_done(causes, sm, op, event);
}

/* ---- barriers and ends of warps ---- */

static bool is_exit(const struct causes *causes, struct sm_note *sm, const struct warp_note *warp)
{
    const struct op_note *op = causes_op(sm, warp->op);
    return op && causes->notes->code->items[op->code].action == ACTION_EXIT;
}

static void of_release(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    const uint32_t warps = causes->notes->warps_per_block;
    struct block_note *block = block_of_number(sm, event->address);
    if (!block)
        return;
    for (const struct listed_note *arrival = causes_listed(causes, block->arrivals); arrival;
         arrival = causes_listed(causes, arrival->before))
        causes_add(causes, arrival->event, LINK_ARRIVAL, 0, 0);
    for (uint32_t i = 0; i < warps; i++) {
        const struct warp_note *warp =
            &sm->warps[((uint32_t)(block - sm->blocks) * warps + i) % WARPS_MAX];
        if (is_exit(causes, sm, warp))
            causes_add(causes, warp->issue, LINK_ARRIVAL, 0, 0);
    }
    block->release = causes_newest(causes);
    block->arrivals = NO_CAUSE;
}

static void of_barrier(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    struct block_note *block = block_of_warp(causes, sm, event->slot);
    causes_add(causes, warp_of_event(sm, event)->issue, LINK_ITSELF, 0, 0);
    block->arrivals = causes_list(causes, block->arrivals);
}

static void of_warp_end(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    struct warp_note *warp = warp_of_event(sm, event);
    causes_add(causes, warp->issue, LINK_ENDING, 0, 0);
    causes_add(causes, warp->done, LINK_DRAINED, 0, 0);
    causes_add(causes, warp->decode, LINK_DECODED, 0, 0);
    const struct op_note *store = causes_op(sm, warp->store);
    for (; store; store = causes_op(sm, store->last_store))
        for (const struct listed_note *request = causes_listed(causes, store->requests); request;
             request = causes_listed(causes, request->before))
            causes_add(
                causes,
                causes_asked(causes, event->place, causes->events[request->event].address)->at_l2,
                LINK_ACKNOWLEDGED, 0, 0);
    warp->end = causes_newest(causes);
}

void causes_of_core(struct causes *causes, const struct timing_event *event)
{
    struct sm_note *sm = &causes->notes->sms[event->place];
    switch ((enum event_kind)event->kind) {
    case EVENT_launch_end:
        of_launch_end(causes);
        break;
    case EVENT_block_start:
        of_block_start(causes, sm, event);
        break;
    case EVENT_block_end:
        of_block_end(causes, sm, event);
        break;
    case EVENT_decode:
        of_decode(causes, sm, event);
        break;
    case EVENT_issue:
        of_issue(causes, sm, event);
        break;
    case EVENT_written:
        of_written(causes, sm, event);
        break;
    case EVENT_loaded:
        of_loaded(causes, sm, event);
        break;
    case EVENT_barrier:
        of_barrier(causes, sm, event);
        break;
    case EVENT_release:
        of_release(causes, sm, event);
        break;
    case EVENT_warp_end:
        of_warp_end(causes, sm, event);
        break;
    default:
        break;
    }
}
