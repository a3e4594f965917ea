#include "model/timing/sm/sm.h"

#include <string.h>

#include "model/timing/sm/code_counts.h"
#include "model/timing/sm/load_store.h"
#include "model/timing/sm/warp_counts.h"

/* ---- what schedulers know of a warp ---- */

static inline bool warp_pending(const struct sm *sm, const struct sm_warp *warp)
{
    uint64_t any = warp->registers[0].pending;
    for (uint32_t i = 1; i < sm->code->words; i++)
        any |= warp->registers[i].pending;
    return any;
}

static bool copies(const struct sm_warp *warp)
{
    unsigned any = 0;
    for (unsigned i = 0; i < COPY_GROUPS; i++)
        any |= warp->copies[i];
    return any;
}

/* Whether a warp that issues nothing until something ends waits for memory: for its atomics,
 * copies, loads or acknowledgements. Barriers wait for other warps. */
static bool waits_for_memory(const struct sm *sm, const struct sm_warp *warp)
{
    uint64_t awaited = 0;
    for (uint32_t i = 0; i < sm->code->words; i++)
        awaited |= warp->registers[i].awaited;
    if (!warp->lanes)
        return awaited || warp->stores || warp->atomics || copies(warp);
    return !warp->barrier && (warp->atomics || warp->copy_wait || (warp->fence && awaited));
}

/* A fence ends once the warp waits for no register; then the L1D forgets what it holds. */
static void end_fence(struct sm *sm, struct sm_warp *warp)
{
    if (warp_pending(sm, warp) || warp->unawaited)
        return;
    warp->fence = false;
    sm_empty_l1d(sm);
}

static bool waits_for_copies(const struct sm_warp *warp)
{
    unsigned left = warp->copy_wait - 1u;
    for (unsigned i = 1; i <= COPY_GROUPS; i++) {
        const unsigned group = (warp->copy_group + COPY_GROUPS - i) % COPY_GROUPS;
        if (i > left && warp->copies[group])
            return true;
    }
    return false;
}

/* Works out whether a warp's next instruction has its registers. The warp waits for nothing else.
 */
static inline void note_registers(const struct sm *sm, const struct sm_warp *warp,
                                  struct scheduler *scheduler, uint64_t bit)
{
    const struct sm_instruction *code = &sm->code->items[warp->buffer[warp->next].code];
    const struct register_word *words = warp->registers;
    uint64_t pending = words[0].pending & code->first.used;
    uint64_t awaited = words[0].awaited & code->first.used;
    uint64_t loading = words[0].loading & code->first.read; /* what a load wrote last */
    for (uint32_t i = 1; i < sm->code->words; i++) {
        pending |= words[i].pending & code->masks[i].used;
        awaited |= words[i].awaited & code->masks[i].used;
        loading |= words[i].loading & code->masks[i].read;
    }
    const uint64_t others = ~bit;
    scheduler->ready = (scheduler->ready & others) | (pending ? 0 : bit);
    scheduler->memory = (scheduler->memory & others) | (pending && awaited ? bit : 0);
    scheduler->loaded = (scheduler->loaded & others) | (loading ? bit : 0);
}

/* The same for a warp whose next instruction is another one than before, if it has any. */
static inline void note_next(const struct sm *sm, const struct sm_warp *warp,
                             struct scheduler *scheduler, uint64_t bit)
{
    if (!warp->buffered) {
        scheduler->has &= ~bit;
        scheduler->ready &= ~bit;
        scheduler->memory &= ~bit;
        scheduler->loaded &= ~bit;
        return;
    }
    const uint8_t pipe = sm->code->items[warp->buffer[warp->next].code].pipe;
    scheduler->has |= bit;
    scheduler->pipe[scheduler->slot_pipe[warp->slot]] &= ~bit;
    scheduler->slot_pipe[warp->slot] = pipe;
    scheduler->pipe[pipe] |= bit;
    note_registers(sm, warp, scheduler, bit);
}

/* Invariant of a scheduler's masks, on which issue, stalls and the choice of cycles to skip rest: a
 * warp that cannot issue whatever its next instruction is has its bit in `waits` alone, and in
 * `memory` or `held` for the reason; any other has it in the masks that note_next sets. So all bits
 * go first, and whoever changes what a warp waits for calls this. */
void sm_update(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    struct scheduler *scheduler = &sm->schedulers[warp->scheduler];
    const uint64_t bit = UINT64_C(1) << warp->slot;
    scheduler->has &= ~bit;
    scheduler->ready &= ~bit;
    scheduler->memory &= ~bit;
    scheduler->held &= ~bit;
    scheduler->waits &= ~bit;
    scheduler->loaded &= ~bit;
    sm->stalls.changed = true;
    if (!warp->present) {
        scheduler->waits |= bit; /* like a warp that has ended */
        return;
    }
    if (warp->fence)
        end_fence(sm, warp);
    if (warp->copy_wait && !waits_for_copies(warp))
        warp->copy_wait = 0;
    if (!warp->lanes)
        set_bit(sm->fetch.endable, index,
                !warp->in_pipe && !warp->stores && !warp->atomics && !warp->unawaited &&
                    !warp_pending(sm, warp) && !copies(warp));
    if (!warp->lanes || warp->barrier || warp->fence || warp->atomics || warp->copy_wait) {
        scheduler->waits |= bit;
        if (waits_for_memory(sm, warp))
            scheduler->memory |= bit;
        else if (warp->lanes)
            scheduler->held |= bit;
        return;
    }
    note_next(sm, warp, scheduler, bit);
}

void sm_decoded(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    struct scheduler *scheduler = &sm->schedulers[warp->scheduler];
    const uint64_t bit = UINT64_C(1) << warp->slot;
    sm->stalls.changed = true;
    if (scheduler->waits & bit)
        sm_update(sm, index);
    else
        note_next(sm, warp, scheduler, bit);
}

void sm_release(struct sm *sm, uint32_t index, const struct sm_instruction *code, bool forget)
{
    struct sm_warp *warp = &sm->warps[index];
    struct scheduler *scheduler = &sm->schedulers[warp->scheduler];
    const uint64_t bit = UINT64_C(1) << warp->slot;
    /* A load without a result may outlive its launch; it has nothing to release. */
    for (uint32_t i = 0; code->releases && i < sm->code->words; i++) {
        const uint64_t written = i ? code->masks[i].written : code->first.written;
        warp->registers[i].pending &= ~written;
        warp->registers[i].awaited &= ~written;
        warp->registers[i].loading &= ~(forget ? written : 0);
    }
    /* To a warp that can issue, and reads nothing that a load wrote, it makes no difference; nor to
     * one without an instruction. */
    if (scheduler->waits & bit) {
        sm_update(sm, index);
    } else if (scheduler->has & (~scheduler->ready | scheduler->loaded) & bit) {
        sm->stalls.changed = true;
        note_registers(sm, warp, scheduler, bit);
    }
}

/* ---- events ---- */

void sm_tell(const struct sm *sm, enum event_kind kind, uint64_t cycle, uint32_t slot,
             uint32_t block)
{
    const struct timing_event event = {.cycle = cycle,
                                       .address = sm->blocks[block].number,
                                       .place = sm->number,
                                       .slot = (uint16_t)slot,
                                       .kind = (uint8_t)kind,
                                       .detail = EVENT_NO_DETAIL};
    event_log_put(sm->events, &event);
}

void sm_tell_op(const struct sm *sm, const struct op *op, enum event_kind kind,
                const struct packet *access)
{
    uint64_t address = access ? access->address : 0;
    if (kind == EVENT_issue)
        address = (uint64_t)(op->code - sm->code->items);
    const struct timing_event event = {.cycle = sm->now,
                                       .address = address,
                                       .pc = op->code->code->pc,
                                       .id = op->order,
                                       .place = sm->number,
                                       .slot = op->warp,
                                       .bytes = access ? access->bytes : 0,
                                       .kind = (uint8_t)kind,
                                       .detail = access ? access->kind : EVENT_NO_DETAIL};
    event_log_put(sm->events, &event);
}

/* ---- issue ---- */

void sm_end_warp(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    struct sm_block *block = &sm->blocks[warp->block];
    warp->lanes = 0;
    warp->in_pipe -= warp->buffered;
    warp->buffered = 0;
    set_bit(sm->fetch.fetchable, index, false);
    block->waiting -= warp->barrier; /* a stream can end at a barrier */
    warp->barrier = false;
    block->running--;
    barrier_release(sm, warp->block);
}

/* What an instruction does to its warp when it issues, beyond the registers that it reserves. */
static void act(struct sm *sm, uint32_t index, const struct sm_instruction *code, uint32_t mask)
{
    struct sm_warp *warp = &sm->warps[index];
    switch ((enum instruction_action)code->action) {
    case ACTION_BARRIER:
        warp->barrier = true;
        if (sm->events)
            sm_tell(sm, EVENT_barrier, sm->now, index, warp->block);
        barrier_arrive(sm, warp->block);
        barrier_release(sm, warp->block);
        break;
    case ACTION_EXIT:
        if (warp->lanes && !(warp->lanes &= ~mask))
            sm_end_warp(sm, index);
        break;
    case ACTION_FENCE:
        warp->fence = true;
        break;
    case ACTION_COMMIT:
        warp->copy_group = (uint8_t)((warp->copy_group + 1) % COPY_GROUPS);
        break;
    case ACTION_WAIT:
        warp->copy_wait = (uint8_t)(1 + code->code->argument);
        break;
    case ACTION_NONE:
        break;
    }
}

static void reserve_registers(const struct sm *sm, struct sm_warp *warp, const struct op *op)
{
    const bool load = op->pipe == PIPE_MEMORY;
    for (uint32_t i = 0; i < sm->code->words; i++) {
        const uint64_t written = i ? op->code->masks[i].written : op->code->first.written;
        warp->registers[i].pending |= written;
        if (load && (op->banks || op->record != NO_RECORD))
            warp->registers[i].awaited |= written;
        if (load && !op->banks)
            warp->registers[i].loading |= written;
    }
}

/* Copies the warp's next record, which belongs to the instruction that issues. */
static void take_record(struct sm *sm, struct sm_warp *warp, uint32_t index, struct op *op)
{
    struct access_window *window = &warp->records;
    const struct trace_source_ops *ops = sm->shared->source->ops;
    if (warp->record_at == window->count && !window->end) {
        const enum status status = ops->read(sm->blocks[warp->block].reader,
                                             index % sm->warps_per_block, window, sm->diagnostics);
        warp->record_at = 0;
        warp->record_fills++;
        if (status)
            sm->status = status;
    }
    op->record = NO_RECORD;
    if (sm->status || warp->record_at == window->count)
        return; /* the source promised a record: STATUS_CORRUPT comes from its reader */
    const struct warp_access *access = &window->items[warp->record_at++];
    op->record = record_new(&sm->records);
    if (op->record == NO_RECORD) {
        sm->status = STATUS_MEMORY;
        return;
    }
    struct record_copy *copy = &sm->records.items[op->record];
    copy->access = *access;
    copy->offsets = window->offsets;
    if (access->flags & ACCESS_LISTED) {
        /* All 32 at once, whatever the mask is: a window has room for as many of each record. */
        memcpy(copy->lanes, window->lanes + access->base, sizeof copy->lanes);
        copy->access.base = 0;
    }
}

/* What a warp that issued an instruction waits for now. */
static void follow_issue(struct sm *sm, uint32_t index, const struct op *op, uint32_t mask)
{
    struct sm_warp *warp = &sm->warps[index];
    const struct sm_instruction *code = op->code;
    const bool accesses = op->banks || op->record != NO_RECORD;
    if (code->flags & INSTRUCTION_ATOMIC && mask && accesses)
        warp->atomics++;
    if (code->flags & INSTRUCTION_COPY && op->record != NO_RECORD)
        warp->copies[warp->copy_group]++;
    if (code->action == ACTION_NONE && !(code->flags & INSTRUCTION_ATOMIC)) {
        note_next(sm, warp, &sm->schedulers[warp->scheduler], UINT64_C(1) << warp->slot);
        return;
    }
    act(sm, index, code, mask);
    sm_update(sm, index);
}

/* The instruction leaves the warp's buffer before follow_issue, which looks at the next one: the
 * registers of this one are reserved by then, so an instruction that depends on it is not ready. */
static void issue_warp(struct sm *sm, uint32_t scheduler, uint32_t slot, unsigned pipe)
{
    const uint32_t index = warp_of(sm->shared, scheduler, slot);
    struct sm_warp *warp = &sm->warps[index];
    const struct warp_instruction *next = &warp->buffer[warp->next];
    const struct sm_instruction *code = &sm->code->items[next->code];
    const uint32_t mask = next->mask, at = op_new(&sm->ops);
    if (at == NO_OP) {
        sm->status = STATUS_MEMORY;
        return;
    }
    struct op *op = &sm->ops.items[at];
    *op = (struct op){.code = code,
                      .issued = sm->now,
                      .order = sm->ops.orders++,
                      .record = NO_RECORD,
                      .warp = (uint16_t)index,
                      .scheduler = (uint8_t)scheduler,
                      .pipe = (uint8_t)pipe,
                      .banks = next->banks,
                      .first_bank = warp->first_bank,
                      .turn = warp->turn,
                      .copy_group = warp->copy_group};
    warp->in_shared += op->banks > 0;
    if (next->flags & ISSUE_RECORD)
        take_record(sm, warp, index, op);
    if (pipe != PIPE_MEMORY && op->record != NO_RECORD)
        load_store_count_unserved(sm, at);
    collect_put(&sm->collect, sm->shared, scheduler, pipe, at);
    sm->counts.instructions++;
    sm->issued[scheduler]++;
    sm->counts.thread_instructions += mask == UINT32_MAX ? WARP_SIZE : bits_count(mask);
    warp->next++;
    warp->buffered--;
    reserve_registers(sm, warp, op);
    if (sm->load_store.l1d.throttle)
        sm->load_store.l1d.throttle->issued[index]++;
    if (sm->by_code)
        code_counts_issued(sm, index, code);
    if (!warp->buffered)
        set_bit(sm->fetch.fetchable, index, true);
    if (sm->by_warp)
        warp_counts_issued(sm, index, mask);
    if (sm->events)
        sm_tell_op(sm, op, EVENT_issue, NULL);
    follow_issue(sm, index, op, mask);
    sm->progress = true;
}

/* Those of a scheduler's slots whose instruction finds a latch of its pipe and is for none of the
 * pipes in `except`. */
static inline uint64_t find_latch(struct sm *sm, uint32_t index, uint64_t slots, unsigned except)
{
    const struct scheduler *scheduler = &sm->schedulers[index];
    for (unsigned full = *full_pipes(&sm->collect, sm->shared, index) | except; full;
         full &= full - 1)
        slots &= ~scheduler->pipe[__builtin_ctz(full)];
    return slots;
}

/* Issues an instruction of one of the slots, which are not none. Returns its pipe; -1: the policy
 * lets none of them issue. */
static inline int issue_one(struct sm *sm, uint32_t index, uint64_t slots)
{
    struct scheduler *scheduler = &sm->schedulers[index];
    const int slot = scheduler_pick(scheduler, slots);
    if (slot < 0)
        return -1;
    const uint8_t pipe = scheduler->slot_pipe[slot];
    issue_warp(sm, index, (uint32_t)slot, pipe);
    scheduler_issued(scheduler, (uint32_t)slot);
    return pipe;
}

/* Issues an instruction of one of the ready slots, and where a scheduler issues two the next one of
 * the same warp, to another pipe unless scheduler.same_pipe. Returns whether that was possible. */
static inline bool issue_ready(struct sm *sm, uint32_t index, uint64_t ready)
{
    const struct scheduler *scheduler = &sm->schedulers[index];
    const uint64_t slots = find_latch(sm, index, ready, 0);
    const int pipe = slots ? issue_one(sm, index, slots) : -1;
    if (pipe < 0)
        return false;
    const struct scheduler_config *config = &sm->shared->machine->scheduler;
    if (config->issue > 1) {
        const uint64_t same = UINT64_C(1) << scheduler->last & scheduler->ready;
        const uint64_t again = find_latch(sm, index, same, config->same_pipe ? 0 : 1u << pipe);
        if (again)
            issue_one(sm, index, again);
    }
    return true;
}

/* The warps of a scheduler whose next instruction is a load of global or local memory and that the
 * throttle holds back. They may issue after all where all others wait for a barrier, because
 * those may wait for them. */
static uint64_t held_back(const struct sm *sm, uint32_t index)
{
    const struct scheduler *scheduler = &sm->schedulers[index];
    const uint64_t stopped = sm->load_store.l1d.throttle->stopped[index];
    uint64_t held = stopped & scheduler->pipe[PIPE_MEMORY] & scheduler->has;
    if (!(scheduler->present & ~scheduler->waits & ~stopped))
        return 0;
    for (uint64_t rest = held; rest; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        const struct sm_warp *warp = &sm->warps[warp_of(sm->shared, index, slot)];
        const unsigned flags = sm->code->items[warp->buffer[warp->next].code].flags;
        if (!(flags & INSTRUCTION_LOAD) || flags & INSTRUCTION_SHARED)
            held &= ~(UINT64_C(1) << slot);
    }
    return held;
}

/* Whether a policy looks at each cycle. */
static inline bool policies_look(const struct sm *sm)
{
    const struct scheduler *first = &sm->schedulers[0]; /* all have one policy */
    return sm->load_store.l1d.throttle || first->begins || first->chooses;
}

/* Schedulers share pipes, so the one that comes first in a cycle is another in the next. Where none
 * has a ready warp, and no policy looks at each cycle, the next cycle is like this one. */
static inline __attribute__((always_inline)) void issue_in_turn(struct sm *sm, bool looks)
{
    const uint32_t count = sm->shared->schedulers;
    bool changes = looks || sm->by_code;
    if (sm->stalls.owed)
        sm_count_owed(sm);
    uint32_t index = sm->first_scheduler;
    for (uint32_t i = 0; i < count; i++, index = index + 1 < count ? index + 1 : 0) {
        struct scheduler *scheduler = &sm->schedulers[index];
        uint64_t considered = ~UINT64_C(0);
        if (looks) {
            const uint64_t held = sm->load_store.l1d.throttle ? held_back(sm, index) : 0;
            if (scheduler_begin(scheduler, held))
                sm->progress = true;
            considered = scheduler_considers(scheduler, held);
        }
        const uint64_t ready = scheduler->ready & considered;
        changes |= ready != 0;
        if (ready && issue_ready(sm, index, ready)) {
            sm->stalls.slots[index] = SLOT_issued;
            sm->counts.slots[SLOT_issued]++;
        } else {
            sm_stall(sm, index, considered, ready);
        }
    }
    sm->first_scheduler = sm->first_scheduler + 1 < count ? sm->first_scheduler + 1 : 0;
    sm->stalls.changed = changes;
    sm->stalls.port_failed = sm->stalls.port_fails;
}

static void sm_issue(struct sm *sm)
{
    if (policies_look(sm))
        issue_in_turn(sm, true);
    else
        issue_in_turn(sm, false);
}

/* ---- a cycle, and many ---- */

/* The stages run from last to first, so that what leaves a latch in a cycle makes room for what
 * enters it in the same cycle, and nothing passes two stages in one (GPGPU-Sim's shader_core_ctx::
 * cycle). Replies come before all of them, counts after. */
static void sm_cycle(struct sm *sm)
{
    const struct cache_unit *l1d = &sm->load_store.l1d;
    struct stalls *stalls = &sm->stalls;
    const uint64_t now = sm->now;
    sm->progress = sm->port.blocked = false;
    if (stalls->failed) {
        stalls->port_fails = 0;
        memset(stalls->fails, 0, sizeof stalls->fails);
        stalls->failed = false;
    }
    if (l1d->bypass && now >= l1d->bypass->wake)
        bypass_tick(l1d->bypass, now, sm->counts.instructions);
    if (l1d->throttle && now >= l1d->throttle->wake)
        throttle_tick(l1d->throttle, now);
    if (sm->port.cluster.count || sm->port.arriving.count)
        sm_receive(sm, now);
    if (execute_completes(&sm->execute, now))
        execute_write_back(sm, now);
    execute_cycle(sm, now);
    const struct collect *collect = &sm->collect;
    if ((!collect->stuck && collect->collecting | collect->latched_turns) || collect->banks_written)
        collect_cycle(sm);
    if (now >= sm->barriers.next)
        barriers_release_due(sm);
    if (!stalls_repeat(stalls))
        sm_issue(sm);
    sm->fetch.refused = false;
    if (sm->fetch.stream.taken || fetch_busy(&sm->fetch))
        sm_fetch(sm);
    sm->counts.cycles++;
    sm->counts.warp_cycles += sm->resident;
}

/* The next cycle that differs from the one before it, given that the last one changed nothing. */
static uint64_t next_change(const struct sm *sm)
{
    const uint64_t now = sm->now - 1; /* the last cycle that was simulated */
    for (unsigned pipe = 0; pipe < PIPE_MEMORY; pipe++)
        if (sm->collect.output[pipe])
            return sm->now; /* a unit will take it soon */
    if (sm->port.blocked || sm_fetch_goes_on(sm))
        return sm->now;
    if (sm->stalls.failed && sm->load_store.l1d.policy && !cache_unit_blocked(&sm->load_store.l1d))
        return sm->now; /* another try may choose another victim */
    const struct cache_unit *l1d = &sm->load_store.l1d;
    uint64_t wake = l1d->bypass ? l1d->bypass->wake : UINT64_MAX;
    if (l1d->throttle && l1d->throttle->wake < wake)
        wake = l1d->throttle->wake;
    const uint64_t completion = execute_next(&sm->execute, now), other = load_store_next(sm, now);
    const uint64_t next = completion < other ? completion : other;
    const uint64_t sooner = next < sm->barriers.next ? next : sm->barriers.next;
    return sooner < wake ? sooner : wake;
}

/* The most that the network may have to take in the next cycle. What the L1D misses in a cycle, and
 * what comes to the latch, goes on in a later one; what a fill writes back does at once. */
static inline uint32_t may_send(const struct sm *sm)
{
    const bool fills =
        sm->load_store.l1d.on_fill && (sm->port.responses.count || sm->port.cluster.count);
    const bool accesses = sm->load_store.l1d.misses.count || sm->load_store.latch != NO_OP;
    return accesses || fills ? sm->shared->most_sent : sm->shared->most_fetched;
}

/* A cycle without progress repeats itself until something outside it comes: a completion, a reply,
 * a timer of a policy. Those cycles are counted as the one that was simulated, the turn of the
 * schedulers included, and not simulated. next_change may name a cycle too early, never one too
 * late; tests/support/slow_sm.c steps through all. */
static void advance(struct sm *sm, uint64_t end, bool hungry)
{
    sm->block_retired = false;
    while (sm->now < end && !sm->status) {
        if (!sm->live_blocks) {
            sm->now = end; /* replies wait until there is a block again */
            return;
        }
        if (sm->port.room < may_send(sm) && sm->now != sm->port.room_cycle) {
            sm->starved = true;
            return;
        }
        sm_cycle(sm);
        sm->now++;
        if (sm->block_retired && (hungry || !sm->live_blocks))
            return;
        if (sm->progress)
            continue;
        uint64_t next = next_change(sm);
        next = next < end ? next : end;
        if (next <= sm->now)
            continue;
        const uint64_t skipped = next - sm->now;
        sm_count_more(sm, skipped);
        sm->now = next;
    }
}

/* Its owner may have changed what schedulers know, and reads what was counted. */
void sm_advance(struct sm *sm, uint64_t end, bool hungry)
{
    sm->stalls.changed = true;
    advance(sm, end, hungry);
    sm_count_owed(sm);
}

enum status sm_status(const struct sm *sm)
{
    const struct cache_unit *l1d = &sm->load_store.l1d;
    bool failed = sm->fetch.l1i.failed || l1d->failed || sm->translate.tlb.failed;
    for (uint32_t i = 0; i < sm->fetch.l0_count; i++)
        failed |= sm->fetch.l0s[i].failed;
    if (sm->status || failed)
        return sm->status ? sm->status : STATUS_MEMORY;
    return l1d->bypass ? l1d->bypass->status : STATUS_OK;
}
