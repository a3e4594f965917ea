#include <string.h>

#include "model/timing/sm/load_store.h"
#include "model/timing/sm/sm_parts.h"

/* Execution units. A unit takes an instruction into its latch, holds it there for its interval and
 * then moves it through its stages. All of that is decided when it is accepted, so an accepted
 * instruction is nothing but the cycle in which its result can be used. */

enum status execute_init(struct sm *sm)
{
    for (unsigned pipe = 0; pipe < PIPE_COUNT; pipe++) {
        const uint32_t latches = sm->shared->latches[pipe];
        sm->units[pipe] = calloc(sm->shared->units[pipe] + 1, sizeof **sm->units);
        sm->latches[pipe] = malloc((latches + 1) * sizeof **sm->latches);
        sm->outputs[pipe] = malloc((latches + 1) * sizeof **sm->outputs);
        if (!sm->units[pipe] || !sm->latches[pipe] || !sm->outputs[pipe])
            return STATUS_MEMORY;
        for (uint32_t i = 0; i < latches; i++)
            sm->latches[pipe][i] = sm->outputs[pipe][i] = NO_OP;
    }
    memset(sm->completions, 0xff, sizeof sm->completions); /* NO_OP */
    return STATUS_OK;
}

void execute_free(struct sm *sm)
{
    for (unsigned pipe = 0; pipe < PIPE_COUNT; pipe++) {
        free(sm->units[pipe]);
        free(sm->latches[pipe]);
        free(sm->outputs[pipe]);
    }
}

static inline uint64_t ring_bit(uint64_t cycle)
{
    return UINT64_C(1) << cycle % 64;
}

static inline uint64_t *ring_word(uint64_t *ring, uint64_t cycle)
{
    return &ring[cycle % LATENCIES_MAX / 64];
}

enum { AFTER_EXIT = 2 }; /* cycles from a unit's end until the registers are free */

void execute_write_back(struct sm *sm, uint64_t now)
{
    uint64_t *word = ring_word(sm->completing, now);
    if (!(*word & ring_bit(now)))
        return;
    *word &= ~ring_bit(now);
    uint32_t at = sm->completions[now % LATENCIES_MAX];
    sm->completions[now % LATENCIES_MAX] = NO_OP;
    const uint64_t left = now - AFTER_EXIT;
    for (uint32_t next; at != NO_OP; at = next) {
        const struct op *op = &sm->ops[at];
        next = op->next;
        *ring_word(sm->units[op->pipe][op->unit].exits, left) &= ~ring_bit(left);
        collect_write(sm, op);
        sm_release(sm, op->warp, op->code, true);
        sm_leave(sm, op->warp);
        op_free(sm, at);
    }
    sm->bus[left % LATENCIES_MAX] = 0;
    sm->progress = true;
}

/* The output latch that unit `index` of a pipe looks at. With subcores that is its scheduler's. */
static uint32_t *candidate(struct sm *sm, unsigned pipe, uint32_t index)
{
    uint32_t *outputs = sm->outputs[pipe];
    if (sm->shared->subcores && pipe != PIPE_MEMORY) {
        const uint32_t own = index % sm->shared->latches[pipe];
        return outputs[own] == NO_OP ? NULL : &outputs[own];
    }
    return oldest_latch(sm, outputs, sm->shared->latches[pipe]);
}

/* Results of one cycle are written in the order of issue: the first to want a bank has it. */
static void add_completion(const struct sm *sm, uint32_t *link, uint32_t at)
{
    while (*link != NO_OP && op_before(sm, *link, at))
        link = &sm->ops[*link].next;
    sm->ops[at].next = *link;
    *link = at;
}

/* A unit whose latch is free takes an instruction, if one result more can leave it when this one
 * does. */
static bool unit_accepts(struct sm *sm, unsigned pipe, uint32_t index, uint32_t at, uint64_t now)
{
    struct execution_unit *unit = &sm->units[pipe][index];
    struct op *op = &sm->ops[at];
    const struct sm_instruction *timing = op->code;
    const uint64_t left = now + timing->latency;
    if (*ring_word(unit->exits, left) & ring_bit(left) ||
        sm->bus[left % LATENCIES_MAX] >= sm->shared->machine->core.results)
        return false;
    const uint64_t done = left + AFTER_EXIT;
    unit->free_at = now + timing->occupied;
    *ring_word(unit->exits, left) |= ring_bit(left);
    sm->bus[left % LATENCIES_MAX]++;
    op->unit = (uint8_t)index;
    add_completion(sm, &sm->completions[done % LATENCIES_MAX], at);
    *ring_word(sm->completing, done) |= ring_bit(done);
    return true;
}

/* The instruction in an output latch has gone on. */
static void take_output(struct sm *sm, unsigned pipe, uint32_t *latch)
{
    *latch = NO_OP;
    if (!--sm->output[pipe])
        sm->output_pipes &= ~(1u << pipe);
    sm->progress = true;
}

void execute_cycle(struct sm *sm, uint64_t now)
{
    for (uint32_t left = sm->output_pipes & ~(1u << PIPE_MEMORY); left; left &= left - 1) {
        const unsigned pipe = (unsigned)__builtin_ctz(left);
        for (uint32_t i = 0; sm->output[pipe] && i < sm->shared->units[pipe]; i++) {
            if (sm->units[pipe][i].free_at > now)
                continue;
            uint32_t *latch = candidate(sm, pipe, i);
            if (latch && unit_accepts(sm, pipe, i, *latch, now))
                take_output(sm, pipe, latch);
        }
    }
    if (load_store_busy(sm))
        load_store_cycle(sm, now);
    if (sm->memory_latch != NO_OP)
        return;
    if (sm->retry_count) {
        load_store_accept(sm, load_store_retry(sm), now);
        sm->progress = true;
    } else if (sm->output[PIPE_MEMORY]) {
        uint32_t *latch = candidate(sm, PIPE_MEMORY, 0);
        load_store_accept(sm, *latch, now);
        take_output(sm, PIPE_MEMORY, latch);
    }
}
