#include <string.h>

#include "model/timing/sm/load_store.h"
#include "model/timing/sm/sm.h"

/* Execution units. A unit takes an instruction into its latch, holds it there for its interval and
 * then moves it through its stages. All of that is decided when it is accepted, so an accepted
 * instruction is nothing but the cycle in which its result can be used. */

void execute_init(struct sm *sm)
{
    struct collect *collect = &sm->collect;
    for (unsigned pipe = 0; pipe < PIPE_COUNT; pipe++) {
        const uint32_t latches = sm->shared->latches[pipe];
        arrays_add(&sm->arrays, &sm->execute.units[pipe], sm->shared->units[pipe],
                   sizeof **sm->execute.units);
        arrays_add(&sm->arrays, &collect->latches[pipe], latches, sizeof **collect->latches);
        arrays_add(&sm->arrays, &collect->outputs[pipe], latches, sizeof **collect->outputs);
        for (uint32_t i = 0; !sm->arrays.failed && i < latches; i++)
            collect->latches[pipe][i] = collect->outputs[pipe][i] = NO_OP;
    }
    memset(sm->execute.completions, 0xff, sizeof sm->execute.completions); /* NO_OP */
}

enum { AFTER_EXIT = 2 }; /* cycles from a unit's end until the registers are free */

void execute_write_back(struct sm *sm, uint64_t now)
{
    struct execute *execute = &sm->execute;
    *ring_word(execute->completing, now) &= ~ring_bit(now);
    uint32_t at = execute->completions[now % LATENCIES_MAX];
    execute->completions[now % LATENCIES_MAX] = NO_OP;
    const uint64_t left = now - AFTER_EXIT;
    for (uint32_t next; at != NO_OP; at = next) {
        const struct op *op = &sm->ops.items[at];
        next = op->next;
        *ring_word(execute->units[op->pipe][op->unit].exits, left) &= ~ring_bit(left);
        collect_write(sm, op);
        sm_release(sm, op->warp, op->code, true);
        sm_leave(sm, op->warp);
        if (sm->events)
            sm_tell_op(sm, op, EVENT_written, NULL);
        op_free(&sm->ops, at);
    }
    execute->bus[left % LATENCIES_MAX] = 0;
    sm->progress = true;
}

/* The output latch that unit `index` of a pipe looks at. With subcores that is its scheduler's. */
static uint32_t *candidate(struct sm *sm, unsigned pipe, uint32_t index)
{
    uint32_t *outputs = sm->collect.outputs[pipe];
    if (sm->shared->subcores && pipe != PIPE_MEMORY) {
        const uint32_t own = index % sm->shared->latches[pipe];
        return outputs[own] == NO_OP ? NULL : &outputs[own];
    }
    return oldest_latch(&sm->ops, outputs, sm->shared->latches[pipe]);
}

/* Results of one cycle are written in the order of issue: the first to want a bank has it. */
static void add_completion(const struct ops *ops, uint32_t *link, uint32_t at)
{
    while (*link != NO_OP && op_before(ops, *link, at))
        link = &ops->items[*link].next;
    ops->items[at].next = *link;
    *link = at;
}

/* A unit whose latch is free takes an instruction, if one result more can leave it when this one
 * does. */
static bool unit_accepts(struct sm *sm, unsigned pipe, uint32_t index, uint32_t at, uint64_t now)
{
    struct execute *execute = &sm->execute;
    struct execution_unit *unit = &execute->units[pipe][index];
    struct op *op = &sm->ops.items[at];
    const struct sm_instruction *timing = op->code;
    const uint64_t left = now + timing->latency;
    if (*ring_word(unit->exits, left) & ring_bit(left) ||
        execute->bus[left % LATENCIES_MAX] >= sm->shared->machine->core.results)
        return false;
    const uint64_t done = left + AFTER_EXIT;
    unit->free_at = now + timing->occupied;
    *ring_word(unit->exits, left) |= ring_bit(left);
    execute->bus[left % LATENCIES_MAX]++;
    op->unit = (uint8_t)index;
    add_completion(&sm->ops, &execute->completions[done % LATENCIES_MAX], at);
    *ring_word(execute->completing, done) |= ring_bit(done);
    return true;
}

/* Whether the cycle of the load/store unit can do anything. */
static bool load_store_busy(const struct sm *sm)
{
    const struct load_store *unit = &sm->load_store;
    return unit->latch != NO_OP || unit->waiting || unit->reorder.total || unit->l1d.misses.count ||
           sm->port.responses.count || unit->written_back != NO_OP ||
           cache_unit_has_ready(&unit->l1d) || unit->shared_pipe.count ||
           unit->passed_reply != NO_OP || sm->translate.answers.count ||
           cache_unit_has_ready(&sm->translate.tlb);
}

/* The load/store unit takes an instruction into its latch, which is free. Returns whether there is
 * one. */
static bool accept_memory(struct sm *sm, uint64_t now)
{
    if (sm->translate.retry_count) {
        load_store_accept(sm, translate_retry(&sm->translate), now);
    } else if (sm->collect.output[PIPE_MEMORY]) {
        uint32_t *latch = candidate(sm, PIPE_MEMORY, 0);
        load_store_accept(sm, *latch, now);
        collect_taken(&sm->collect, PIPE_MEMORY, latch);
    } else {
        return false;
    }
    sm->progress = true;
    return true;
}

/* The load/store unit comes last, and takes an instruction only after its own cycle: one that
 * emptied its latch in this cycle takes the next in the same one. Instructions that wait for
 * translations to be tried again come before new ones, as they are older. */
void execute_cycle(struct sm *sm, uint64_t now)
{
    for (uint32_t left = sm->collect.output_pipes & ~(1u << PIPE_MEMORY); left; left &= left - 1) {
        const unsigned pipe = (unsigned)__builtin_ctz(left);
        for (uint32_t i = 0; sm->collect.output[pipe] && i < sm->shared->units[pipe]; i++) {
            if (sm->execute.units[pipe][i].free_at > now)
                continue;
            uint32_t *latch = candidate(sm, pipe, i);
            if (latch && unit_accepts(sm, pipe, i, *latch, now)) {
                collect_taken(&sm->collect, pipe, latch);
                sm->progress = true;
            }
        }
    }
    if (load_store_busy(sm))
        load_store_cycle(sm, now);
    if (sm->load_store.latch != NO_OP)
        return;
    while (accept_memory(sm, now) && sm->shared->wide)
        if (sm->load_store.latch != NO_OP && !load_store_again(sm, now))
            break;
}

uint64_t execute_next(const struct execute *execute, uint64_t now)
{
    for (uint64_t i = 0; i <= LATENCIES_MAX / 64; i++) {
        const uint64_t from = i ? ((now + 1) / 64 + i) * 64 : now + 1;
        uint64_t word = execute->completing[from % LATENCIES_MAX / 64];
        word &= ~UINT64_C(0) << from % 64;
        if (word)
            return from - from % 64 + (uint64_t)__builtin_ctzll(word);
    }
    return UINT64_MAX;
}
