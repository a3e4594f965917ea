/* Page walks one by one: what `warpscape run --trace-steps` prints and the screen steps through. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "model/translation/pwc.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct walk_step {
    uint64_t number; /* from 1 */
    uint64_t page;   /* address of the page, of 48 bits */
    unsigned sm;     /* whose TLB missed */
    struct page_indices indices;
    enum pwc_hit hit;
    unsigned accesses; /* page-table entries read */
    struct pwc_lookup lookup;
    const struct pwc *pwc; /* as the walk left it; valid during the call */
};

/* The TLBs and the page-walk cache of `machine`, which must have a TLB, on a source from its
 * beginning, in the order of the TLBs' misses whatever the walkers' policy. Calls `step` after each
 * of the first `limit` walks and ends there: *whole says whether the source had no more. A status
 * of `step` other than OK ends it with that status. `cancel` may be NULL. */
enum status walk_steps(const struct machine *machine, const struct trace_source *source,
                       uint64_t limit,
                       enum status (*step)(void *argument, const struct walk_step *step),
                       void *argument, const atomic_bool *cancel, bool *whole,
                       struct diagnostics *diagnostics);
