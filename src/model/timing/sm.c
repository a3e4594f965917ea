#include "model/timing/sm.h"

#include <string.h>

#include "base/memory.h"
#include "model/gpu/occupancy.h"
#include "model/timing/code_counts.h"
#include "model/timing/load_store.h"
#include "model/timing/mmu.h"
#include "model/timing/sm_parts.h"

enum { WINDOW_INSTRUCTIONS = 64, WINDOW_ACCESSES = 8, FETCH_BYTES = 16 };
#define CODE_BASE UINT64_C(0xf0000000) /* where GPGPU-Sim has instructions */

/* ---- sets of warps ---- */

static inline void set_bit(uint64_t *set, uint32_t warp, bool value)
{
    const uint64_t bit = UINT64_C(1) << warp % 64;
    set[warp / 64] = value ? set[warp / 64] | bit : set[warp / 64] & ~bit;
}

/* The first member at or after `from`, wrapping around; NO_WARP if the set is empty. */
static uint32_t set_next(const uint64_t set[WARPS_MAX / 64], uint32_t from)
{
    const uint32_t word = from / 64;
    const uint64_t after = set[word] & ~UINT64_C(0) << from % 64;
    if (after)
        return word * 64 + (uint32_t)__builtin_ctzll(after);
    for (uint32_t i = word + 1; i < WARPS_MAX / 64; i++)
        if (set[i])
            return i * 64 + (uint32_t)__builtin_ctzll(set[i]);
    for (uint32_t i = 0; i <= word; i++)
        if (set[i])
            return i * 64 + (uint32_t)__builtin_ctzll(set[i]);
    return NO_WARP;
}

static bool set_empty(const uint64_t set[WARPS_MAX / 64])
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < WARPS_MAX / 64; i++)
        any |= set[i];
    return !any;
}

/* ---- ops and copies of records ---- */

uint32_t op_new(struct sm *sm)
{
    if (sm->free_op == NO_OP) {
        size_t capacity = sm->op_count;
        if (array_reserve(&sm->ops, &capacity, capacity + 64)) {
            sm->status = STATUS_MEMORY;
            return NO_OP;
        }
        for (uint32_t i = (uint32_t)capacity; i-- > sm->op_count;) {
            sm->ops[i].next = sm->free_op;
            sm->free_op = i;
        }
        sm->op_count = (uint32_t)capacity;
    }
    const uint32_t at = sm->free_op;
    sm->free_op = sm->ops[at].next;
    return at;
}

void op_free(struct sm *sm, uint32_t at)
{
    sm->ops[at].next = sm->free_op;
    sm->free_op = at;
}

static uint32_t record_new(struct sm *sm)
{
    if (sm->free_record == NO_RECORD) {
        size_t capacity = sm->record_count;
        if (array_reserve(&sm->records, &capacity, capacity + 16)) {
            sm->status = STATUS_MEMORY;
            return NO_RECORD;
        }
        for (uint32_t i = (uint32_t)capacity; i-- > sm->record_count;) {
            sm->records[i].next = sm->free_record;
            sm->free_record = i;
        }
        sm->record_count = (uint32_t)capacity;
    }
    const uint32_t at = sm->free_record;
    sm->free_record = sm->records[at].next;
    return at;
}

/* ---- what schedulers know of a warp ---- */

static bool warp_pending(const struct sm_warp *warp)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < REGISTER_COUNT / 64; i++)
        any |= warp->pending[i];
    return any;
}

static inline bool register_in(const uint64_t *set, uint16_t reg)
{
    return set[reg / 64] >> reg % 64 & 1;
}

static bool collides(const uint64_t *set, const struct instruction *code)
{
    for (unsigned i = 0; i < (unsigned)code->written + code->read; i++)
        if (register_in(set, code->registers[i]))
            return true;
    return false;
}

static bool reads_loaded(const struct sm_warp *warp, const struct instruction *code)
{
    for (unsigned i = 0; i < code->read; i++)
        if (register_in(warp->loading, code->registers[code->written + i]))
            return true;
    return false;
}

/* A fence ends once the warp waits for no register; then the L1D forgets what it holds. */
static void end_fence(struct sm *sm, struct sm_warp *warp)
{
    if (!warp->fence || warp_pending(warp))
        return;
    warp->fence = false;
    if (sm->shared->machine->l1d.enabled && sm->shared->machine->l1d.flush)
        cache_unit_flush(&sm->l1d);
}

static bool waits_for_copies(const struct sm_warp *warp)
{
    if (!warp->copy_wait)
        return false;
    unsigned left = warp->copy_wait - 1u;
    for (unsigned i = 1; i <= COPY_GROUPS; i++) {
        const unsigned group = (warp->copy_group + COPY_GROUPS - i) % COPY_GROUPS;
        if (i > left && warp->copies[group])
            return true;
    }
    return false;
}

static bool copies(const struct sm_warp *warp)
{
    unsigned any = 0;
    for (unsigned i = 0; i < COPY_GROUPS; i++)
        any |= warp->copies[i];
    return any;
}

void sm_update(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    struct scheduler *scheduler = &sm->schedulers[scheduler_of(sm, index)];
    const uint64_t bit = UINT64_C(1) << slot_of(sm, index);
    scheduler->has &= ~bit;
    scheduler->ready &= ~bit;
    scheduler->memory &= ~bit;
    scheduler->waits &= ~bit;
    scheduler->loaded &= ~bit;
    if (!warp->present) {
        scheduler->waits |= bit; /* like a warp that has ended */
        return;
    }
    end_fence(sm, warp);
    if (!waits_for_copies(warp))
        warp->copy_wait = 0;
    set_bit(sm->endable, index,
            !warp->lanes && !warp->in_pipe && !warp->stores && !warp_pending(warp) &&
                !copies(warp));
    if (!warp->lanes || warp->barrier || warp->fence || warp->atomics || warp->copy_wait) {
        scheduler->waits |= bit;
        return;
    }
    if (!warp->buffered)
        return;
    const struct instruction *code = &sm->code->items[warp->buffer[warp->next].code];
    scheduler->has |= bit;
    scheduler->pipe[scheduler->slot_pipe[slot_of(sm, index)]] &= ~bit;
    scheduler->slot_pipe[slot_of(sm, index)] = sm->shared->classes[code->class].pipe;
    scheduler->pipe[scheduler->slot_pipe[slot_of(sm, index)]] |= bit;
    if (reads_loaded(warp, code))
        scheduler->loaded |= bit;
    if (!collides(warp->pending, code))
        scheduler->ready |= bit;
    else if (collides(warp->awaited, code))
        scheduler->memory |= bit;
}

void sm_release(struct sm *sm, uint32_t index, const struct instruction *code, bool forget)
{
    struct sm_warp *warp = &sm->warps[index];
    for (unsigned i = 0; i < code->written; i++) {
        const uint16_t reg = code->registers[i];
        const uint64_t bit = UINT64_C(1) << reg % 64;
        warp->pending[reg / 64] &= ~bit;
        warp->awaited[reg / 64] &= ~bit;
        if (forget)
            warp->loading[reg / 64] &= ~bit;
    }
    sm_update(sm, index);
}

void sm_leave(struct sm *sm, uint32_t index)
{
    if (!--sm->warps[index].in_pipe)
        sm_update(sm, index);
}

/* ---- issue ---- */

static void release_barrier(struct sm *sm, uint32_t slot)
{
    struct sm_block *block = &sm->blocks[slot];
    if (!block->waiting || block->waiting < block->running)
        return;
    block->waiting = 0;
    for (uint32_t i = 0; i < sm->warps_per_block; i++) {
        const uint32_t index = slot * sm->warps_per_block + i;
        if (!sm->warps[index].barrier)
            continue;
        sm->warps[index].barrier = false;
        sm_update(sm, index);
    }
}

/* All threads of a warp have ended: what it fetched ahead is dropped. */
static void end_warp(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    warp->lanes = 0;
    warp->in_pipe -= warp->buffered;
    warp->buffered = 0;
    set_bit(sm->fetchable, index, false);
    sm->blocks[warp->block].running--;
    release_barrier(sm, warp->block);
}

static void act(struct sm *sm, uint32_t index, const struct instruction *code, uint32_t mask)
{
    struct sm_warp *warp = &sm->warps[index];
    switch ((enum instruction_action)code->action) {
    case ACTION_BARRIER:
        warp->barrier = true;
        sm->blocks[warp->block].waiting++;
        release_barrier(sm, warp->block);
        break;
    case ACTION_EXIT:
        if (warp->lanes && !(warp->lanes &= ~mask))
            end_warp(sm, index);
        break;
    case ACTION_FENCE:
        warp->fence = true;
        break;
    case ACTION_COMMIT:
        warp->copy_group = (uint8_t)((warp->copy_group + 1) % COPY_GROUPS);
        break;
    case ACTION_WAIT:
        warp->copy_wait = (uint8_t)(1 + code->argument);
        break;
    case ACTION_NONE:
        break;
    }
}

static void reserve_registers(struct sm_warp *warp, const struct op *op)
{
    const bool load = op->code->class == CLASS_MEMORY;
    for (unsigned i = 0; i < op->code->written; i++) {
        const uint16_t reg = op->code->registers[i];
        const uint64_t bit = UINT64_C(1) << reg % 64;
        warp->pending[reg / 64] |= bit;
        if (load)
            warp->awaited[reg / 64] |= bit;
        if (load && !op->banks)
            warp->loading[reg / 64] |= bit;
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
        if (status)
            sm->status = status;
    }
    op->record = NO_RECORD;
    if (sm->status || warp->record_at == window->count)
        return; /* the source promised a record: STATUS_CORRUPT comes from its reader */
    const struct warp_access *access = &window->items[warp->record_at++];
    op->record = record_new(sm);
    if (op->record == NO_RECORD)
        return;
    struct record_copy *copy = &sm->records[op->record];
    copy->access = *access;
    if (access->flags & ACCESS_LISTED) {
        memcpy(copy->lanes, window->lanes + access->base,
               bits_count(access->mask) * sizeof *copy->lanes);
        copy->access.base = 0;
    }
}

static void issue_warp(struct sm *sm, uint32_t scheduler, uint32_t slot, unsigned pipe,
                       uint32_t *latch)
{
    const uint32_t index = slot * (uint32_t)sm->shared->machine->scheduler.count + scheduler;
    struct sm_warp *warp = &sm->warps[index];
    const struct warp_instruction *next = &warp->buffer[warp->next];
    const struct instruction *code = &sm->code->items[next->code];
    const uint32_t mask = next->mask, at = op_new(sm);
    if (at == NO_OP)
        return;
    struct op *op = &sm->ops[at];
    *op = (struct op){.code = code,
                      .issued = sm->now,
                      .order = sm->orders++,
                      .mask = mask,
                      .record = NO_RECORD,
                      .warp = (uint16_t)index,
                      .scheduler = (uint8_t)scheduler,
                      .pipe = (uint8_t)pipe,
                      .banks = next->banks,
                      .copy_group = warp->copy_group};
    if (next->flags & ISSUE_RECORD)
        take_record(sm, warp, index, op);
    *latch = at;
    sm->latched[pipe]++;
    sm->counts.instructions++;
    sm->counts.thread_instructions += bits_count(mask);
    warp->next++;
    warp->buffered--;
    reserve_registers(warp, op);
    if (sm->by_code)
        code_counts_issued(sm, index, code);
    if (code->flags & INSTRUCTION_ATOMIC && mask && (op->banks || op->record != NO_RECORD))
        warp->atomics++;
    if (code->flags & INSTRUCTION_COPY && op->record != NO_RECORD)
        warp->copies[warp->copy_group]++;
    if (!warp->buffered)
        set_bit(sm->fetchable, index, true);
    act(sm, index, code, mask);
    sm_update(sm, index);
    sm->progress = true;
}

/* The latch that a scheduler's instruction for a pipe can take; NULL: none is free. */
static uint32_t *free_latch(struct sm *sm, uint32_t scheduler, unsigned pipe)
{
    uint32_t *latches = sm->latches[pipe];
    if (sm->shared->machine->core.subcores)
        return latches[scheduler] == NO_OP ? &latches[scheduler] : NULL;
    if (sm->latched[pipe] == sm->shared->latches[pipe])
        return NULL;
    while (*latches != NO_OP)
        latches++;
    return latches;
}

/* Issues one instruction among `ready`, but to none of the pipes in `except`; returns whether that
 * was possible. All instructions for a pipe whose latch is taken are out of the question at once.
 */
static bool issue_one(struct sm *sm, uint32_t index, uint64_t ready, unsigned except)
{
    struct scheduler *scheduler = &sm->schedulers[index];
    for (unsigned pipe = 0; except; pipe++, except >>= 1)
        if (except & 1)
            ready &= ~scheduler->pipe[pipe];
    while (ready) {
        const int slot = scheduler_pick(scheduler, ready);
        if (slot < 0)
            return false;
        const unsigned pipe = scheduler->slot_pipe[slot];
        uint32_t *latch = free_latch(sm, index, pipe);
        if (!latch) {
            ready &= ~scheduler->pipe[pipe];
            continue;
        }
        issue_warp(sm, index, (uint32_t)slot, pipe, latch);
        scheduler_issued(scheduler, (uint32_t)slot);
        const uint64_t same = UINT64_C(1) << slot & scheduler->ready;
        if (sm->shared->machine->scheduler.issue > 1 && !except && same)
            issue_one(sm, index, same, 1u << pipe);
        return true;
    }
    return false;
}

static enum memory_slot refusal_slot(const struct sm *sm)
{
    static const uint8_t slots[UNIT_RESULTS - UNIT_FAIL] = {
        MEMORY_SLOT_line, MEMORY_SLOT_miss_queue, MEMORY_SLOT_mshr_entry, MEMORY_SLOT_mshr_merge,
        MEMORY_SLOT_write};
    for (uint32_t bank = 0; bank < sm->shared->l1_banks; bank++)
        if (sm->bank_blocked[bank])
            return (enum memory_slot)slots[sm->bank_blocked[bank] - UNIT_FAIL];
    return sm->cycle_port_fails ? MEMORY_SLOT_port : MEMORY_SLOT_l1d;
}

/* What a cycle in which a scheduler issued nothing was for. */
static void account(struct sm *sm, uint32_t index, uint64_t has, uint64_t ready)
{
    const struct scheduler *scheduler = &sm->schedulers[index];
    const uint64_t waiting = scheduler->present & scheduler->waits;
    enum core_slot slot;
    sm->cycle_memory[index] = MEMORY_SLOT_COUNT;
    sm->cycle_away[index] = NO_WARP;
    if (ready) {
        const bool memory = !(ready & ~scheduler->pipe[PIPE_MEMORY]);
        slot = memory ? SLOT_memory : SLOT_pipe;
        if (memory)
            sm->cycle_memory[index] = (uint8_t)refusal_slot(sm);
        if (memory && sm->by_code)
            code_counts_blocked(sm, index, (uint32_t)__builtin_ctzll(ready));
    } else if (has & scheduler->memory) {
        const uint32_t first = (uint32_t)__builtin_ctzll(has & scheduler->memory);
        const uint32_t warp = first * (uint32_t)sm->shared->machine->scheduler.count + index;
        slot = SLOT_memory;
        const bool inside = sm->warps[warp].inside, pages = sm->warps[warp].translating;
        sm->cycle_memory[index] = (uint8_t)(pages    ? MEMORY_SLOT_translation
                                            : inside ? refusal_slot(sm)
                                                     : MEMORY_SLOT_network);
        sm->cycle_away[index] = inside || pages ? NO_WARP : warp;
        if (sm->by_code)
            code_counts_awaited(sm, index, warp);
    } else if (has) {
        slot = SLOT_data;
    } else if (scheduler->present & ~scheduler->waits) {
        slot = SLOT_instruction;
    } else {
        slot = waiting ? SLOT_barrier : SLOT_idle;
    }
    sm->cycle_slots[index] = (uint8_t)slot;
}

static void issue(struct sm *sm)
{
    const uint32_t count = (uint32_t)sm->shared->machine->scheduler.count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index = (sm->first_scheduler + i) % count;
        struct scheduler *scheduler = &sm->schedulers[index];
        if (scheduler->policy == SCHEDULER_TWO_LEVEL &&
            scheduler_exchange(scheduler, scheduler->waits | scheduler->loaded))
            sm->progress = true;
        const uint64_t considered = scheduler_considers(scheduler);
        const uint64_t has = scheduler->has & considered, ready = scheduler->ready & considered;
        if (ready && issue_one(sm, index, ready, 0)) {
            sm->cycle_slots[index] = SLOT_issued;
            sm->cycle_memory[index] = MEMORY_SLOT_COUNT;
            sm->cycle_away[index] = NO_WARP;
        } else {
            account(sm, index, has, ready);
        }
    }
    sm->first_scheduler = (sm->first_scheduler + 1) % count;
}

/* ---- fetch ---- */

/* The next instruction of a warp; NULL at the end of its stream. */
static const struct warp_instruction *next_instruction(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    struct instruction_window *window = &warp->instructions;
    if (warp->instruction_at == window->count) {
        if (window->end)
            return NULL;
        const enum status status = sm->shared->source->ops->read_instructions(
            sm->blocks[warp->block].reader, index % sm->warps_per_block, window, sm->diagnostics);
        warp->instruction_at = 0;
        if (status)
            sm->status = status;
        if (status || !window->count)
            return NULL;
    }
    return &window->items[warp->instruction_at];
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
    if (!warp->buffered && warp->lanes)
        end_warp(sm, index); /* a stream without an exit ends where it stops */
    sm_update(sm, index);
    sm->progress = true;
}

static void retire(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    struct sm_block *block = &sm->blocks[warp->block];
    struct scheduler *scheduler = &sm->schedulers[scheduler_of(sm, index)];
    warp->present = false;
    set_bit(sm->endable, index, false);
    scheduler->present &= ~(UINT64_C(1) << slot_of(sm, index));
    sm_update(sm, index);
    sm->resident--;
    sm->progress = true;
    if (!--block->warps) {
        sm->shared->source->ops->close_block(block->reader);
        block->reader = NULL;
        sm->block_retired = true;
        if (!--sm->live_blocks)
            sm->emptied = sm->now + 1;
    }
}

static void fetch_warp(struct sm *sm, uint32_t index)
{
    struct sm_warp *warp = &sm->warps[index];
    enum unit_outcome outcome = UNIT_HIT;
    sm->fetched = index;
    if (sm->shared->machine->l1i.enabled) {
        const struct warp_instruction *next = next_instruction(sm, index);
        struct unit_effect effect;
        const uint64_t pc = next ? sm->code->items[next->code].pc : 0;
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
        warp->missing = true;
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
        const uint32_t index = cache_unit_take(&sm->l1i).id;
        sm->warps[index].missing = false;
        sm->fetch_buffer = index;
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

static void front_end(struct sm *sm)
{
    const uint64_t times = sm->shared->machine->core.fetch;
    const bool caches = sm->shared->machine->l1i.enabled;
    sm->fetch_refused = false;
    for (uint64_t i = 0; i < times; i++) {
        if (sm->fetch_buffer != NO_WARP)
            decode(sm);
        if (sm->fetch_buffer == NO_WARP)
            fetch(sm);
        if (caches)
            sm_send_miss(sm, &sm->l1i, sm->now);
    }
}

/* ---- a cycle, and many ---- */

static void sm_cycle(struct sm *sm)
{
    const uint64_t now = sm->now;
    sm->progress = sm->blocked_network = false;
    sm->cycle_port_fails = 0;
    memset(sm->cycle_fails, 0, sizeof sm->cycle_fails);
    load_store_receive(sm, now);
    execute_write_back(sm, now);
    execute_cycle(sm, now);
    collect_cycle(sm);
    issue(sm);
    front_end(sm);
}

/* Adds what the last cycle counted, `times` times. */
static void count_cycles(struct sm *sm, uint64_t times)
{
    const uint64_t schedulers = sm->shared->machine->scheduler.count;
    struct sm_counts *counts = &sm->counts;
    counts->cycles += times;
    counts->warp_cycles += times * sm->resident;
    for (uint64_t i = 0; i < schedulers; i++) {
        counts->slots[sm->cycle_slots[i]] += times;
        if (sm->cycle_memory[i] < MEMORY_SLOT_COUNT) {
            counts->memory_slots[sm->cycle_memory[i]] += times;
            if (sm->by_code)
                code_counts_stalled(sm, (uint32_t)i, times);
        }
        if (sm->cycle_away[i] != NO_WARP)
            sm->warps[sm->cycle_away[i]].away += times;
    }
    for (unsigned i = 0; i < UNIT_RESULTS - UNIT_FAIL; i++)
        counts->fails[i] += times * sm->cycle_fails[i];
    counts->port_fails += times * sm->cycle_port_fails;
}

static uint64_t next_completion(const struct sm *sm, uint64_t now)
{
    for (uint64_t i = 0; i <= LATENCIES_MAX / 64; i++) {
        const uint64_t from = i ? ((now + 1) / 64 + i) * 64 : now + 1;
        uint64_t word = sm->completing[from % LATENCIES_MAX / 64];
        word &= ~UINT64_C(0) << from % 64;
        if (word)
            return from - from % 64 + (uint64_t)__builtin_ctzll(word);
    }
    return UINT64_MAX;
}

/* The next cycle that differs from the one before it, given that the last one changed nothing. */
static uint64_t next_change(const struct sm *sm)
{
    const uint64_t now = sm->now - 1; /* the last cycle that was simulated */
    for (unsigned pipe = 0; pipe < PIPE_MEMORY; pipe++)
        if (sm->output[pipe])
            return sm->now; /* a unit will take it soon */
    if (sm->blocked_network || sm->fetch_refused)
        return sm->now;
    const uint64_t completion = next_completion(sm, now), other = load_store_next(sm, now);
    return completion < other ? completion : other;
}

void sm_advance(struct sm *sm, uint64_t end, bool hungry)
{
    sm->block_retired = false;
    while (sm->now < end && !sm->status) {
        if (!sm->live_blocks) {
            sm->now = end; /* replies wait until there is a block again */
            return;
        }
        sm_cycle(sm);
        count_cycles(sm, 1);
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
        count_cycles(sm, skipped);
        sm->first_scheduler =
            (uint32_t)((sm->first_scheduler + skipped) % sm->shared->machine->scheduler.count);
        sm->now = next;
    }
}

/* ---- blocks and launches ---- */

bool sm_has_room(const struct sm *sm)
{
    return sm->live_blocks < sm->block_slots;
}

static void start_warp(struct sm *sm, uint32_t slot, uint32_t number, uint32_t threads,
                       uint64_t block)
{
    const uint32_t index = slot * sm->warps_per_block + number;
    struct sm_warp *warp = &sm->warps[index];
    const uint32_t first = number * WARP_SIZE, left = threads - first;
    const struct instruction_window instructions = warp->instructions;
    const struct access_window records = warp->records;
    *warp = (struct sm_warp){.instructions = instructions,
                             .records = records,
                             .age = sm->ages++,
                             .lanes = left < WARP_SIZE ? (1u << left) - 1 : UINT32_MAX,
                             .block = (uint16_t)slot,
                             .present = true};
    warp->instructions.count = warp->records.count = 0;
    warp->instructions.end = warp->records.end = false;
    sm->resident++;
    set_bit(sm->fetchable, index, true);
    scheduler_add(&sm->schedulers[scheduler_of(sm, index)], slot_of(sm, index), warp->age, block);
    sm_update(sm, index);
}

enum status sm_start_block(struct sm *sm, uint64_t block)
{
    const struct trace_source *source = sm->shared->source;
    const struct trace_launch *launch = &source->launches[sm->launch];
    uint32_t slot = 0;
    while (sm->blocks[slot].reader)
        slot++;
    enum status status = source->ops->open_block(source, sm->launch, block,
                                                 &sm->blocks[slot].reader, sm->diagnostics);
    if (status)
        return status;
    sm->blocks[slot].warps = sm->blocks[slot].running = sm->warps_per_block;
    sm->blocks[slot].waiting = 0;
    sm->live_blocks++;
    for (uint32_t i = 0; i < sm->warps_per_block; i++)
        start_warp(sm, slot, i, launch_threads(launch), sm->block_orders);
    sm->block_orders++;
    return STATUS_OK;
}

static void free_warps(struct sm *sm)
{
    for (uint32_t i = 0; sm->warps && i < sm->warp_slots; i++) {
        instruction_window_free(&sm->warps[i].instructions);
        window_free(&sm->warps[i].records);
    }
    for (uint32_t i = 0; sm->blocks && i < sm->block_slots; i++)
        sm->shared->source->ops->close_block(sm->blocks[i].reader);
    free(sm->warps);
    free(sm->blocks);
    sm->warps = NULL;
    sm->blocks = NULL;
}

static enum status make_warps(struct sm *sm)
{
    sm->warps = calloc(sm->warp_slots, sizeof *sm->warps);
    sm->blocks = calloc(sm->block_slots, sizeof *sm->blocks);
    if (!sm->warps || !sm->blocks)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < sm->warp_slots; i++)
        if (instruction_window_init(&sm->warps[i].instructions, WINDOW_INSTRUCTIONS) ||
            window_init(&sm->warps[i].records, WINDOW_ACCESSES))
            return STATUS_MEMORY;
    return STATUS_OK;
}

enum status sm_prepare(struct sm *sm, uint32_t launch, uint32_t block_slots, uint64_t l1d_ways)
{
    const struct trace_source *source = sm->shared->source;
    const uint32_t warps = launch_warps(&source->launches[launch]);
    sm->launch = launch;
    sm->code = trace_launch_code(source, launch);
    if (sm->shared->machine->l1d.enabled)
        cache_unit_set_ways(&sm->l1d, l1d_ways);
    if (sm->by_code && code_counts_begin(sm))
        return STATUS_MEMORY;
    if (sm->warps && block_slots == sm->block_slots && warps == sm->warps_per_block)
        return STATUS_OK;
    free_warps(sm);
    sm->block_slots = block_slots;
    sm->warps_per_block = warps;
    sm->warp_slots = block_slots * warps;
    memset(sm->fetchable, 0, sizeof sm->fetchable);
    memset(sm->endable, 0, sizeof sm->endable);
    return make_warps(sm);
}

static struct cache_config l1i_config(const struct machine *machine)
{
    return (struct cache_config){
        .enabled = 1,
        .size = machine->l1i.size,
        .ways = machine->l1i.ways,
        .line = machine->l1i.line,
        .sector = machine->l1i.line,
        .index = INDEX_MODULO,
        .replacement = REPLACEMENT_LRU,
        .write = WRITE_READ_ONLY,
        .allocate = ALLOCATE_ON_FILL,
        .mshr = {.kind = MSHR_SECTOR, .entries = machine->l1i.entries, .merge = machine->l1i.merge},
        .miss_queue = machine->l1i.miss_queue,
        .slices = 1,
    };
}

static enum status init_caches(struct sm *sm, uint64_t ways_max)
{
    const struct machine *machine = sm->shared->machine;
    enum status status = STATUS_OK;
    sm->l1i.ready_first = sm->l1d.ready_first = UINT32_MAX; /* without caches none is ready */
    if (machine->l1i.enabled) {
        const struct cache_config config = l1i_config(machine);
        status = cache_unit_init(&sm->l1i, &config, config.ways, 0);
        sm->l1i.instructions = true;
        sm->l1i.part_bytes = sm->shared->part_bytes;
    }
    sm->tlb.ready_first = UINT32_MAX;
    if (!status && sm->shared->page_bits) {
        const struct cache_config config = mmu_tlb_config(&machine->tlb);
        status = cache_unit_init(&sm->tlb, &config, config.ways, machine->seed + sm->number);
        sm->tlb.instructions = true;
    }
    if (!status && machine->l1d.enabled)
        status = cache_unit_init(&sm->l1d, &machine->l1d, ways_max, machine->seed + sm->number);
    sm->l1d.above = true;
    if (machine->l1d.enabled)
        sm->l1d.part_bytes = sm->shared->part_bytes;
    return status;
}

enum status sm_init(struct sm *sm, const struct sm_machine *shared, uint16_t number,
                    uint64_t ways_max, struct diagnostics *diagnostics)
{
    const struct machine *machine = shared->machine;
    const uint32_t schedulers = (uint32_t)machine->scheduler.count;
    *sm = (struct sm){.shared = shared,
                      .number = number,
                      .diagnostics = diagnostics,
                      .fetch_buffer = NO_WARP,
                      .free_op = NO_OP,
                      .free_record = NO_RECORD,
                      .memory_latch = NO_OP,
                      .written_back = NO_OP,
                      .passed_reply = NO_OP};
    const uint32_t warps = (uint32_t)machine->gpu.max_threads / WARP_SIZE;
    for (uint32_t i = 0; i < schedulers; i++) {
        scheduler_init(&sm->schedulers[i], &machine->scheduler,
                       (warps + schedulers - 1) / schedulers);
        sm->schedulers[i].waits = UINT64_MAX; /* as if all warps had ended */
    }
    sm->l1_banks = calloc(shared->l1_banks, sizeof *sm->l1_banks);
    sm->bank_entered = calloc(shared->l1_banks, sizeof *sm->bank_entered);
    sm->bank_served = calloc(shared->l1_banks, sizeof *sm->bank_served);
    sm->bank_blocked = calloc(shared->l1_banks, 1);
    sm->latencies = calloc(LATENCY_BUCKETS, sizeof *sm->latencies);
    enum status status = execute_init(sm);
    if (!status)
        status = collect_init(sm);
    if (!status)
        status = init_caches(sm, ways_max);
    const bool all =
        sm->l1_banks && sm->bank_entered && sm->bank_served && sm->bank_blocked && sm->latencies;
    return status || all ? status : STATUS_MEMORY;
}

void sm_free(struct sm *sm)
{
    if (!sm->shared)
        return;
    free_warps(sm);
    for (uint32_t i = 0; sm->l1_banks && i < sm->shared->l1_banks; i++)
        packet_queue_free(&sm->l1_banks[i]);
    free(sm->l1_banks);
    free(sm->bank_entered);
    free(sm->bank_served);
    free(sm->bank_blocked);
    free(sm->latencies);
    code_counts_free(sm);
    free(sm->ops);
    free(sm->records);
    collect_free(sm);
    execute_free(sm);
    cache_unit_free(&sm->l1i);
    cache_unit_free(&sm->l1d);
    cache_unit_free(&sm->tlb);
    packet_queue_free(&sm->untranslated);
    packet_queue_free(&sm->answers);
    free(sm->retries);
    packet_queue_free(&sm->shared_pipe);
    packet_queue_free(&sm->arriving);
    packet_queue_free(&sm->cluster);
    packet_queue_free(&sm->responses);
    packet_queue_free(&sm->sent);
}
