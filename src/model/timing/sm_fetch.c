#include "model/timing/sm_parts.h"

/* Fetch and decode: warps whose buffer is empty get their next two instructions, and warps that
 * have ended retire. */

#define CODE_BASE UINT64_C(0xf0000000) /* where GPGPU-Sim has instructions */

static bool read_more(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    struct instruction_window *window = &warp->instructions;
    if (window->end)
        return false;
    const enum status status = sm->shared->source->ops->read_instructions(
        sm->blocks[warp->block].reader, index % sm->warps_per_block, window, sm->diagnostics);
    warp->instruction_at = 0;
    if (status)
        sm->status = status;
    return !status && window->count;
}

/* The next instruction of a warp; NULL at the end of its stream. */
static inline const struct warp_instruction *next_instruction(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    if (warp->instruction_at == warp->instructions.count && !read_more(sm, index))
        return NULL;
    return &warp->instructions.items[warp->instruction_at];
}

static void decode(struct sm *sm)
{
    const uint32_t index = sm->fetch_buffer;
    struct sm_warp *warp = &sm->warps[index];
    sm->fetch_buffer = NO_WARP;
    warp->next = warp->buffered = 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct warp_instruction *next = next_instruction(sm, index);
        if (!next)
            break;
        warp->buffer[warp->buffered++] = *next;
        warp->instruction_at++;
    }
    warp->in_pipe += warp->buffered;
    set_bit(sm->fetchable, index, false);
    if (warp->buffered) {
        sm_decoded(sm, index);
    } else {
        if (warp->lanes)
            sm_end_warp(sm, index); /* a stream without an exit ends where it stops */
        sm_update(sm, index);
    }
    sm->progress = true;
}

static void retire(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    struct sm_block *block = &sm->blocks[warp->block];
    warp->present = false;
    set_bit(sm->endable, index, false);
    sm->schedulers[warp->scheduler].present &= ~(UINT64_C(1) << warp->slot);
    sm_update(sm, index);
    sm->resident--;
    sm->progress = true;
    if (sm->l1d.bypass)
        bypass_warp_left(sm->l1d.bypass, index);
    if (!--block->warps) {
        if (sm->l1d.bypass)
            bypass_block_ended(sm->l1d.bypass, block->order == sm->first_order);
        sm->shared->source->ops->close_block(block->reader);
        block->reader = NULL;
        sm->block_retired = true;
        if (!--sm->live_blocks)
            sm->emptied = sm->now + 1;
    }
}

static void fetch_warp(struct sm *sm, uint32_t index)
{
    enum unit_outcome outcome = UNIT_HIT;
    sm->fetched = index;
    if (sm->shared->machine->l1i.enabled) {
        const struct warp_instruction *next = next_instruction(sm, index);
        struct unit_effect effect;
        const uint64_t pc = next ? sm->code->items[next->code].code->pc : 0;
        if (cache_unit_read_again(&sm->l1i, (CODE_BASE + pc) >> sm->l1i.geometry.line_bits,
                                  sm->now)) {
            sm->fetch_buffer = index;
            sm->progress = true;
            return;
        }
        const struct packet request = {.address = CODE_BASE + pc,
                                       .bytes = 1,
                                       .kind = PACKET_FETCH,
                                       .id = index,
                                       .issued = sm->now,
                                       .sm = sm->number};
        outcome = cache_unit_access(
            &sm->l1i, &request, request.address >> sm->l1i.geometry.line_bits, sm->now, &effect);
    }
    if (outcome == UNIT_HIT) {
        sm->fetch_buffer = index;
        sm->progress = true;
    } else if (outcome < UNIT_FAIL) {
        set_bit(sm->fetchable, index, false);
        sm->progress = true;
    } else {
        sm->fetch_refused = true;
    }
}

/* Serves the warps round robin up to the first whose buffer is empty. Warps that have ended are
 * noticed on the way. */
static void fetch(struct sm *sm)
{
    const uint32_t count = sm->warp_slots;
    if (cache_unit_has_ready(&sm->l1i)) {
        sm->fetch_buffer = cache_unit_take(&sm->l1i).id;
        sm->progress = true;
        return;
    }
    const uint32_t from = sm->fetched + 1 < count ? sm->fetched + 1 : 0;
    const uint32_t first = set_next(sm->fetchable, from);
    if (!set_empty(sm->endable)) {
        const uint32_t distance = first == NO_WARP ? count : (first + count - from) % count;
        for (uint32_t at; (at = set_next(sm->endable, from)) != NO_WARP;) {
            if ((at + count - from) % count > distance)
                break;
            retire(sm, at);
        }
    }
    if (first != NO_WARP)
        fetch_warp(sm, first);
}

/* Whether the front end has anything to do. */
static bool busy(const struct sm *sm)
{
    return sm->fetch_buffer != NO_WARP || !set_empty(sm->fetchable) || !set_empty(sm->endable) ||
           cache_unit_has_ready(&sm->l1i) || sm->l1i.misses.count;
}

void sm_fetch(struct sm *sm)
{
    const uint64_t times = sm->shared->machine->core.fetch;
    const bool caches = sm->shared->machine->l1i.enabled;
    sm->fetch_refused = false;
    for (uint64_t i = 0; i < times && busy(sm); i++) {
        if (sm->fetch_buffer != NO_WARP)
            decode(sm);
        if (sm->fetch_buffer == NO_WARP)
            fetch(sm);
        if (caches && sm->l1i.misses.count)
            sm_send_miss(sm, &sm->l1i, sm->now);
    }
}
