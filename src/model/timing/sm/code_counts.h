/* Counts by instruction of one SM: what each access to memory asked of the L1D, how long its loads
 * took, and the cycles in which a scheduler issued nothing because of it.
 *
 * A scheduler's cycle that counts as core.stall.memory is charged to one instruction: to the load
 * whose result its first waiting warp needs; or, if ready instructions find the load/store unit
 * taken, to the instruction that holds it (the first ready one if that one is still on its way). So
 * the stalls of all instructions add up to those of the SM.
 *
 * An SM keeps these counts only if asked to (sm->by_code); every function here needs them. Cost: a
 * count costs a few instructions; memory is a row an instruction and a word a register. */
#pragma once

#include "model/cache/pc_table.h"
#include "model/timing/sm/sm.h"

/* Makes sm->by_code. STATUS_MEMORY. */
enum status code_counts_new(struct sm *sm);
void code_counts_free(struct sm *sm); /* it may be NULL */
/* The same for a copy of an SM (sm_copy). */
MUST_CHECK bool code_counts_copy(struct sm *sm);

/* The SM begins a launch: all counts are 0. STATUS_MEMORY. */
enum status code_counts_begin(struct sm *sm);
/* Adds the counts to those of the launch's kernel. STATUS_MEMORY. */
enum status code_counts_report(const struct sm *sm, struct pc_table *table);

/* A warp issued an instruction: its registers now come from it. */
void code_counts_issued(struct sm *sm, uint32_t warp, const struct sm_instruction *code);
void code_counts_accessed(struct sm *sm, struct op *op, enum unit_outcome outcome);
void code_counts_loaded(struct sm *sm, const struct op *op, uint64_t cycles);

/* In this cycle the scheduler waits for the load/store unit, with the warp in `slot` ready; or for
 * a load of `warp`. */
void code_counts_blocked(struct sm *sm, uint32_t scheduler, uint32_t slot);
void code_counts_awaited(struct sm *sm, uint32_t scheduler, uint32_t warp);
/* Charges `times` cycles like the last one to the instruction that the scheduler waited for. */
void code_counts_stalled(struct sm *sm, uint32_t scheduler, uint64_t times);
