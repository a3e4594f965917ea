/* What the cycles of an SM were for: each scheduler's, and what the L1D refused (stalls.c).
 *
 * Most cycles are for what the one before was for. So cycles are owed and counted together when
 * something changes that decides what one is for: what schedulers know of warps, and how far in
 * the load/store unit is what a warp waits for. Whoever changes that says so (`changed`). */
#pragma once

#include "model/timing/cache/cache_unit.h"
#include "model/timing/sm/sm_machine.h"

struct sm;

struct stalls {                    /* of this cycle, by scheduler: */
    uint32_t away[SCHEDULERS_MAX]; /* the warp that it saw wait for what is outside; NO_WARP */
    uint8_t slots[SCHEDULERS_MAX], memory[SCHEDULERS_MAX];
    uint64_t owed;    /* cycles of all schedulers, each for what its last counted one was for */
    bool changed;     /* the next cycle may be for something else */
    bool port_failed; /* port_fails was not 0 when that was looked at last */
    bool failed;      /* any of these is not 0: */
    uint64_t fails[UNIT_RESULTS - UNIT_FAIL], port_fails;
};

/* Charges a cycle in which a scheduler issued nothing: it looked at the slots `considered`, of
 * which those in `ready` had their registers. */
void sm_stall(struct sm *sm, uint32_t scheduler, uint64_t considered, uint64_t ready);
/* Whether this cycle is for what the last one was for. Then it is owed. */
static inline bool stalls_repeat(struct stalls *stalls)
{
    if (stalls->changed || stalls->port_failed != (stalls->port_fails != 0))
        return false;
    stalls->owed++;
    return true;
}
/* Counts the cycles that are owed, which may be none. */
void sm_count_owed(struct sm *sm);
/* Counts `times` more cycles like the last one, in which nothing changed. */
void sm_count_more(struct sm *sm, uint64_t times);
