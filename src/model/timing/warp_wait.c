#include "model/timing/warp_wait.h"

#include "model/timing/gpu_parts.h"

const struct strip_state warp_states[WARP_STATES] = {
#define WARP_STATE_ROW(name, mark, help) {#name, mark, help},
    WARP_STATE_LIST(WARP_STATE_ROW)
#undef WARP_STATE_ROW
};

const char *const wait_places[WAIT_PLACES] = {
#define WAIT_PLACE_WORDS(id, words) words,
    WAIT_PLACE_LIST(WAIT_PLACE_WORDS)
#undef WAIT_PLACE_WORDS
};

enum { NONE = UINT32_MAX };

enum warp_state warp_state_of(const struct gpu *gpu, uint32_t number, uint32_t index)
{
    const struct sm *sm = &gpu->sms[number];
    if (index >= sm->warp_slots || !sm->warps[index].present)
        return WARP_absent;
    const struct sm_warp *warp = &sm->warps[index];
    const struct scheduler *scheduler = &sm->schedulers[warp->scheduler];
    const uint64_t bit = UINT64_C(1) << warp->slot;
    if (!warp->lanes)
        return WARP_ended;
    if (scheduler->waits & bit)
        return scheduler->memory & bit ? WARP_memory : WARP_barrier;
    if (!(scheduler->has & bit))
        return WARP_instruction;
    if (!(scheduler->ready & bit))
        return scheduler->memory & bit ? WARP_memory : WARP_data;
    const uint32_t full = sm->collect.full[gpu->shared->subcores ? warp->scheduler : 0];
    return full >> scheduler->slot_pipe[warp->slot] & 1 ? WARP_pipe : WARP_ready;
}

/* ---- where a request is ---- */

struct packet_search { /* requests are found by who asked, and the number that it gave */
    uint32_t slice;    /* a slice of the L2; NONE: `sm` */
    uint32_t sm, id;
    bool passed; /* the L1D of the SM */
    struct warp_wait *wait;
};

/* Notes where a request is, unless another of the same instruction has a longer way. */
static void note_place(struct warp_wait *wait, enum wait_place place, uint32_t ahead,
                       uint64_t address)
{
    if (wait->place && wait->place <= place)
        return;
    wait->place = place;
    wait->ahead = ahead;
    wait->address = address;
}

static bool is_searched(const struct packet_search *search, const struct packet *packet)
{
    if (packet->id != search->id || packet->kind == PACKET_WRITEBACK)
        return false;
    if (search->slice != NONE)
        return packet->slice == search->slice;
    return packet->sm == search->sm && packet->kind != PACKET_FETCH &&
           !(packet->flags & PACKET_WALK) && !(packet->flags & PACKET_PASSED) == !search->passed;
}

static bool search_queue(const struct packet_search *search, enum wait_place place,
                         const struct packet_pool *pool, const struct packet_queue *queue)
{
    uint32_t at = queue->first;
    for (uint32_t i = 0; i < queue->count; i++, at = pool->items[at].next)
        if (is_searched(search, &pool->items[at])) {
            note_place(search->wait, place, i, pool->items[at].address);
            return true;
        }
    return false;
}

static bool search_network(const struct packet_search *search, enum wait_place place,
                           const struct network *network)
{
    const struct fly *fly = &network->fly;
    bool found = false;
    for (uint32_t i = 0; !found && i < network->inputs; i++) {
        found = search_queue(search, place, &network->packets, &network->input[i].queue) ||
                search_queue(search, place, &network->packets, &network->input[i].hidden);
        for (uint32_t k = 0; !found && network->sorted && k < network->outputs; k++)
            found = search_queue(search, place, &network->packets,
                                 &network->sorted_queues[i * network->outputs + k]);
        if (!found && network->routed)
            found = search_queue(search, place, &fly->packets, &fly->input[i].queue);
    }
    for (uint32_t i = 0; !found && network->routed && i < network->outputs; i++)
        found = search_queue(search, place, &fly->packets, &fly->output[i].packets);
    return found;
}

/* The block in flight that a request waits for in a cache; NONE. */
static uint32_t awaited_mshr(const struct cache_unit *unit, uint32_t sm, uint32_t id)
{
    for (uint32_t i = 0; unit->mshrs_used && i <= unit->head_mask; i++)
        for (uint32_t at = unit->heads[i]; at != NONE; at = unit->mshrs[at].next)
            for (uint32_t t = unit->mshrs[at].first; t != NONE; t = unit->targets[t].next)
                if (unit->targets[t].id == id && unit->targets[t].sm == sm)
                    return at;
    return NONE;
}

/* Whether a request of a controller, which may be none, is what is searched. */
static bool search_request(const struct packet_search *search, const struct dram *dram,
                           uint32_t request, enum wait_place place, uint32_t ahead)
{
    if (request == NO_REQUEST || !is_searched(search, &dram->requests[request].packet))
        return false;
    note_place(search->wait, place, ahead, dram->requests[request].packet.address);
    return true;
}

static bool search_banks(const struct packet_search *search, const struct dram *dram)
{
    for (uint32_t b = 0; b < DRAM_BANKS_MAX; b++) {
        const uint32_t current = dram->banks[b].current;
        uint32_t ahead = current != NO_REQUEST;
        if (search_request(search, dram, current, WAIT_DRAM, 0))
            return true;
        for (uint32_t at = dram->banks[b].first; at != NO_REQUEST;
             at = dram->requests[at].next, ahead++)
            if (search_request(search, dram, at, WAIT_DRAM, ahead))
                return true;
    }
    return false;
}

/* A controller: what its banks have not taken yet, the banks, the bus, and what is done. */
static bool search_controller(const struct packet_search *search, const struct dram *dram)
{
    for (uint32_t i = 0; i < dram->input_count; i++)
        if (search_request(search, dram, dram->input[i], WAIT_DRAM, i))
            return true;
    if (search_banks(search, dram))
        return true;
    for (uint32_t i = 0; dram->in_pipe && i < dram->pipe_count; i++)
        if (search_request(search, dram, dram->pipe[(dram->pipe_first + i) % (dram->pipe_most + 1)],
                           WAIT_DRAM, 0))
            return true;
    uint32_t at = dram->return_first;
    for (uint32_t i = 0; i < dram->return_count; i++, at = dram->requests[at].next)
        if (search_request(search, dram, at, WAIT_FROM_DRAM, i))
            return true;
    return false;
}

static bool search_dram(const struct packet_search *search, const struct channel *channel,
                        const struct slice *slice)
{
    return search_queue(search, WAIT_TO_DRAM, &channel->packets, &slice->to_dram) ||
           search_queue(search, WAIT_TO_DRAM, &channel->packets, &channel->line) ||
           search_controller(search, &channel->dram) ||
           search_queue(search, WAIT_FROM_DRAM, &channel->packets, &slice->from_dram);
}

/* A request waits for a block that a slice reads. */
static void search_below(const struct gpu *gpu, const struct slice *slice, uint32_t mshr,
                         struct warp_wait *wait)
{
    const struct cache_unit *unit = &slice->cache;
    const uint64_t address = unit->mshrs[mshr].block << unit->geometry.sector_bits;
    const struct packet_search search = {.slice = slice->number, .id = mshr, .wait = wait};
    struct packet_search unsent = search; /* what the cache has not sent names its SM alone */
    unsent.slice = NONE;
    if (!unit->mshrs[mshr].parts) {
        note_place(wait, WAIT_FILLED, 0, address);
        return;
    }
    uint32_t at = unit->misses.first;
    for (uint32_t i = 0; i < unit->misses.count; i++, at = unit->packets.items[at].next) {
        unsent.sm = unit->packets.items[at].sm;
        if (is_searched(&unsent, &unit->packets.items[at])) {
            note_place(wait, WAIT_SLICE_MISSES, i, address);
            return;
        }
    }
    if (!search_dram(&search, channel_of(gpu, slice->number), slice))
        note_place(wait, cache_in_halves(&gpu->machine->l2) ? WAIT_CROSSING : WAIT_FROM_DRAM, 0,
                   address);
}

static bool search_slice(const struct gpu *gpu, const struct packet_search *search, uint32_t number)
{
    const struct channel *channel = channel_of(gpu, number);
    const struct slice *slice = slice_at(gpu, number);
    const struct packet_pool *pool = &channel->packets;
    if (search_queue(search, WAIT_REQUESTS, &gpu->carried, &gpu->at_slices[number]) ||
        search_queue(search, WAIT_TO_SLICE, &gpu->carried, &slice->entering) ||
        search_queue(search, WAIT_TO_SLICE, pool, &slice->arrived) ||
        search_queue(search, WAIT_SLICE, pool, &slice->incoming) ||
        search_queue(search, WAIT_OUTGOING, pool, &slice->outgoing) ||
        search_queue(search, WAIT_REPLIES, pool, &slice->replies) ||
        search_dram(search, channel, slice))
        return true;
    const uint32_t mshr = awaited_mshr(&slice->cache, search->sm, search->id);
    if (mshr == NONE)
        return false;
    search_below(gpu, slice, mshr, search->wait);
    return true;
}

/* A request that an L1D, or past it an instruction, has sent. */
static void search_machine(const struct gpu *gpu, const struct packet_search *search)
{
    const struct sm *sm = &gpu->sms[search->sm];
    const struct cache_unit *l1d = &sm->load_store.l1d;
    /* What arrives for a cluster waits in the queues of its first SM. */
    const struct sm *first = sm - search->sm % gpu->cluster_size;
    if (search_queue(search, WAIT_MISS_QUEUE, &l1d->packets, &l1d->misses) ||
        search_queue(search, WAIT_PORT, &sm->packets, &sm->port.sent) ||
        search_network(search, WAIT_REQUESTS, &gpu->requests) ||
        search_network(search, WAIT_REPLIES, &gpu->replies) ||
        search_queue(search, WAIT_REPLIES, &first->packets, &first->port.arriving) ||
        search_queue(search, WAIT_RESPONSES, &first->packets, &first->port.cluster) ||
        search_queue(search, WAIT_RESPONSES, &sm->packets, &sm->port.responses))
        return;
    for (uint32_t i = 0; i < gpu->slice_count; i++)
        if (search_slice(gpu, search, i))
            return;
}

/* ---- where an instruction is ---- */

static void search_l1d(const struct gpu *gpu, const struct sm *sm, uint32_t op,
                       struct warp_wait *wait)
{
    const struct cache_unit *unit = &sm->load_store.l1d;
    for (uint32_t i = 0; unit->mshrs_used && i <= unit->head_mask; i++)
        for (uint32_t at = unit->heads[i]; at != NONE; at = unit->mshrs[at].next)
            for (uint32_t t = unit->mshrs[at].first; t != NONE; t = unit->targets[t].next) {
                if (unit->targets[t].id != op)
                    continue;
                const struct packet_search search = {
                    .slice = NONE, .sm = sm->number, .id = at, .wait = wait};
                if (!unit->mshrs[at].parts)
                    note_place(wait, WAIT_READY, 0, unit->targets[t].address);
                else
                    search_machine(gpu, &search);
            }
}

static void search_load_store(const struct gpu *gpu, const struct sm *sm, uint32_t at,
                              struct warp_wait *wait)
{
    const struct load_store *unit = &sm->load_store;
    const struct packet_search own = {.slice = NONE, .sm = sm->number, .id = at, .wait = wait};
    struct packet_search past = own;
    past.passed = true;
    static const char *const refusals[UNIT_RESULTS - UNIT_FAIL] = {
        "no line of its set can be replaced", "its miss queue is full", "it has no free MSHR",
        "the MSHR can merge no more", "a store to the block waits"};
    if (sm->ops.items[at].translating)
        note_place(wait, WAIT_TRANSLATION, 0, 0);
    if (unit->latch == at)
        note_place(wait, WAIT_LATCH, 0,
                   unit->access_at < unit->access_count ? unit->accesses[unit->access_at].address
                                                        : 0);
    for (size_t i = 0; i < sm->translate.retry_count; i++)
        if (sm->translate.retries[sm->translate.retry_first + i] == at)
            note_place(wait, WAIT_LATCH, (uint32_t)i + (unit->latch != NO_OP), 0);
    for (uint32_t bank = 0; unit->waiting && bank < gpu->shared->l1_banks; bank++)
        if (search_queue(&own, WAIT_TAGS, &sm->packets, &unit->banks[bank].queue) &&
            wait->place == WAIT_TAGS && unit->banks[bank].blocked)
            wait->refusal = refusals[unit->banks[bank].blocked - UNIT_FAIL];
    for (uint32_t i = 0; i < unit->reorder.count; i++)
        search_queue(&own, WAIT_LATCH, &unit->reorder.packets, &unit->reorder.queues[i]);
    search_l1d(gpu, sm, at, wait);
    if (wait->place == WAIT_NOWHERE)
        search_machine(gpu, &past);
    struct packet_search shared = own; /* what is in this pipe names nobody */
    shared.sm = 0;
    search_queue(&shared, WAIT_SHARED, &sm->packets, &unit->shared_pipe);
    if (unit->written_back == at || unit->passed_reply == at)
        note_place(wait, WAIT_WRITTEN, 0, 0);
}

static bool is_collected(const struct sm *sm, uint32_t op)
{
    const struct collect *collect = &sm->collect;
    for (unsigned pipe = 0; pipe < PIPE_COUNT; pipe++) {
        for (uint32_t i = 0; i < collect->latched[pipe]; i++)
            if (collect->latches[pipe][i] == op)
                return true;
        for (uint32_t i = 0; i < sm->shared->latches[pipe]; i++)
            if (collect->outputs[pipe][i] == op)
                return true;
    }
    for (uint32_t i = 0; i < collect->count; i++)
        if (!(collect->free >> i & 1) && collect->collectors[i].op == op)
            return true;
    return false;
}

/* ---- what a warp lacks ---- */

static bool writes(const struct instruction *code, uint16_t register_number)
{
    for (unsigned i = 0; i < code->written; i++)
        if (code->registers[i] == register_number)
            return true;
    return false;
}

static bool is_free(const struct ops *ops, uint32_t op)
{
    for (uint32_t at = ops->free; at != NO_OP; at = ops->items[at].next)
        if (at == op)
            return true;
    return false;
}

/* The instruction of a warp under way that was issued last of those that write a register; NO_OP.
 */
static uint32_t find_source(const struct sm *sm, uint32_t warp, uint16_t register_number)
{
    uint32_t found = NO_OP;
    for (uint32_t at = 0; at < sm->ops.count; at++) {
        const struct op *op = &sm->ops.items[at];
        if (is_free(&sm->ops, at) || op->warp != warp || !writes(op->code->code, register_number))
            continue;
        if (found == NO_OP || op_before(&sm->ops, found, at))
            found = at;
    }
    return found;
}

static void find_lacking(const struct gpu *gpu, const struct sm *sm, uint32_t index,
                         const struct instruction *next, struct warp_wait *wait)
{
    const struct sm_warp *warp = &sm->warps[index];
    uint32_t source = NO_OP;
    for (unsigned i = 0; i < next->written + next->read && i < INSTRUCTION_OPERANDS; i++) {
        const uint16_t number = sm->code->numbers[next->registers[i]];
        if (!(warp->registers[number / 64].pending >> number % 64 & 1))
            continue;
        const uint32_t at = find_source(sm, index, next->registers[i]);
        if (wait->lacks != NO_REGISTER &&
            (at == NO_OP || (source != NO_OP && op_before(&sm->ops, at, source))))
            continue;
        wait->lacks = next->registers[i];
        source = at;
    }
    if (source == NO_OP)
        return;
    const struct op *op = &sm->ops.items[source];
    wait->has_source = true;
    wait->load = op->code->flags & (INSTRUCTION_LOAD | INSTRUCTION_ATOMIC);
    wait->source_pc = op->code->code->pc;
    wait->source_issued = op->issued;
    if (is_collected(sm, source))
        wait->place = WAIT_OPERANDS;
    else if (op->pipe == PIPE_MEMORY)
        search_load_store(gpu, sm, source, wait);
    else
        wait->place = WAIT_EXECUTES;
}

void warp_wait_find(const struct gpu *gpu, uint32_t number, uint32_t index, struct warp_wait *wait)
{
    const struct sm *sm = &gpu->sms[number];
    *wait = (struct warp_wait){.state = warp_state_of(gpu, number, index), .lacks = NO_REGISTER};
    if (wait->state == WARP_absent)
        return;
    const struct sm_warp *warp = &sm->warps[index];
    const struct sm_block *block = &sm->blocks[warp->block];
    wait->block = block->number;
    wait->arrived = block->waiting;
    wait->running = block->running;
    wait->has_next = warp->buffered;
    if (!warp->buffered)
        return;
    const struct instruction *next = sm->code->items[warp->buffer[warp->next].code].code;
    wait->pc = next->pc;
    wait->class = next->class;
    if (wait->state == WARP_data || wait->state == WARP_memory)
        find_lacking(gpu, sm, index, next, wait);
}
