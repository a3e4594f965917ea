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

void execute_init(struct sm *sm);
void execute_write_back(struct sm *sm, uint64_t now);
void execute_cycle(struct sm *sm, uint64_t now);

/* The first cycle after `now` in which an instruction completes; UINT64_MAX: none does. */
uint64_t execute_next(const struct execute *execute, uint64_t now);
