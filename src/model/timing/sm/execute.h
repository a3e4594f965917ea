/* The execution units of an SM, and the cycles in which what they work on is done. */
#pragma once

#include "model/timing/sm/ops.h"

struct sm;

struct execution_unit {                 /* one execution unit */
    uint64_t free_at;                   /* when its latch can take the next instruction */
    uint64_t exits[LATENCIES_MAX / 64]; /* cycles, modulo LATENCIES_MAX, in which one leaves */
};

struct execute {
    struct execution_unit *units[PIPE_COUNT];
    uint8_t bus[LATENCIES_MAX];          /* results that leave in a cycle */
    uint32_t completions[LATENCIES_MAX]; /* ops whose registers are free in a cycle */
    uint64_t completing[LATENCIES_MAX / 64];
};

/* Sets of cycles, modulo LATENCIES_MAX. */
static inline uint64_t ring_bit(uint64_t cycle)
{
    return UINT64_C(1) << cycle % 64;
}
static inline uint64_t *ring_word(uint64_t *ring, uint64_t cycle)
{
    return &ring[cycle % LATENCIES_MAX / 64];
}

/* Whether anything completes in a cycle. */
static inline bool execute_completes(struct execute *execute, uint64_t now)
{
    return *ring_word(execute->completing, now) & ring_bit(now);
}

void execute_init(struct sm *sm);
/* What completes in this cycle leaves the pipeline. */
void execute_write_back(struct sm *sm, uint64_t now);
void execute_cycle(struct sm *sm, uint64_t now);

/* The first cycle after `now` in which an instruction completes; UINT64_MAX: none does. */
uint64_t execute_next(const struct execute *execute, uint64_t now);
