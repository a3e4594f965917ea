#include <string.h>

#include "model/timing/sm/sm.h"

/* The order in which a port looks at the pipes. */
static const uint8_t port_pipes[PIPE_COUNT] = {PIPE_SP,     PIPE_SFU,     PIPE_MEMORY,
                                               PIPE_TENSOR, PIPE_DP,      PIPE_INT,
                                               PIPE_BRANCH, PIPE_TEXTURE, PIPE_UNIFORM};

static inline uint64_t lowest(uint32_t bits)
{
    return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

static void add_set(struct collect *collect, uint64_t count, uint64_t ports, uint32_t turns)
{
    struct collector_set *set = &collect->sets[collect->set_count++];
    const struct collector_set *before = set - 1;
    *set =
        (struct collector_set){.count = (uint32_t)count, .ports = (uint32_t)ports, .turns = turns};
    if (collect->set_count > 1)
        set->first = before->first + before->count;
    set->mask = lowest(set->count) << set->first;
}

/* A port goes on at the next collector, with subcores at the next scheduler's first one. At the
 * start it has dispatched the first collector, as it were. */
static void init_turns(struct collect *collect)
{
    const uint32_t each = collect->per_scheduler ? collect->per_scheduler : 1;
    for (uint32_t s = 0; s < collect->set_count; s++) {
        const struct collector_set *set = &collect->sets[s];
        for (uint32_t i = 0; i < set->count; i++)
            collect->after[set->first + i] =
                (uint8_t)(set->first + (i / each + 1) * each % set->count);
        for (uint32_t port = 0; port < set->ports; port++)
            collect->from[s][port] = collect->after[set->first];
    }
}

void collect_init(struct sm *sm)
{
    const struct core_config *core = &sm->shared->machine->core;
    const uint32_t schedulers = sm->shared->schedulers;
    struct collect *collect = &sm->collect;
    const uint32_t memory = 1u << pipe_turns[PIPE_MEMORY];
    const uint32_t special = 1u << pipe_turns[PIPE_SFU] | 1u << pipe_turns[PIPE_TENSOR];
    const uint32_t all = (1u << PIPE_COUNT) - 1;
    if (core->collectors) {
        add_set(collect, core->collectors, core->collector_ports, all);
    } else {
        const uint32_t own = core->dp_collectors ? 1u << pipe_turns[PIPE_DP] : 0;
        add_set(collect, core->sp_collectors, core->sp_ports, all & ~memory & ~special & ~own);
        if (own)
            add_set(collect, core->dp_collectors, 1, own);
        add_set(collect, core->sfu_collectors, core->sfu_ports, special);
        add_set(collect, core->memory_collectors, 1, memory);
    }
    const struct collector_set *last = &collect->sets[collect->set_count - 1];
    collect->count = last->first + last->count;
    const uint32_t banks = (uint32_t)core->banks;
    const uint32_t reads = collect->count * INSTRUCTION_OPERANDS; /* that wait at most */
    collect->words = (banks + 63) / 64;
    collect->steps = (uint32_t)core->reads;
    if (core->subcores)
        collect->per_scheduler = collect->count / schedulers;
    init_turns(collect);
    collect->free = UINT64_MAX;
    collect->read_bits = log2_floor(reads) + 1;
    arrays_add(&sm->arrays, &collect->collectors, collect->count, sizeof *collect->collectors);
    arrays_add(&sm->arrays, &collect->banks, banks, sizeof *collect->banks);
    arrays_add(&sm->arrays, &collect->reads, (size_t)banks << collect->read_bits,
               sizeof *collect->reads);
}

/* The place of a read in the ring of its bank. */
static inline uint16_t *read_at(struct collect *collect, uint32_t bank, uint32_t number)
{
    const uint32_t mask = (UINT32_C(1) << collect->read_bits) - 1;
    return &collect->reads[(bank << collect->read_bits) + (number & mask)];
}

/* The bank of an operand: those of warp 0, turned by the number of the warp. */
static inline uint32_t bank_of(const struct sm *sm, const struct op *op, unsigned operand)
{
    const uint32_t banks = sm->shared->banks, bank = op->code->banks[operand] + op->turn;
    return op->first_bank + (bank < banks ? bank : bank - banks);
}

bool collect_write(struct sm *sm, const struct op *op)
{
    struct collect *collect = &sm->collect;
    for (unsigned i = 0; i < op->code->writes; i++) {
        const uint32_t bank = bank_of(sm, op, i);
        const uint64_t bit = UINT64_C(1) << bank % 64, before = collect->written[bank / 64];
        collect->written[bank / 64] |= bit;
        sm->collect.banks_written = true;
        if (before & bit)
            return false;
    }
    return true;
}

/* ---- the three parts of a step ---- */

/* Where a collector's instruction goes: with subcores the latch of its scheduler, else any. */
static inline uint32_t *output_latch(struct sm *sm, unsigned pipe, uint32_t scheduler)
{
    uint32_t *outputs = sm->collect.outputs[pipe];
    if (sm->shared->subcores)
        return outputs[scheduler] == NO_OP ? &outputs[scheduler] : NULL;
    if (sm->collect.output[pipe] == sm->shared->latches[pipe])
        return NULL;
    while (*outputs != NO_OP)
        outputs++;
    return outputs;
}

/* The first collector of a set, in turn after the one that a port dispatched last, whose
 * instruction has its registers and finds room in its pipe. */
static bool dispatch_one(struct sm *sm, const struct collector_set *set, uint32_t *from)
{
    struct collect *collect = &sm->collect;
    for (uint64_t left = collect->ready & set->mask; left;) {
        const uint64_t after = left & ~UINT64_C(0) << *from;
        const uint32_t at = (uint32_t)__builtin_ctzll(after ? after : left);
        const uint64_t bit = UINT64_C(1) << at;
        const struct collector *collector = &collect->collectors[at];
        const unsigned pipe = collector->pipe;
        uint32_t *latch = output_latch(sm, pipe, collector->scheduler);
        left &= ~bit;
        if (!latch)
            continue;
        *latch = collector->op;
        collect->output[pipe]++;
        collect->output_pipes |= 1u << pipe;
        collect->ready &= ~bit;
        collect->free |= bit;
        collect->collecting--;
        gauge_leave(&collect->in_use, sm->now);
        *from = collect->after[at];
        sm->progress = true;
        return true;
    }
    return false;
}

static void dispatch(struct sm *sm)
{
    struct collect *collect = &sm->collect;
    for (uint32_t s = 0; s < collect->set_count; s++) {
        const struct collector_set *set = &collect->sets[s];
        for (uint32_t port = 0; collect->ready & set->mask && port < set->ports; port++)
            if (!dispatch_one(sm, set, &collect->from[s][port]))
                break; /* the other ports find nothing either */
    }
}

static void read_registers(struct sm *sm)
{
    struct collect *collect = &sm->collect;
    for (uint32_t word = 0; word < collect->words; word++)
        for (uint64_t reading = collect->waiting[word] & ~collect->written[word]; reading;
             reading &= reading - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(reading);
            const uint32_t bank = word * 64 + bit;
            struct read_queue *queue = &collect->banks[bank];
            const uint32_t reader = *read_at(collect, bank, queue->first);
            if (!--sm->collect.collectors[reader].unread)
                collect->ready |= UINT64_C(1) << reader;
            if (++queue->first == queue->end)
                collect->waiting[word] &= ~(reading & -reading);
            sm->collect.reads_waiting--;
            sm->progress = true;
        }
}

/* Queues the reads of an instruction's registers. */
static void queue_reads(struct sm *sm, uint32_t collector, const struct op *op)
{
    struct collect *collect = &sm->collect;
    const uint32_t reads = op->code->reads;
    collect->collectors[collector].unread = reads;
    collect->reads_waiting += reads;
    for (unsigned i = 0; i < reads; i++) {
        const uint32_t bank = bank_of(sm, op, op->code->writes + i);
        struct read_queue *queue = &collect->banks[bank];
        *read_at(collect, bank, queue->end++) = (uint16_t)collector;
        collect->waiting[bank / 64] |= UINT64_C(1) << bank % 64;
    }
    if (!reads)
        collect->ready |= UINT64_C(1) << collector;
}

/* The oldest instruction for the pipe of a turn takes the first free collector that it may have.
 * False if a later port finds none either: there is no such collector, or no other instruction. */
static bool collect_one(struct sm *sm, const struct collector_set *set, unsigned turn)
{
    struct collect *collect = &sm->collect;
    const unsigned pipe = port_pipes[turn];
    uint32_t *latches = collect->latches[pipe];
    const struct op *op = &sm->ops.items[latches[0]];
    const uint32_t own = collect->per_scheduler;
    const uint64_t may = own ? lowest(own) << (set->first + op->scheduler * own) : set->mask;
    const uint64_t free = collect->free & may;
    if (!free)
        return false;
    const uint32_t at = (uint32_t)__builtin_ctzll(free);
    collect->free &= ~(free & -free);
    collect->collectors[at].op = latches[0];
    collect->collectors[at].pipe = (uint8_t)pipe;
    collect->collectors[at].scheduler = op->scheduler;
    collect->collecting++;
    gauge_enter(&collect->in_use, sm->now, collect->collecting);
    sm->progress = true;
    queue_reads(sm, at, op);
    *full_pipes(collect, sm->shared, op->scheduler) &= ~(1u << pipe);
    const uint32_t left = --collect->latched[pipe];
    for (uint32_t i = 0; i < left; i++)
        latches[i] = latches[i + 1];
    if (!left)
        collect->latched_turns &= ~(1u << turn);
    return left;
}

static void enter(struct sm *sm)
{
    const struct collect *collect = &sm->collect;
    for (uint32_t s = 0; s < collect->set_count; s++) {
        const struct collector_set *set = &collect->sets[s];
        unsigned turns = sm->collect.latched_turns & set->turns;
        for (uint32_t port = 0; turns && port < set->ports; port++)
            for (unsigned rest = turns; rest; rest &= rest - 1) {
                const unsigned turn = (unsigned)__builtin_ctz(rest);
                if (!collect_one(sm, set, turn))
                    turns &= ~(1u << turn);
            }
    }
}

void collect_cycle(struct sm *sm)
{
    struct collect *collect = &sm->collect;
    const bool others = sm->progress;
    sm->progress = false;
    for (uint32_t i = 0; i < collect->steps; i++) {
        if (collect->ready)
            dispatch(sm);
        if (sm->collect.reads_waiting)
            read_registers(sm);
        if (sm->collect.latched_turns)
            enter(sm);
        memset(collect->written, 0, sizeof collect->written);
        sm->collect.banks_written = false;
    }
    collect->stuck = !sm->progress && !collect->reads_waiting;
    sm->progress |= others;
}
