/* What a run proves of machines that were not run.
 *
 * The raw counts of a run are those of every machine that differs from its own in nothing but the
 * limits of schema/run_limits.h, as long as each of them lies in its interval, and in the size and
 * the ways of an L1D or L2 that never gave up a line (model/timing/memory/footprint.h). Of such an
 * L1D a bypass policy that decided nothing was none, and one that decides nothing before a set is
 * full would have been none. A scheduler that never had two warps to pick from is any that looks
 * at all warps. All of that holds together: a run answers for a box of machines.
 * Intervals may be narrower than they need be, as SMs and channels compare with what they saw when
 * a span began, never wider.
 *
 * What a machine computes from its own parameters, as area and energy, is not proved: the metrics
 * of timing_metrics read none of these parameters. A run that failed or was cancelled proves
 * nothing. */
#pragma once

#include "model/timing/memory/footprint.h"
#include "schema/run_limits.h"

struct run_interval { /* of a limit: least to most */
    uint32_t least, most;
};

struct run_proof {
    bool holds; /* else it proves nothing */
    struct run_interval limits[RUN_LIMITS];
    struct footprint l1d, l2;
    /* Of the machine that ran: */
    struct bypass_config bypass;
    int scheduler;
    bool picked; /* some scheduler had two warps to pick from, or does more than pick */
};

/* Sets the parameters that proofs are about to fixed values. */
void run_proof_widen(struct machine *machine);
/* Whether the run was that of this machine, too, which may differ in those parameters alone. */
bool run_proof_covers(const struct run_proof *proof, const struct machine *machine);

struct gpu;
/* For gpu.c: before a run of a machine; before the L2 is emptied; and when the run has ended well.
 */
void run_proof_begin(struct run_proof *proof, const struct machine *machine);
void run_proof_note_l2(struct run_proof *proof, const struct gpu *gpu);
void run_proof_end(struct run_proof *proof, const struct gpu *gpu);
