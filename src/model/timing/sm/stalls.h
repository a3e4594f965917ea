/* What the cycles of an SM were for: each scheduler's, and what the L1D refused (stalls.c). */
#pragma once

#include "model/timing/cache/cache_unit.h"
#include "model/timing/sm/sm_machine.h"

struct sm;

struct stalls {                    /* of this cycle, by scheduler: */
    uint32_t away[SCHEDULERS_MAX]; /* the warp that it saw wait for what is outside; NO_WARP */
    uint8_t slots[SCHEDULERS_MAX], memory[SCHEDULERS_MAX];
    bool failed; /* any of these is not 0: */
    uint64_t fails[UNIT_RESULTS - UNIT_FAIL], port_fails;
};

/* Charges a cycle in which a scheduler issued nothing: it looked at the slots `considered`, of
 * which those in `ready` had their registers. */
void sm_stall(struct sm *sm, uint32_t scheduler, uint64_t considered, uint64_t ready);
/* Counts a cycle at its end. */
void sm_count_cycle(struct sm *sm);
/* Counts `times` more cycles like the last one, in which nothing changed. */
void sm_count_more(struct sm *sm, uint64_t times);
