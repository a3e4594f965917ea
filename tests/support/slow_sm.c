#include "support/slow_sm.h"

#include <stdlib.h>

#include "model/gpu/coalescer.h"
#include "support/slow_scheduler.h"

enum { OPS = 4096, READS = 4096, AFTER_EXIT = 2, LATCHES = 64 };

struct slow_op {
    const struct instruction *code;
    const struct warp_access *record;
    uint64_t order, exit, ready; /* exit: cycle in which its unit is done; ready: shared memory */
    uint32_t warp, sends, sent, waits;
    unsigned pipe, unit, banks, unread;
    bool executing;
};

struct slow_warp {
    const struct timed_warp *program;
    uint64_t age;
    uint32_t next, record, buffered, at, lanes, stores, inside, block;
    uint32_t coming; /* threads that a barrier has not taken yet */
    bool pending[REGISTER_COUNT], present, barrier, fetches;
    bool loaded[REGISTER_COUNT]; /* whether a load wrote it last */
};

struct read { /* of a register bank */
    struct slow_op *op;
    uint32_t bank;
};

struct reply {
    struct slow_op *op; /* NULL: instructions */
    uint64_t ready;
    int64_t number; /* of the request for them */
};

struct fifo {
    struct reply items[OPS * 16]; /* never used again */
    uint32_t first, end;
};

struct slow_sm {
    const struct sm_machine *shared;
    const struct machine *machine;
    const struct timed_launch *launch;
    const struct instruction *code;
    uint64_t now, latency, orders;
    struct slow_warp warps[WARPS_MAX];
    uint32_t warp_count, schedulers, rotation;
    struct slow_scheduler policies[SCHEDULERS_MAX];
    int fetched, fetching;    /* fetching: -1: none */
    struct slow_fetch *fetch; /* NULL: every fetch hits */
    struct slow_op ops[OPS];
    uint32_t op_count;
    struct slow_op *issued[PIPE_COUNT][LATCHES], *collected[PIPE_COUNT][LATCHES];
    struct slow_op *collectors[256];
    uint32_t dispatched[256]; /* by port */
    struct read reads[READS];
    uint32_t read_count;
    bool bank_written[256];
    uint64_t unit_free[PIPE_COUNT][UNITS_MAX];
    struct slow_op *latch, *writing, *passed;
    uint64_t latch_ready, units_free;
    uint32_t port;
    struct fifo shared_pipe, arriving, cluster, responses;
    uint32_t comers[OPS], first_comer, comer_count; /* warps in the order of their barriers */
    struct slow_sm_counts counts;
};

/* ---- queues ---- */

static uint32_t held(const struct fifo *fifo)
{
    return fifo->end - fifo->first;
}

static void push(struct fifo *fifo, struct slow_op *op, uint64_t ready)
{
    fifo->items[fifo->end++] = (struct reply){op, ready, 0};
}

static struct slow_op *pop(struct fifo *fifo)
{
    return fifo->items[fifo->first++].op;
}

/* ---- registers and banks ---- */

static uint32_t bank_of(const struct slow_sm *sm, const struct slow_op *op, uint32_t reg)
{
    const uint32_t banks = (uint32_t)sm->machine->core.banks;
    if (!sm->machine->core.subcores)
        return (reg + 1 + op->warp) % banks;
    const uint32_t each = banks / sm->schedulers;
    return (reg + 1 + op->warp) % each + op->warp % sm->schedulers * each;
}

static bool write_banks(struct slow_sm *sm, const struct slow_op *op)
{
    for (unsigned i = 0; i < op->code->written; i++) {
        const uint32_t bank = bank_of(sm, op, op->code->registers[i]);
        bool own = false;
        for (unsigned k = 0; k < i; k++)
            own |= bank_of(sm, op, op->code->registers[k]) == bank;
        if (sm->bank_written[bank] && !own)
            return false;
        sm->bank_written[bank] = true;
    }
    return true;
}

static void release(struct slow_sm *sm, const struct slow_op *op)
{
    for (unsigned i = 0; i < op->code->written; i++)
        sm->warps[op->warp].pending[op->code->registers[i]] = false;
}

static void forget_loads(struct slow_sm *sm, const struct slow_op *op)
{
    for (unsigned i = 0; i < op->code->written; i++)
        sm->warps[op->warp].loaded[op->code->registers[i]] = false;
}

/* ---- execution ---- */

static struct slow_op *first_result(struct slow_sm *sm)
{
    struct slow_op *first = NULL;
    for (uint32_t i = 0; i < sm->op_count; i++) {
        struct slow_op *op = &sm->ops[i];
        if (op->executing && op->exit + AFTER_EXIT == sm->now &&
            (!first || op->order < first->order))
            first = op;
    }
    return first;
}

static void complete(struct slow_sm *sm)
{
    for (struct slow_op *op; (op = first_result(sm));) {
        op->executing = false;
        write_banks(sm, op);
        release(sm, op);
        forget_loads(sm, op);
        sm->warps[op->warp].inside--;
    }
}

static struct slow_op **oldest(struct slow_op **latches, uint32_t count)
{
    struct slow_op **found = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (latches[i] && (!found || latches[i]->order < (*found)->order))
            found = &latches[i];
    return found;
}

static bool accepts(struct slow_sm *sm, unsigned pipe, uint32_t unit, struct slow_op *op)
{
    const struct class_timing *timing = &sm->shared->classes[op->code->class];
    const uint64_t exit = sm->now + timing->latency;
    uint64_t leaving = 0;
    if (sm->unit_free[pipe][unit] > sm->now)
        return false;
    for (uint32_t i = 0; i < sm->op_count; i++) {
        const struct slow_op *other = &sm->ops[i];
        if (!other->executing || other->exit != exit)
            continue;
        if (other->pipe == pipe && other->unit == unit)
            return false;
        leaving++;
    }
    if (leaving >= sm->machine->core.results)
        return false;
    op->executing = true;
    op->exit = exit;
    op->unit = unit;
    sm->unit_free[pipe][unit] = sm->now + timing->occupied;
    return true;
}

static void execute(struct slow_sm *sm)
{
    for (unsigned pipe = 0; pipe < PIPE_MEMORY; pipe++)
        for (uint32_t unit = 0; unit < sm->shared->units[pipe]; unit++) {
            struct slow_op **from = sm->machine->core.subcores
                                        ? &sm->collected[pipe][unit % sm->schedulers]
                                        : oldest(sm->collected[pipe], sm->shared->latches[pipe]);
            if (from && *from && accepts(sm, pipe, unit, *from))
                *from = NULL;
        }
}

/* ---- memory ---- */

static void receive(struct slow_sm *sm)
{
    const struct reply *first = &sm->cluster.items[sm->cluster.first];
    if (held(&sm->cluster) && !first->op) {
        slow_fetch_reply(sm->fetch, first->number, sm->now);
        sm->cluster.first++;
    } else if (held(&sm->cluster) && held(&sm->responses) < sm->machine->core.responses) {
        push(&sm->responses, pop(&sm->cluster), 0);
    }
    if (held(&sm->arriving) && sm->arriving.items[sm->arriving.first].ready < sm->now &&
        held(&sm->cluster) < sm->machine->network.ejected)
        sm->cluster.items[sm->cluster.end++] = sm->arriving.items[sm->arriving.first++];
}

static void write_back(struct slow_sm *sm)
{
    if (sm->writing) {
        if (!write_banks(sm, sm->writing))
            return;
        if (!--sm->writing->waits)
            release(sm, sm->writing);
        sm->writing = NULL;
    }
    for (unsigned i = 0; i < 5; i++) {
        const unsigned client = (sm->port + i) % 5;
        if (client == 0 && held(&sm->shared_pipe) &&
            sm->shared_pipe.items[sm->shared_pipe.first].ready <= sm->now) {
            sm->writing = pop(&sm->shared_pipe);
            sm->warps[sm->writing->warp].inside--;
        } else if (client == 3 && sm->passed) {
            sm->writing = sm->passed;
            sm->passed = NULL;
        } else {
            continue;
        }
        sm->port = (client + 1) % 5;
        return;
    }
}

static void respond(struct slow_sm *sm)
{
    if (!held(&sm->responses))
        return;
    struct slow_op *op = sm->responses.items[sm->responses.first].op;
    if (op->code->flags & INSTRUCTION_STORE) {
        sm->warps[op->warp].stores--;
    } else {
        if (sm->passed)
            return;
        sm->passed = op;
    }
    sm->responses.first++;
}

static void leave_latch(struct slow_sm *sm)
{
    struct slow_op *op = sm->latch;
    sm->latch = NULL;
    if (op->banks && op->code->flags & INSTRUCTION_LOAD) {
        op->waits = 1;
        push(&sm->shared_pipe, op, sm->now + sm->machine->core.shared_latency);
        return;
    }
    sm->warps[op->warp].inside--;
    if (!op->sends) {
        release(sm, op);
        forget_loads(sm, op);
    }
}

static void serve_latch(struct slow_sm *sm)
{
    struct slow_op *op = sm->latch;
    if (!op || sm->latch_ready > sm->now || (!op->sent && sm->units_free > sm->now))
        return;
    if (op->banks && op->code->flags & INSTRUCTION_LOAD &&
        held(&sm->shared_pipe) >= sm->machine->core.shared_latency)
        return;
    if (!op->sent && (op->banks || op->sends))
        sm->units_free = sm->now + (WARP_SIZE + sm->machine->core.load_store_units - 1) /
                                       sm->machine->core.load_store_units;
    for (uint64_t i = 0; i < sm->shared->sectors && op->sent < op->sends; i++) {
        push(&sm->arriving, op, sm->now + sm->latency);
        op->sent++;
        if (op->code->flags & INSTRUCTION_STORE)
            sm->warps[op->warp].stores++;
    }
    if (op->sent == op->sends)
        leave_latch(sm);
}

static void accept_memory(struct slow_sm *sm)
{
    struct slow_op **from = oldest(sm->collected[PIPE_MEMORY], sm->shared->latches[PIPE_MEMORY]);
    if (!from || sm->latch)
        return;
    struct slow_op *op = sm->latch = *from;
    *from = NULL;
    sm->latch_ready = sm->now + (op->banks ? op->banks : 1);
    if (!op->record)
        return;
    struct warp_access access = *op->record;
    struct access_window none = {0};
    struct request requests[COALESCED_MAX];
    access.flags |= ACCESS_BYPASS_L1;
    if (sm->shared->spaces & space_bit(access.space))
        op->sends = coalesce(&sm->machine->coalescer, &access, &none, 0, requests);
    op->waits = op->sends;
}

/* ---- operand collection ---- */

/* Collectors of all pipes, or up to four sets: the others, dp, sfu and tensor, memory. */
struct set {
    uint32_t first, count, ports;
    bool serves[PIPE_COUNT];
};

static unsigned make_sets(const struct slow_sm *sm, struct set sets[4])
{
    const struct core_config *core = &sm->machine->core;
    const uint64_t counts[] = {core->sp_collectors, core->dp_collectors, core->sfu_collectors,
                               core->memory_collectors};
    const uint64_t ports[] = {core->sp_ports, 1, core->sfu_ports, 1};
    const unsigned count = core->collectors ? 1 : 4;
    uint32_t first = 0;
    for (unsigned s = 0; s < count; s++) {
        sets[s] = (struct set){.first = first,
                               .count = (uint32_t)(count == 1 ? core->collectors : counts[s]),
                               .ports = (uint32_t)(count == 1 ? core->collector_ports : ports[s])};
        first += sets[s].count;
        for (unsigned pipe = 0; pipe < PIPE_COUNT; pipe++) {
            const unsigned own = pipe == PIPE_MEMORY                       ? 3
                                 : pipe == PIPE_SFU || pipe == PIPE_TENSOR ? 2
                                 : pipe == PIPE_DP && core->dp_collectors  ? 1
                                                                           : 0;
            sets[s].serves[pipe] = count == 1 || own == s;
        }
    }
    return count;
}

static struct slow_op **free_place(struct slow_sm *sm, struct slow_op **latches, unsigned pipe,
                                   uint32_t scheduler)
{
    if (sm->machine->core.subcores)
        return latches[scheduler] ? NULL : &latches[scheduler];
    for (uint32_t i = 0; i < sm->shared->latches[pipe]; i++)
        if (!latches[i])
            return &latches[i];
    return NULL;
}

static void dispatch(struct slow_sm *sm, const struct set *set, uint32_t *last)
{
    const bool own = sm->machine->core.subcores;
    const uint32_t each = own ? set->count / sm->schedulers : 1;
    const uint32_t from = (*last / each + 1) * each;
    for (uint32_t n = 0; n < set->count; n++) {
        const uint32_t at = (from + n) % set->count;
        struct slow_op *op = sm->collectors[set->first + at];
        if (!op || op->unread)
            continue;
        struct slow_op **to =
            free_place(sm, sm->collected[op->pipe], op->pipe, op->warp % sm->schedulers);
        if (!to)
            continue;
        *to = op;
        sm->collectors[set->first + at] = NULL;
        *last = at;
        return;
    }
}

static void read_banks(struct slow_sm *sm)
{
    bool read[256] = {false};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sm->read_count; i++) {
        const struct read *wanted = &sm->reads[i];
        if (read[wanted->bank] || sm->bank_written[wanted->bank]) {
            sm->reads[kept++] = *wanted;
            continue;
        }
        read[wanted->bank] = true;
        wanted->op->unread--;
    }
    sm->read_count = kept;
}

static void want_reads(struct slow_sm *sm, struct slow_op *op)
{
    const uint16_t *registers = op->code->registers + op->code->written;
    for (unsigned i = 0; i < op->code->read; i++) {
        unsigned first = 0;
        while (registers[first] != registers[i])
            first++;
        if (first != i)
            continue;
        sm->reads[sm->read_count++] = (struct read){op, bank_of(sm, op, registers[i])};
        op->unread++;
    }
}

static void collect_one(struct slow_sm *sm, const struct set *set, unsigned pipe)
{
    struct slow_op **from = oldest(sm->issued[pipe], sm->shared->latches[pipe]);
    if (!from)
        return;
    const uint32_t each = sm->machine->core.subcores ? set->count / sm->schedulers : set->count;
    const uint32_t own = sm->machine->core.subcores ? (*from)->warp % sm->schedulers * each : 0;
    for (uint32_t i = own; i < own + each; i++)
        if (!sm->collectors[set->first + i]) {
            sm->collectors[set->first + i] = *from;
            want_reads(sm, *from);
            *from = NULL;
            return;
        }
}

static void collect(struct slow_sm *sm)
{
    static const unsigned order[] = {PIPE_SP,  PIPE_SFU,    PIPE_MEMORY,  PIPE_TENSOR, PIPE_DP,
                                     PIPE_INT, PIPE_BRANCH, PIPE_TEXTURE, PIPE_UNIFORM};
    struct set sets[4];
    const unsigned count = make_sets(sm, sets);
    for (unsigned s = 0, port = 0; s < count; s++)
        for (uint32_t i = 0; i < sets[s].ports; i++, port++)
            dispatch(sm, &sets[s], &sm->dispatched[port]);
    read_banks(sm);
    for (unsigned s = 0; s < count; s++)
        for (uint32_t i = 0; i < sets[s].ports; i++)
            for (unsigned p = 0; p < PIPE_COUNT; p++)
                if (sets[s].serves[order[p]])
                    collect_one(sm, &sets[s], order[p]);
    for (unsigned bank = 0; bank < 256; bank++)
        sm->bank_written[bank] = false;
}

/* ---- issue ---- */

static void open_barrier(struct slow_sm *sm, uint32_t block)
{
    for (uint32_t i = 0; i < sm->warp_count; i++)
        if (sm->warps[i].block == block &&
            ((sm->warps[i].lanes && !sm->warps[i].barrier) || sm->warps[i].coming))
            return;
    for (uint32_t i = 0; i < sm->warp_count; i++)
        if (sm->warps[i].block == block)
            sm->warps[i].barrier = false;
}

static void come(struct slow_sm *sm, uint32_t index)
{
    sm->warps[index].barrier = true;
    if (sm->machine->core.barrier_threads) {
        sm->warps[index].coming = WARP_SIZE;
        sm->comers[sm->comer_count++] = index;
    }
    open_barrier(sm, sm->warps[index].block);
}

/* At the end of each cycle: the threads that barriers take in it. */
static void take_comers(struct slow_sm *sm)
{
    for (uint64_t i = 0; i < sm->machine->core.barrier_threads; i++)
        if (sm->first_comer < sm->comer_count && !--sm->warps[sm->comers[sm->first_comer]].coming)
            sm->first_comer++;
}

static void end_warp(struct slow_sm *sm, struct slow_warp *warp)
{
    warp->lanes = 0;
    warp->inside -= warp->buffered;
    warp->buffered = 0;
    open_barrier(sm, warp->block);
}

static const struct warp_instruction *head(const struct slow_warp *warp)
{
    return &warp->program->issues[warp->at];
}

static struct slow_op **can_issue(struct slow_sm *sm, uint32_t index)
{
    const struct slow_warp *warp = &sm->warps[index];
    if (!warp->present || !warp->lanes || warp->barrier || !warp->buffered)
        return NULL;
    const struct instruction *code = &sm->code[head(warp)->code];
    for (unsigned i = 0; i < (unsigned)code->written + code->read; i++)
        if (warp->pending[code->registers[i]])
            return NULL;
    const unsigned pipe = sm->shared->classes[code->class].pipe;
    return free_place(sm, sm->issued[pipe], pipe, index % sm->schedulers);
}

/* Returns the pipe. */
static unsigned issue(struct slow_sm *sm, uint32_t index, struct slow_op **latch)
{
    struct slow_warp *warp = &sm->warps[index];
    const struct warp_instruction *next = head(warp);
    const struct instruction *code = &sm->code[next->code];
    struct slow_op *op = &sm->ops[sm->op_count++];
    *op = (struct slow_op){.code = code,
                           .order = sm->orders++,
                           .warp = index,
                           .pipe = sm->shared->classes[code->class].pipe,
                           .banks = next->banks};
    if (next->flags & ISSUE_RECORD)
        op->record = &warp->program->records[warp->record++];
    *latch = op;
    warp->at++;
    warp->buffered--;
    sm->counts.instructions++;
    for (unsigned i = 0; i < code->written; i++) {
        warp->pending[code->registers[i]] = true;
        warp->loaded[code->registers[i]] |= op->pipe == PIPE_MEMORY && !op->banks;
    }
    if (code->action == ACTION_BARRIER) {
        come(sm, index);
    } else if (code->action == ACTION_EXIT) {
        warp->lanes &= ~next->mask;
        if (!warp->lanes)
            end_warp(sm, warp);
    }
    return op->pipe;
}

/* The next instruction of a warp that has just issued one to the pipe `first`. */
static void issue_again(struct slow_sm *sm, uint32_t index, unsigned first)
{
    struct slow_op **latch = can_issue(sm, index);
    if (!latch)
        return;
    const struct instruction *code = &sm->code[head(&sm->warps[index])->code];
    if (sm->machine->scheduler.same_pipe || sm->shared->classes[code->class].pipe != first)
        issue(sm, index, latch);
}

static bool reads_loads(const struct slow_sm *sm, const struct slow_warp *warp)
{
    const struct instruction *code = &sm->code[head(warp)->code];
    for (unsigned i = 0; i < code->read; i++)
        if (warp->loaded[code->registers[code->written + i]])
            return true;
    return false;
}

/* What the warps of a scheduler do in this cycle. */
static void tell(struct slow_sm *sm, uint32_t scheduler)
{
    struct slow_scheduler *policy = &sm->policies[scheduler];
    for (uint32_t slot = 0; slot < policy->count; slot++) {
        const uint32_t index = slot * sm->schedulers + scheduler;
        policy->warps[slot] = (struct slow_scheduler_warp){0};
        if (index >= sm->warp_count)
            continue;
        const struct slow_warp *warp = &sm->warps[index];
        const bool waits = !warp->lanes || warp->barrier;
        policy->warps[slot] = (struct slow_scheduler_warp){.present = warp->present,
                                                           .waits = waits,
                                                           .loaded = !waits && warp->buffered &&
                                                                     reads_loads(sm, warp),
                                                           .ready = can_issue(sm, index),
                                                           .age = warp->age,
                                                           .block = warp->block};
    }
}

static void schedule(struct slow_sm *sm)
{
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        const uint32_t scheduler = (sm->rotation + i) % sm->schedulers;
        bool moved;
        tell(sm, scheduler);
        const int slot = slow_scheduler_cycle(&sm->policies[scheduler], &moved);
        if (slot < 0)
            continue;
        const uint32_t index = (uint32_t)slot * sm->schedulers + scheduler;
        const unsigned first = issue(sm, index, can_issue(sm, index));
        if (sm->machine->scheduler.issue > 1)
            issue_again(sm, index, first);
        sm->counts.issued++;
    }
    sm->rotation = (sm->rotation + 1) % sm->schedulers;
}

/* ---- fetch ---- */

static bool may_retire(const struct slow_warp *warp)
{
    for (unsigned i = 0; i < REGISTER_COUNT; i++)
        if (warp->pending[i])
            return false;
    return warp->present && !warp->lanes && !warp->inside && !warp->stores;
}

static void decode(struct slow_sm *sm)
{
    struct slow_warp *warp = &sm->warps[sm->fetching];
    for (; warp->buffered < sm->machine->core.decode && warp->next < warp->program->issue_count;
         warp->next++) {
        warp->buffered++;
        warp->inside++;
    }
    sm->fetching = -1;
    warp->fetches = false;
    if (!warp->buffered && warp->lanes)
        end_warp(sm, warp);
}

static void fetch(struct slow_sm *sm, uint32_t at)
{
    struct slow_warp *warp = &sm->warps[at];
    const struct timed_warp *program = warp->program;
    enum slow_answer answer = SLOW_HERE;
    if (sm->fetch && !sm->machine->l1i.l0.size && slow_fetch_blocked(sm->fetch))
        return;
    sm->fetched = (int)at;
    if (sm->fetch && warp->next < program->issue_count)
        answer =
            slow_fetch_ask(sm->fetch, at, sm->code[program->issues[warp->next].code].pc, sm->now);
    else if (sm->fetch)
        answer = slow_fetch_end(sm->fetch, at, sm->now);
    sm->fetching = answer == SLOW_HERE ? (int)at : -1;
    warp->fetches = answer == SLOW_LATER;
}

static void front(struct slow_sm *sm)
{
    if (sm->fetch && sm->fetching < 0)
        sm->fetching = slow_fetch_due(sm->fetch, sm->now);
    if (sm->fetching >= 0)
        decode(sm);
    if (sm->fetch)
        sm->fetching = slow_fetch_ready(sm->fetch);
    for (uint32_t n = 1; sm->fetching < 0 && n <= sm->warp_count; n++) {
        const uint32_t at = ((uint32_t)(sm->fetched + (int)n)) % sm->warp_count;
        struct slow_warp *warp = &sm->warps[at];
        if (may_retire(warp)) {
            warp->present = false;
            sm->counts.cycles = sm->now + 1;
        } else if (warp->present && warp->lanes && !warp->buffered && !warp->fetches) {
            fetch(sm, at);
            break;
        }
    }
    const int64_t sent = sm->fetch ? slow_fetch_send(sm->fetch) : -1;
    for (uint64_t i = 0; sent >= 0 && i < sm->machine->l1i.line; i += sm->shared->part_bytes)
        sm->arriving.items[sm->arriving.end++] = (struct reply){NULL, sm->now + sm->latency, sent};
}

/* ---- all of it ---- */

static void start(struct slow_sm *sm, const struct timed_source *source)
{
    const uint32_t threads = launch_threads(&source->base.launches[0]);
    sm->launch = &source->lists[0];
    sm->code = source->base.codes[0].items;
    sm->warp_count = sm->launch->blocks * sm->launch->warps;
    for (uint32_t i = 0; i < sm->warp_count; i++) {
        const uint32_t left = threads - i % sm->launch->warps * WARP_SIZE;
        sm->warps[i] = (struct slow_warp){.program = &sm->launch->warp[i],
                                          .age = i,
                                          .block = i / sm->launch->warps,
                                          .lanes = left < WARP_SIZE ? (1u << left) - 1 : UINT32_MAX,
                                          .present = true};
    }
    sm->schedulers = (uint32_t)sm->machine->scheduler.count;
    const uint32_t warps = (uint32_t)sm->machine->gpu.max_threads / WARP_SIZE;
    const uint32_t slots = (warps + sm->schedulers - 1) / sm->schedulers;
    const uint64_t active = sm->machine->scheduler.active;
    for (uint32_t i = 0; i < sm->schedulers; i++)
        slow_scheduler_init(&sm->policies[i], sm->machine->scheduler.policy, slots,
                            active < slots ? active : slots);
    sm->fetched = 0;
    sm->fetching = -1;
    if (sm->machine->l1i.enabled)
        sm->fetch =
            slow_fetch_new(&sm->machine->l1i,
                           (unsigned)((sm->machine->l1i.line - 1) / sm->shared->part_bytes) + 1);
}

static bool any_left(const struct slow_sm *sm)
{
    bool any = false;
    for (uint32_t i = 0; i < sm->warp_count; i++)
        any |= sm->warps[i].present;
    return any;
}

struct slow_sm_counts slow_sm_run(const struct sm_machine *shared,
                                  const struct timed_source *source, uint64_t latency)
{
    struct slow_sm *sm = calloc(1, sizeof *sm);
    if (!sm)
        abort();
    sm->shared = shared;
    sm->machine = shared->machine;
    sm->latency = latency;
    start(sm, source);
    for (; any_left(sm) && sm->now < 1000000; sm->now++) {
        for (uint64_t i = 0; i < sm->shared->sectors; i++)
            receive(sm);
        complete(sm);
        execute(sm);
        for (uint64_t i = 0; i < sm->shared->sectors; i++) {
            write_back(sm);
            respond(sm);
        }
        serve_latch(sm);
        accept_memory(sm);
        for (uint64_t i = 0; i < sm->machine->core.reads; i++)
            collect(sm);
        for (uint32_t i = 0; i < sm->launch->blocks; i++)
            open_barrier(sm, i);
        schedule(sm);
        if (sm->fetch)
            slow_fetch_begin(sm->fetch, sm->now);
        for (uint64_t i = 0; i < sm->machine->core.fetch; i++)
            front(sm);
        take_comers(sm);
    }
    if (sm->fetch)
        sm->counts.fetches = slow_fetch_read_counts(sm->fetch);
    const struct slow_sm_counts counts = sm->counts;
    slow_fetch_free(sm->fetch);
    free(sm);
    return counts;
}
