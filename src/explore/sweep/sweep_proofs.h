/* What remembered runs prove of the values of a study's axes, for `sweep --explain`: how far a
 * limit was used, and how many values of its axis give the same run.
 *
 * Invariant: what is said holds for some machine of the study; of others less may be proved. Cost:
 * a key for each of up to MACHINES machines on each workload, and a look at what is proved of its
 * family until something holds for it. */
#pragma once

#include "explore/plan/sweep_setup.h"
#include "model/timing/run_proof.h"

struct axis_proof {
    size_t equal; /* values of the axis that give the same run; 0: nothing is known */
    bool picks;   /* ... as schedulers that never had two warps to pick from */
    bool limit;   /* the axis is a limit, and with any in this interval the run is the same: */
    struct run_interval interval;
};

/* Sets (*proofs)[workload * axes + axis] to the proof that holds for most values. The caller frees
 * them. STATUS_MEMORY. */
enum status sweep_proofs(const struct sweep_setup *setup, struct axis_proof **proofs);
