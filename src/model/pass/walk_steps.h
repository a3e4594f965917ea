/* Steps through page walks one by one: used by `warpscape run --trace-steps` and by the screen. It
 * issues the source again, simulates only its TLBs and page-walk cache, and keeps at most one batch
 * of the stream. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "model/translation/pwc.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct walk_step {
    uint64_t number; /* counted from 1 */
    uint64_t page;   /* address of the page (48 bits) */
    unsigned sm;     /* the SM whose TLB missed */
    struct page_indices indices;
    enum pwc_hit hit;
    unsigned accesses; /* page-table entries read */
    struct pwc_lookup lookup;
    const struct pwc *pwc; /* its state after the walk; valid during the call */
};

/* Simulates the TLBs and the page-walk cache of `machine`, which must have a TLB, from the start of
 * a source. Walks are in the order of the TLBs' misses, whatever the walkers' policy. Calls `step`
 * after each of the first `limit` walks and then stops; *whole tells whether the source had no
 * more. If `step` returns a status other than STATUS_OK, the function ends with it. `cancel` may be
 * NULL. */
enum status walk_steps(const struct machine *machine, const struct trace_source *source,
                       uint64_t limit,
                       enum status (*step)(void *argument, const struct walk_step *step),
                       void *argument, const atomic_bool *cancel, bool *whole,
                       struct diagnostics *diagnostics);
