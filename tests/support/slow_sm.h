/* The slow, obvious twin of an SM (model/timing/sm/sm.h), written from docs/MODELS.md and not from
 * its code: every cycle is simulated, every array is scanned, a register is a bool. It has no L1D:
 * all accesses go to a memory that answers after a fixed number of cycles. Its L1I, with all that
 * stands around one, is support/slow_fetch.h, and its schedulers are support/slow_scheduler.h. It
 * knows no atomics, copies or fences. */
#pragma once

#include "model/timing/sm/sm.h"
#include "support/slow_fetch.h"
#include "support/timed_source.h"

struct slow_sm_counts {
    uint64_t cycles, instructions, issued; /* issued: cycles of schedulers that issued */
    struct slow_fetch_counts fetches;      /* of an L1I, if there is one */
};

/* Runs launch 0 of the source; its blocks must fit at once. */
struct slow_sm_counts slow_sm_run(const struct sm_machine *shared,
                                  const struct timed_source *source, uint64_t latency);
