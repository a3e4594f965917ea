/* The load/store unit of an SM (timing depth): shared memory, the L1D with its banks, and the way
 * to the network and back. It is a part of sm.c; the rules are in docs/MODELS.md, "Timing". */
#pragma once

#include "model/timing/sm/sm.h"

/* Whether its cycle can do anything. */
static inline bool load_store_busy(const struct sm *sm)
{
    return sm->memory_latch != NO_OP || sm->l1_waiting || sm->reorder.total ||
           sm->l1d.misses.count || sm->responses.count || sm->written_back != NO_OP ||
           cache_unit_has_ready(&sm->l1d) || sm->shared_pipe.count || sm->passed_reply != NO_OP ||
           sm->answers.count || cache_unit_has_ready(&sm->tlb);
}
/* Its cycle within the execution stage, before it accepts an instruction. */
void load_store_cycle(struct sm *sm, uint64_t now);
/* Takes an instruction into its latch, which must be free. */
void load_store_accept(struct sm *sm, uint32_t op, uint64_t now);
/* Takes the first of the instructions that waited for translations and have them (sm->retries).
 * They go before others. */
uint32_t load_store_retry(struct sm *sm);
/* The first cycle after `now` in which the unit can do something by itself; UINT64_MAX: none. */
uint64_t load_store_next(const struct sm *sm, uint64_t now);

/* load_access.c: makes the accesses of an op's record (sm->accesses). Which cache it finds changes
 * them, but not what it counts as: what it coalesces to (sm->transactions). */
void load_store_generate(struct sm *sm, uint32_t op);
/* load_access.c: counts an op's record, and forgets it. */
void load_store_count(struct sm *sm, uint32_t op);
/* load_access.c: the same for an op of another pipe, because no cache of the machine serves its
 * space. */
void load_store_count_unserved(struct sm *sm, uint32_t op);
/* load_access.c: where the accesses in the latch enter the L1D. If lines are looked up at once
 * (l1d.tags), each sector of these has a place beside the others; the first access to a further
 * line waits. */
void load_store_choose_banks(struct sm *sm);
/* load_access.c: the cycles for which the instruction in the latch keeps the data banks of the L1D:
 * a wavefront for each time that it asks the same bank. 0: no longer than its accesses take to
 * enter. */
uint64_t load_store_data_cycles(const struct sm *sm, const struct record_copy *record);

/* Moves replies from the network one station on, before the SM's cycle. */
void load_store_receive(struct sm *sm, uint64_t now);
