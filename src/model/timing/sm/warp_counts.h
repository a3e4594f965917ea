/* Counts by warp of one SM: what each warp issued, fetched and asked of the L1D, and how long it
 * waited for its instructions and its loads.
 *
 * An SM keeps these counts only if asked to (sm->by_warp); every function here needs them. A
 * refused request is counted once it is taken, so the counts of all warps add up to those of the
 * caches. Cost: a few instructions a count, and a row of memory for every warp of the grid. */
#pragma once

#include "model/timing/base/timing_log.h"
#include "model/timing/sm/sm.h"

/* Makes sm->by_warp. STATUS_MEMORY. */
enum status warp_counts_new(struct sm *sm);
void warp_counts_free(struct sm *sm); /* it may be NULL */
/* The same for a copy of an SM (sm_copy). */
MUST_CHECK bool warp_counts_copy(struct sm *sm);

/* Moves the rows of all warps that ended to `log`, in the order of their ends. STATUS_MEMORY. */
enum status warp_counts_report(struct sm *sm, struct timing_warps *warps);

void warp_counts_started(struct sm *sm, uint32_t warp, uint32_t number);
void warp_counts_fetched(struct sm *sm, uint32_t warp, enum unit_outcome outcome);
void warp_counts_decoded(struct sm *sm, uint32_t warp);
void warp_counts_issued(struct sm *sm, uint32_t warp, uint32_t mask);
void warp_counts_accessed(struct sm *sm, uint32_t warp, enum unit_outcome outcome);
void warp_counts_loaded(struct sm *sm, uint32_t warp, uint64_t cycles);
void warp_counts_ended(struct sm *sm, uint32_t warp);
