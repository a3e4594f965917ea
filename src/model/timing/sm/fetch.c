#include "model/gpu/address_space.h"
#include "model/timing/sm/sm.h"
#include "model/timing/sm/warp_counts.h"

/* Fetch and decode: warps whose buffer is empty get their next two instructions, and warps that
 * have ended retire. */

#define CODE_BASE      UINT64_C(0xf0000000) /* where GPGPU-Sim has instructions */
#define STREAM_REQUEST (UINT32_C(1) << 31)  /* in the id of a request of the stream buffer */

static bool read_more(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    struct instruction_window *window = &warp->instructions;
    if (window->end)
        return false;
    const enum status status = sm->shared->source->ops->read_instructions(
        sm->blocks[warp->block].reader, index % sm->warps_per_block, window, sm->diagnostics);
    warp->instruction_at = 0;
    warp->instruction_fills++;
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
    const uint32_t index = sm->fetch.buffer;
    struct sm_warp *warp = &sm->warps[index];
    sm->fetch.buffer = NO_WARP;
    warp->next = warp->buffered = 0;
    for (uint64_t i = 0; i < sm->shared->machine->core.decode; i++) {
        const struct warp_instruction *next = next_instruction(sm, index);
        if (!next)
            break;
        warp->buffer[warp->buffered++] = *next;
        warp->instruction_at++;
    }
    warp->in_pipe += warp->buffered;
    set_bit(sm->fetch.fetchable, index, false);
    if (warp->buffered) {
        sm_decoded(sm, index);
    } else {
        if (warp->lanes)
            sm_end_warp(sm, index); /* a stream without an exit ends where it stops */
        sm_update(sm, index);
    }
    if (sm->by_warp)
        warp_counts_decoded(sm, index);
    if (sm->events)
        sm_tell(sm, EVENT_decode, sm->now, index, warp->block);
    sm->progress = true;
}

static void retire(struct sm *sm, uint32_t index)
{
    struct load_store *unit = &sm->load_store;
    struct sm_warp *warp = &sm->warps[index];
    struct sm_block *block = &sm->blocks[warp->block];
    warp->present = false;
    if (sm->by_warp)
        warp_counts_ended(sm, index);
    if (sm->events)
        sm_tell(sm, EVENT_warp_end, sm->now, index, warp->block);
    set_bit(sm->fetch.endable, index, false);
    sm->schedulers[warp->scheduler].present &= ~(UINT64_C(1) << warp->slot);
    sm_update(sm, index);
    sm->resident--;
    sm->progress = true;
    if (unit->l1d.bypass)
        bypass_warp_left(unit->l1d.bypass, index);
    if (unit->l1d.throttle)
        throttle_warp_left(unit->l1d.throttle, index);
    if (!--block->warps) {
        if (sm->events)
            sm_tell(sm, EVENT_block_end, sm->now, NO_SLOT, warp->block);
        if (unit->l1d.bypass)
            bypass_block_ended(unit->l1d.bypass, block->order == sm->first_order);
        sm->shared->source->ops->close_block(block->reader);
        block->reader = NULL;
        sm->block_retired = true;
        if (!--sm->live_blocks)
            sm->emptied = sm->now + 1;
    }
}

/* The warp's instructions were there: they come when the cache's pipeline is through. */
static void put_hit(struct sm *sm, uint32_t index)
{
    struct fetch_stage *front = &sm->fetch;
    const uint64_t latency = sm->shared->fetch_latency;
    sm->progress = true;
    if (latency <= 1) {
        front->buffer = index;
        return;
    }
    set_bit(front->fetchable, index, false);
    fetch_pipe_put(&front->pipe, sm->now + latency, index);
}

/* A fetch that does not find its line, or (no request) what comes. */
static void tell_line(const struct sm *sm, enum event_kind kind, uint64_t address,
                      const struct packet *request)
{
    const struct timing_event event = {.cycle = sm->now,
                                       .address = address,
                                       .pc = request ? request->pc : 0,
                                       .place = sm->number,
                                       .slot = request ? request->warp : NO_SLOT,
                                       .bytes = (uint16_t)sm->fetch.l1i.block_bytes,
                                       .kind = (uint8_t)kind,
                                       .detail = EVENT_NO_DETAIL};
    event_log_put(sm->events, &event);
}

static void fill_l1i(struct sm *sm, const struct packet *reply, uint64_t now)
{
    struct cache_unit *l1i = &sm->fetch.l1i;
    if (sm->events && l1i->mshrs[reply->id].parts == 1) /* the last one */
        tell_line(sm, EVENT_l1i_fill, l1i->mshrs[reply->id].block << l1i->geometry.sector_bits,
                  NULL);
    cache_unit_fill(l1i, reply, now);
}

enum unit_outcome sm_l1i_look_up(struct sm *sm, const struct packet *request, uint64_t line)
{
    struct cache_unit *l1i = &sm->fetch.l1i;
    const struct packet_queue before = l1i->misses;
    struct unit_effect effect;
    enum unit_outcome outcome = UNIT_HIT;
    if (!cache_unit_read_again(l1i, line, sm->now))
        outcome = cache_unit_access(l1i, request, line, sm->now, &effect);
    if (sm->by_warp && outcome < UNIT_FAIL)
        warp_counts_fetched(sm, request->warp, outcome);
    if (sm->events && outcome != UNIT_HIT && outcome < UNIT_FAIL)
        tell_line(sm, outcome == UNIT_PENDING ? EVENT_l1i_pending : EVENT_l1i_miss,
                  line << l1i->geometry.line_bits, request);
    if (!sm->fetch.stream.depth || l1i->misses.count == before.count)
        return outcome;
    /* A new miss: the last in the queue, unless the buffer has its line. */
    const struct packet *miss = packet_queue_tail(&l1i->packets, &l1i->misses);
    if (stream_buffer_miss(&sm->fetch.stream, line, miss->id)) {
        packet_pool_drop(&l1i->packets, l1i->misses.last);
        gauge_leave(&l1i->queued, sm->now);
        l1i->misses = before;
    }
    return outcome;
}

/* Looks up the line of an instruction that a warp needs next. */
static enum unit_outcome fetch_look_up(struct sm *sm, uint32_t index, uint32_t pc)
{
    const struct machine *machine = sm->shared->machine;
    const uint64_t base = sm->blocks[sm->warps[index].block].number * machine->l1i.block_stride;
    if (!address_fits(machine, base + pc)) {
        const struct request fetch = {.address = base + pc, .pc = pc, .bytes = 1, .op = OP_FETCH};
        sm->status = addresses_refuse(machine, &fetch, 1, sm->diagnostics);
    }
    const uint64_t address = (CODE_BASE + base + pc) & sm->shared->address_mask,
                   line = address >> sm->fetch.l1i.geometry.line_bits;
    const bool counted = sm->fetch.l0_count || sm->by_warp; /* by whoever looks it up */
    if (!counted && cache_unit_read_again(&sm->fetch.l1i, line, sm->now))
        return UNIT_HIT;
    struct packet request = {.address = address,
                             .bytes = 1,
                             .pc = pc,
                             .kind = PACKET_FETCH,
                             .id = index,
                             .issued = sm->now,
                             .sm = sm->number,
                             .warp = (uint16_t)index};
    return sm->fetch.l0_count ? sm_l0_look_up(sm, &request, line)
                              : sm_l1i_look_up(sm, &request, line);
}

/* A warp whose stream has ended needs no line to find that out. */
static void fetch_warp(struct sm *sm, uint32_t index)
{
    struct fetch_stage *front = &sm->fetch;
    enum unit_outcome outcome = UNIT_HIT;
    if (!front->l0_count &&
        cache_unit_blocked(&front->l1i)) { /* whose turn it is does not change */
        cache_unit_refuse(&front->l1i, UNIT_FAIL_MSHR);
        front->refused = true;
        return;
    }
    front->fetched = index;
    if (sm->shared->fetch_looks) {
        const struct warp_instruction *next = next_instruction(sm, index);
        if (next)
            outcome = fetch_look_up(sm, index, sm->code->items[next->code].code->pc);
    }
    if (outcome == UNIT_HIT) {
        put_hit(sm, index);
    } else if (outcome < UNIT_FAIL) {
        set_bit(front->fetchable, index, false);
        sm->progress = true;
    } else {
        front->refused = true;
    }
}

/* Serves the warps round robin up to the first whose buffer is empty. Warps that have ended are
 * noticed on the way. */
static void fetch(struct sm *sm)
{
    struct fetch_stage *front = &sm->fetch;
    const uint32_t count = sm->warp_slots;
    if (!front->l0_count && cache_unit_has_ready(&front->l1i)) {
        front->buffer = cache_unit_take(&front->l1i, sm->now).id;
        sm->progress = true;
        return;
    }
    const uint32_t from = front->fetched + 1 < count ? front->fetched + 1 : 0;
    const uint32_t first = set_next(front->fetchable, from);
    if (!set_empty(front->endable)) {
        const uint32_t distance = first == NO_WARP ? count : (first + count - from) % count;
        for (uint32_t at; (at = set_next(front->endable, from)) != NO_WARP;) {
            if ((at + count - from) % count > distance)
                break;
            retire(sm, at);
        }
    }
    if (first != NO_WARP)
        fetch_warp(sm, first);
}

/* Asks the next level for a line: one that the L1I missed, or else one of the stream buffer. */
static void ask_below(struct sm *sm)
{
    struct fetch_stage *front = &sm->fetch;
    const struct stream_line *ahead = stream_buffer_next(&front->stream);
    if (front->l1i.misses.count) {
        sm_send_miss(sm, &front->l1i, sm->now);
    } else if (ahead) {
        const struct packet request = {.address = ahead->line << front->l1i.geometry.line_bits,
                                       .bytes = (uint16_t)front->l1i.block_bytes,
                                       .kind = PACKET_FETCH,
                                       .id = STREAM_REQUEST | ahead->number,
                                       .issued = sm->now};
        if (sm_send(sm, &request, sm->now))
            stream_buffer_asked(&front->stream);
        else
            sm->port.blocked = true;
    }
}

void sm_take_instructions(struct sm *sm, const struct packet *reply, uint64_t now)
{
    if (reply->id & STREAM_REQUEST)
        stream_buffer_arrived(&sm->fetch.stream, reply->id & ~STREAM_REQUEST);
    else
        fill_l1i(sm, reply, now);
}

static void take_ahead(struct sm *sm)
{
    struct packet part = {.kind = PACKET_FETCH};
    while (stream_buffer_give(&sm->fetch.stream, &part.id)) {
        fill_l1i(sm, &part, sm->now);
        sm->progress = true;
    }
}

/* Decode comes before fetch, as all stages run from last to first: what is fetched now is decoded
 * in the next cycle, and the buffer between holds one warp's instructions. A fetch that hits an L1I
 * of more than one cycle, or an L0, comes to the buffer by a pipe of its own. */
void sm_fetch(struct sm *sm)
{
    struct fetch_stage *front = &sm->fetch;
    const uint32_t times = sm->shared->fetches;
    const bool caches = sm->shared->machine->l1i.enabled;
    if (front->stream.taken)
        take_ahead(sm);
    if (front->l0_count)
        sm_l0_serve(sm);
    for (uint32_t i = 0; i < times && fetch_busy(front); i++) {
        if (front->buffer == NO_WARP)
            fetch_pipe_take(&front->pipe, sm->now, &front->buffer);
        if (front->buffer == NO_WARP && front->l0_count)
            front->buffer = sm_l0_take(sm);
        if (front->buffer != NO_WARP)
            decode(sm);
        if (front->buffer == NO_WARP)
            fetch(sm);
        if (caches)
            ask_below(sm);
    }
}

bool sm_fetch_goes_on(const struct sm *sm)
{
    const struct fetch_stage *front = &sm->fetch;
    const bool tries = front->refused && !cache_unit_blocked(&front->l1i);
    if (tries || front->pipe.count || front->l0_pipe.count)
        return true;
    for (uint32_t i = 0; i < front->l0_count; i++) /* a miss on its way to the L1I */
        if (front->l0s[i].misses.count &&
            packet_queue_head(&front->l0s[i].packets, &front->l0s[i].misses)->ready >= sm->now)
            return true;
    return false;
}
