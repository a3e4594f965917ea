#include "model/timing/sm/load_store.h"

#include "model/timing/sm/code_counts.h"
#include "model/timing/sm/sm.h"
#include "model/timing/sm/warp_counts.h"

/* Whether the op waits for data. */
static inline bool is_load(const struct op *op)
{
    return op->code->flags & (INSTRUCTION_LOAD | INSTRUCTION_ATOMIC | INSTRUCTION_COPY);
}

/* What serves the latch is part of each of the two that call it: one does so in every cycle. */
#define TEMPLATE static inline __attribute__((always_inline))

enum { CLIENTS = 5, CLIENT_SHARED = 0, CLIENT_PASSED = 3, CLIENT_L1D = 4 };

static void push(struct sm *sm, struct packet_queue *queue, const struct packet *packet)
{
    if (!packet_queue_push(&sm->packets, queue, packet))
        sm->status = STATUS_MEMORY;
}

/* ---- the ends of accesses ---- */

static void count_load(struct sm *sm, const struct op *op, uint64_t now)
{
    const uint64_t cycles = now - op->issued;
    sm->counts.loads++;
    sm->counts.load_cycles += cycles;
    sm->latencies[latency_bucket(cycles)]++;
    if (sm->by_code)
        code_counts_loaded(sm, op, cycles);
    if (sm->by_warp)
        warp_counts_loaded(sm, op->warp, cycles);
    if (sm->events)
        sm_tell_op(sm, op, EVENT_loaded, NULL);
}

/* Divides the cycles that a warp was seen waiting for what is outside of its SM among network, L2
 * and DRAM, in proportion to the cycles that the data spent there; at its end, the answer to the
 * store that it waits for. */
static void divide_wait(struct sm *sm, uint32_t warp, uint32_t waited, uint32_t l2, uint32_t dram)
{
    if (sm->stalls.owed)
        sm_count_owed(sm);
    const uint64_t away = sm->warps[warp].away;
    if (!away || !waited)
        return;
    const uint64_t at_dram = away * dram / waited, at_l2 = away * l2 / waited;
    sm->warps[warp].away = 0;
    if (at_dram + at_l2 > away)
        return;
    sm->counts.memory_slots[MEMORY_SLOT_dram] += at_dram;
    sm->counts.memory_slots[MEMORY_SLOT_l2] += at_l2;
    sm->counts.memory_slots[MEMORY_SLOT_network] -= at_dram + at_l2;
}

/* What a warp waits for as a whole, besides its registers, is there. */
static void forget_access(struct sm *sm, const struct op *op)
{
    struct sm_warp *warp = &sm->warps[op->warp];
    if (op->code->flags & INSTRUCTION_ATOMIC && !op->passed)
        warp->atomics--;
    if (op->code->flags & INSTRUCTION_COPY)
        warp->copies[op->copy_group]--;
    if (op->code->flags & INSTRUCTION_UNAWAITED) {
        warp->unawaited--;
        if (!warp->lanes || warp->fence) /* it may go on now */
            sm_update(sm, op->warp);
    }
}

/* One access of an op has its data. After the last one its registers are free. */
static void access_done(struct sm *sm, uint32_t at, uint64_t now)
{
    struct op *op = &sm->ops.items[at];
    if (--op->remaining)
        return;
    if (op->code->flags & (INSTRUCTION_ATOMIC | INSTRUCTION_COPY | INSTRUCTION_UNAWAITED))
        forget_access(sm, op);
    count_load(sm, op, now);
    sm_release(sm, op->warp, op->code, false);
    if (sm->load_store.latch != at)
        op_free(&sm->ops, at);
}

static void store_done(struct sm *sm, uint32_t at)
{
    struct op *op = &sm->ops.items[at];
    sm->warps[op->warp].stores--;
    op->remaining--;
    if (!sm->warps[op->warp].lanes) /* it may end now */
        sm_update(sm, op->warp);
    if (!op->remaining && sm->load_store.latch != at)
        op_free(&sm->ops, at);
}

/* How many replies a request gets that goes to the network as it is. */
static uint32_t replies_to(const struct sm *sm, const struct packet *access)
{
    return ((access->bytes - 1u) >> sm->shared->part_bits) + 1;
}

/* ---- a: write-back ---- */

static bool client_ready(const struct sm *sm, unsigned client, uint64_t now)
{
    const struct load_store *unit = &sm->load_store;
    if (client == CLIENT_SHARED)
        return packet_queue_due(&sm->packets, &unit->shared_pipe, now) &&
               unit->shared_served <= now;
    if (client == CLIENT_PASSED)
        return unit->passed_reply != NO_OP;
    return client == CLIENT_L1D && cache_unit_has_ready(&unit->l1d);
}

/* Takes one access that the L1D has data for. Its op, or NO_OP: no load waits for them. */
static uint32_t take_access(struct sm *sm, uint64_t now)
{
    const struct mshr_target target = cache_unit_take(&sm->load_store.l1d, now);
    if (target.flags & PACKET_ALLOCATE)
        return NO_OP;
    const uint32_t at = target.id;
    divide_wait(sm, sm->ops.items[at].warp, target.waited, target.l2, target.dram);
    if (target.kind != PACKET_WRITE)
        return at;
    const struct packet store = {.bytes = target.bytes};
    for (uint32_t i = replies_to(sm, &store); i; i--)
        store_done(sm, at);
    return NO_OP;
}

/* The warp no longer waits for its atomics once the last reply has come this far, a cycle before
 * its registers are free. */
static uint32_t take_passed(struct sm *sm)
{
    const uint32_t at = sm->load_store.passed_reply;
    const struct op *op = &sm->ops.items[at];
    sm->load_store.passed_reply = NO_OP;
    if (op->code->flags & INSTRUCTION_ATOMIC && op->remaining == 1) {
        sm->warps[op->warp].atomics--;
        sm_update(sm, op->warp);
    }
    return at;
}

/* A load writes its registers once, when the last of its sectors is there: its wavefronts had their
 * cycles of the data banks (data_free). So with l1d.tags all that is ready is taken up to an access
 * that is the last of its load (takes_all); without, as the simulator has it, one access a cycle.
 */
static uint32_t take_load(struct sm *sm, uint64_t now)
{
    uint32_t at = take_access(sm, now);
    if (!sm->shared->takes_all)
        return at;
    while (at == NO_OP ? sm->shared->machine->l1d.tags : sm->ops.items[at].remaining > 1) {
        if (at != NO_OP)
            access_done(sm, at, now);
        if (!cache_unit_has_ready(&sm->load_store.l1d))
            return NO_OP;
        at = take_access(sm, now);
    }
    return at;
}

static uint32_t client_take(struct sm *sm, unsigned client, uint64_t now)
{
    uint32_t at;
    if (client == CLIENT_SHARED) {
        at = packet_queue_head(&sm->packets, &sm->load_store.shared_pipe)->id;
        packet_queue_pop(&sm->packets, &sm->load_store.shared_pipe);
        sm->load_store.shared_served = now + sm->shared->l1_gap;
        sm->warps[sm->ops.items[at].warp].in_shared--;
        sm->stalls.changed = true;
        sm_leave(sm, sm->ops.items[at].warp);
    } else if (client == CLIENT_PASSED) {
        at = take_passed(sm);
    } else {
        at = take_load(sm, now);
    }
    return at;
}

/* One result at a time waits for its banks of registers; until it is written nothing else is taken.
 * Then whoever has one takes turns: shared memory, replies that bypassed the L1D, the L1D. */
static void write_back(struct sm *sm, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    if (unit->written_back != NO_OP) {
        if (!collect_write(sm, &sm->ops.items[unit->written_back]))
            return;
        sm->stalls.changed |= sm->ops.items[unit->written_back].banks > 0;
        access_done(sm, unit->written_back, now);
        unit->written_back = NO_OP;
        sm->progress = true;
    }
    if (!unit->shared_pipe.count && unit->passed_reply == NO_OP &&
        !cache_unit_has_ready(&unit->l1d))
        return;
    for (unsigned i = 0; i < CLIENTS; i++) {
        const unsigned client = (unit->write_port + i) % CLIENTS;
        if (!client_ready(sm, client, now))
            continue;
        unit->written_back = client_take(sm, client, now);
        unit->write_port = (client + 1) % CLIENTS;
        sm->progress = true;
        return;
    }
}

/* ---- c, d: replies and misses ---- */

/* Takes the reply at the head, unless what it goes to is taken: the place of a reply that bypasses
 * the L1D, or the port that a fill before it still uses. Later replies wait for it. */
static void take_response(struct sm *sm, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    const struct packet *reply = packet_queue_head(&sm->packets, &sm->port.responses);
    if (reply->kind == PACKET_WRITE) {
        const uint32_t warp = sm->ops.items[reply->id].warp;
        if (!sm->warps[warp].lanes)
            divide_wait(sm, warp, (uint32_t)(now - reply->issued), reply->l2, reply->dram);
        store_done(sm, reply->id);
    } else if (reply->flags & PACKET_PASSED) {
        if (unit->passed_reply != NO_OP)
            return;
        unit->passed_reply = reply->id;
        divide_wait(sm, sm->ops.items[reply->id].warp, (uint32_t)(now - reply->issued), reply->l2,
                    reply->dram);
    } else {
        if (unit->fill_free > now)
            return;
        const uint64_t port = sm->shared->machine->l1d.port;
        const bool last = unit->l1d.mshrs[reply->id].parts == 1;
        cache_unit_fill(&unit->l1d, reply, now);
        const bool stored = !unit->l1d.mshrs[reply->id].passed;
        if (last && stored && port && unit->l1d.block_bytes > port)
            unit->fill_free = now + unit->l1d.block_bytes / port;
    }
    packet_queue_pop(&sm->packets, &sm->port.responses);
    gauge_leave(&sm->port.answered, now);
    sm->progress = true;
}

/* ---- e: the tags of the L1D ---- */

static void refused(struct sm *sm, uint32_t bank, enum unit_outcome reason)
{
    sm->stalls.failed = true;
    sm->stalls.changed |= sm->load_store.banks[bank].blocked != reason;
    sm->stalls.fails[reason - UNIT_FAIL]++;
    sm->counts.fails[reason - UNIT_FAIL]++;
    sm->load_store.banks[bank].blocked = (uint8_t)reason;
    sm->load_store.banks[bank].tried = sm->load_store.l1d.changes;
    set_include(sm->load_store.refused, bank);
}

/* Counts a store that missed its tag: its line was absent, or the same instruction has only just
 * allocated it. Sectors of its lines that are looked up together may come in any order, and those
 * of other instructions between them. */
static void note_tag(struct sm *sm, const struct packet *access, enum unit_outcome outcome)
{
    const uint64_t line = (access->address >> sm->load_store.l1d.geometry.line_bits) + 1;
    const uint32_t place = access->bank / sm->shared->l1_sectors;
    uint64_t *absent = &sm->ops.items[access->id].absent[place % ABSENT_LINES];
    if (access->kind == PACKET_READ || sm->load_store.l1d.write_allocate == WRITE_ALLOCATE_NONE)
        return;
    if (!sm->shared->machine->l1d.tags)
        absent = sm->ops.items[access->id].absent;
    if (outcome == UNIT_MISS)
        *absent = line;
    else if (*absent != line)
        return;
    sm->counts.tag_misses++;
}

/* The head of a bank at the tags. What was refused is refused for the same reason as long as the
 * cache has not changed, so it need not be looked up to be counted. */
static void load_store_look_up(struct sm *sm, uint32_t bank, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    const enum unit_outcome before = (enum unit_outcome)unit->banks[bank].blocked;
    if (before && cache_unit_refuses(&unit->l1d, unit->banks[bank].tried)) {
        cache_unit_refuse(&unit->l1d, before);
        refused(sm, bank, before);
        return;
    }
    struct packet_queue *queue = &unit->banks[bank].queue;
    const struct packet *access =
        packet_queue_head(&sm->packets, queue); /* as it was, also after it left */
    struct unit_effect effect;
    const enum unit_outcome outcome = cache_unit_access(
        &unit->l1d, access, access->address >> unit->l1d.geometry.line_bits, now, &effect);
    if (unit->l1d.events && (outcome < UNIT_FAIL || outcome != before))
        cache_unit_tell(&unit->l1d, access, sm->ops.items[access->id].order, now, outcome);
    if (outcome >= UNIT_FAIL) {
        refused(sm, bank, outcome);
        return;
    }
    if (unit->banks[bank].blocked) {
        sm->stalls.changed = true;
        unit->banks[bank].blocked = 0;
        set_exclude(unit->refused, bank);
    }
    packet_queue_pop(&sm->packets, queue);
    unit->banks[bank].served = now + sm->shared->l1_gap;
    sm->progress = true;
    struct op *op = &sm->ops.items[access->id];
    if (sm->by_code)
        code_counts_accessed(sm, op, outcome);
    if (sm->by_warp)
        warp_counts_accessed(sm, op->warp, outcome);
    sm->stalls.changed |= !--sm->warps[op->warp].inside;
    note_tag(sm, access, outcome);
    if (access->kind == PACKET_READ) {
        if (effect.sent_past)
            op->remaining += replies_to(sm, access) - 1;
        if (outcome == UNIT_HIT)
            access_done(sm, access->id, now);
        return;
    }
    const bool waits = effect.sent_write || effect.sent_fetch;
    for (uint32_t i = 0; !waits && i < replies_to(sm, access); i++)
        store_done(sm, access->id);
}

TEMPLATE void look_up_bank(struct sm *sm, uint32_t bank, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    const struct packet_queue *queue = &unit->banks[bank].queue;
    uint32_t last = NO_OP;
    for (uint32_t before = UINT32_MAX; queue->count && queue->count < before;) {
        const struct packet *head = packet_queue_head(&sm->packets, queue);
        if (head->ready > now || (unit->banks[bank].served > now && head->id != last))
            break;
        before = queue->count;
        last = sm->shared->joins ? head->id : NO_OP;
        load_store_look_up(sm, bank, now);
        unit->waiting -= before - queue->count;
    }
    if (!queue->count)
        set_exclude(unit->occupied, bank);
}

static void look_up_banks(struct sm *sm, uint64_t now)
{
    uint32_t bank;
    if (sm->shared->l1_banks == 1)
        look_up_bank(sm, 0, now);
    else
        SET_EACH (bank, sm->load_store.occupied, sm->shared->bank_words)
            look_up_bank(sm, bank, now);
}

/* ---- f: the latch ---- */

static void record_done(struct sm *sm, uint32_t at)
{
    const struct op *op = &sm->ops.items[at];
    if (!sm->load_store.access_count &&
        op->code->flags & INSTRUCTION_COPY) { /* no cache serves its space */
        sm->warps[op->warp].copies[op->copy_group]--;
        sm_update(sm, op->warp);
    }
    load_store_count(sm, at);
}

void sm_take_accesses(struct sm *sm, uint32_t at)
{
    struct load_store *unit = &sm->load_store;
    struct op *op = &sm->ops.items[at];
    unit->access_at = 0;
    load_store_choose_banks(sm);
    unit->data_cycles = op->passed ? 0 : load_store_data_cycles(sm, &sm->records.items[op->record]);
    record_done(sm, at);
    for (uint32_t i = 0; i < unit->access_count; i++) {
        struct packet *part = &unit->accesses[i];
        part->parts = (uint16_t)unit->access_count;
        const bool alone = part->kind == PACKET_WRITE || part->flags & PACKET_PASSED;
        op->remaining += alone ? replies_to(sm, part) : 1;
        if (sm->events)
            sm_tell_op(sm, op, EVENT_request, part);
    }
    if (op->code->flags & INSTRUCTION_UNAWAITED)
        sm->warps[op->warp].unawaited += op->remaining > 0;
    sm->warps[op->warp].inside += unit->access_count;
    sm->stalls.changed = true;
}

void load_store_accept(struct sm *sm, uint32_t at, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    struct op *op = &sm->ops.items[at];
    unit->latch = at;
    unit->access_count = unit->access_at = 0;
    if (op->banks > sm->shared->wavefronts)
        op->banks = (uint8_t)sm->shared->wavefronts;
    unit->latch_ready = now + (op->banks ? op->banks : 1u);
    op->remaining = op->banks ? 1 : 0;
    if (op->banks && op->code->flags & INSTRUCTION_UNAWAITED)
        sm->warps[op->warp].unawaited++;
    if (op->banks)
        sm->counts.shared_conflicts += op->banks - 1u;
    if (op->record == NO_RECORD)
        return;
    load_store_generate(sm, at);
    const unsigned space = sm->records.items[op->record].access.space;
    if (sm->shared->page_bits && tlb_spaces() & space_bit(space) && !op->translated)
        sm_translate(sm, now);
    else
        sm_take_accesses(sm, at);
}

/* The op in the latch went on. What waits for replies keeps it; everything else is done. */
TEMPLATE void latch_empty(struct sm *sm, uint64_t now)
{
    const uint32_t at = sm->load_store.latch;
    struct op *op = &sm->ops.items[at];
    sm->load_store.latch = NO_OP;
    sm->progress = true;
    if (op->banks && is_load(op)) {
        const struct packet entry = {.id = at,
                                     .ready = now + sm->shared->machine->core.shared_latency};
        push(sm, &sm->load_store.shared_pipe, &entry);
        return;
    }
    sm->warps[op->warp].in_shared -= op->banks > 0;
    sm->stalls.changed |= op->banks > 0;
    sm_leave(sm, op->warp);
    if (op->banks || !op->remaining) {
        if (op->code->flags & (INSTRUCTION_LOAD | INSTRUCTION_ATOMIC))
            sm_release(sm, op->warp, op->code, true);
        if (sm->events)
            sm_tell_op(sm, op, EVENT_written, NULL);
        op_free(&sm->ops, at);
    }
}

TEMPLATE void pass_l1d(struct sm *sm, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    for (uint64_t i = 0; i < sm->shared->sectors && unit->access_at < unit->access_count; i++) {
        const struct packet *access = &unit->accesses[unit->access_at];
        if (!sm_send(sm, access, now)) {
            sm->port.blocked = true;
            return;
        }
        if (!unit->access_at++)
            unit->units_free = now + sm->shared->lane_cycles;
        struct sm_warp *warp = &sm->warps[sm->ops.items[access->id].warp];
        sm->stalls.changed |= !--warp->inside;
        if (access->kind == PACKET_WRITE)
            warp->stores += replies_to(sm, access);
    }
}

static bool port_taken(struct sm *sm)
{
    sm->stalls.port_fails++;
    sm->counts.port_fails++;
    sm->stalls.failed = true;
    return false;
}

/* An access enters its bank of the L1D, unless that is taken. */
static bool enter_bank(struct sm *sm, struct packet *access, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    const struct sm_machine *shared = sm->shared;
    const uint32_t bank = access->bank;
    struct packet_queue *queue = &unit->banks[bank].queue;
    const bool taken = shared->joins
                           ? load_store_joined_waits(sm, access, now)
                           : unit->banks[bank].entered > now || queue->count >= shared->l1_places;
    if (taken)
        return port_taken(sm);
    access->ready = now + shared->l1_latency;
    unit->banks[bank].entered = now + shared->l1_gap;
    push(sm, queue, access);
    set_include(unit->occupied, bank);
    unit->waiting++;
    sm->progress = true;
    return true;
}

/* An access enters its queue in front of the L1D, unless that is full. */
static bool enter_queue(struct sm *sm, const struct packet *access, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    if (reorder_passes(&unit->reorder, unit->l1d.bypass, access))
        return !unit->reorder.total && enter_bank(sm, &unit->accesses[unit->access_at], now);
    if (!reorder_push(&unit->reorder, unit->l1d.bypass, access))
        return port_taken(sm);
    sm->progress = true;
    return true;
}

/* Up to one access a bank enters the L1D, or the queues in front of it; the first that finds its
 * place taken stops the rest. */
TEMPLATE void enter_l1d(struct sm *sm, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    for (uint32_t i = 0; i < sm->shared->l1_entries && unit->access_at < unit->access_count; i++) {
        struct packet *access = &unit->accesses[unit->access_at];
        if (i && access->flags & PACKET_WAITS)
            return;
        if (!(unit->reorder.count ? enter_queue(sm, access, now) : enter_bank(sm, access, now)))
            return;
        if (!unit->access_at++) {
            unit->units_free = now + sm->shared->lane_cycles;
            unit->data_free = now + unit->data_cycles;
        }
        if (access->kind == PACKET_WRITE)
            sm->warps[sm->ops.items[access->id].warp].stores += replies_to(sm, access);
    }
}

/* The queues go on as far as the banks take what they hold. */
static void drain_queues(struct sm *sm, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    for (uint32_t i = 0; i < sm->shared->l1_banks && unit->reorder.total; i++) {
        const uint32_t queue = reorder_next(&unit->reorder, unit->l1d.bypass);
        if (!enter_bank(sm, packet_queue_head(&unit->reorder.packets, &unit->reorder.queues[queue]),
                        now))
            return;
        reorder_pop(&unit->reorder, unit->l1d.bypass, queue);
    }
}

/* An access to shared memory, which held the latch for a cycle a wavefront, takes its data: from
 * the banks of the L1D where the two are one memory. */
TEMPLATE void keep_shared(struct sm *sm, const struct op *op, uint64_t now)
{
    const struct cache_config *l1d = &sm->shared->machine->l1d;
    sm->load_store.units_free = now + sm->shared->lane_cycles;
    if (l1d->unified)
        sm->load_store.data_free = now + 1 + op->banks * (l1d->wavefront - 1);
}

/* The instruction in the latch goes on, one part in a cycle: to translation again if that refused
 * it, to the pipe of shared memory, past the L1D, or into its banks. It waits for the units that
 * move lanes and for the data banks only before its first access; then they are its own. */
TEMPLATE void serve_latch(struct sm *sm, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    if (unit->latch == NO_OP || unit->latch_ready > now)
        return;
    if (sm->translate.refused) {
        if (sm->translate.tried != sm->translate.tlb.changes)
            sm_translate(sm, now);
        return;
    }
    const struct op *op = &sm->ops.items[unit->latch];
    if (!unit->access_at && unit->units_free > now)
        return;
    if (op->banks) {
        const bool banks = sm->shared->machine->l1d.unified && unit->data_free > now;
        const bool full = unit->shared_pipe.count >= sm->shared->shared_places;
        if (banks || (full && is_load(op)))
            return;
        keep_shared(sm, op, now);
    } else if (unit->access_at < unit->access_count) {
        if (op->passed)
            pass_l1d(sm, now);
        else if (unit->access_at || unit->data_free <= now)
            enter_l1d(sm, now);
    }
    if (unit->access_at == unit->access_count)
        latch_empty(sm, now);
}

bool load_store_again(struct sm *sm, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    const struct op *op = &sm->ops.items[unit->latch];
    if (op->passed || unit->latch_ready > now + 1)
        return false; /* the network takes what passes in later cycles (may_send) */
    unit->latch_ready = now;
    serve_latch(sm, now);
    return unit->latch == NO_OP;
}

/* From last to first, as the stages of the SM and GPGPU-Sim's ldst_unit::cycle: what is written
 * back makes room for replies, misses that leave for look-ups, look-ups for what is in the latch.
 */
void load_store_cycle(struct sm *sm, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    const uint64_t sectors = sm->shared->sectors;
    if (sm->shared->page_bits)
        sm_take_translations(sm, now);
    for (uint32_t i = 0; i < sm->shared->written; i++) {
        write_back(sm, now);
        if (sm->port.responses.count)
            take_response(sm, now);
    }
    for (uint64_t i = 0; i < sectors && unit->l1d.misses.count; i++)
        sm_send_miss(sm, &unit->l1d, now);
    if (unit->waiting)
        look_up_banks(sm, now);
    if (unit->reorder.total)
        drain_queues(sm, now);
    serve_latch(sm, now);
}

/* The earlier of `next` and a time to come. What was due already waits for something else, which
 * has a time of its own or comes from outside. */
static uint64_t sooner(uint64_t next, uint64_t time, uint64_t now)
{
    return time > now && time < next ? time : next;
}

static uint64_t sooner_head(const struct sm *sm, uint64_t next, const struct packet_queue *queue,
                            uint64_t now)
{
    return queue->count ? sooner(next, packet_queue_head(&sm->packets, queue)->ready, now) : next;
}

uint64_t load_store_next(const struct sm *sm, uint64_t now)
{
    const struct load_store *unit = &sm->load_store;
    const struct sm_port *port = &sm->port;
    uint64_t next = UINT64_MAX;
    if (sm->translate.answers.count) /* also one that is due, which is taken in the next cycle */
        next = packet_queue_head(&sm->packets, &sm->translate.answers)->ready;
    if (port->arriving.count && limit_left(&port->ejected, port->cluster.count)) {
        const uint64_t ready = packet_queue_head(&sm->packets, &port->arriving)->ready + 1;
        next = sooner(next, ready > now ? ready : now + 1, now);
    }
    if (unit->latch != NO_OP) {
        next = sooner(next, unit->latch_ready, now);
        next = sooner(next, unit->units_free, now);
        next = sooner(next, unit->data_free, now);
    }
    if (port->responses.count)
        next = sooner(next, unit->fill_free, now);
    uint32_t bank;
    SET_EACH (bank, unit->occupied, sm->shared->bank_words)
        next = sooner_head(sm, next, &unit->banks[bank].queue, now);
    return sooner_head(sm, next, &unit->shared_pipe, now);
}
