/* The coalesced loads of a workload, kept for the machines of the reuse depth that read the same
 * ones (model/reuse/loads.h). There are at most two: of the machine that is tuned and of the one
 * before.
 *
 * Invariant: what a get returns stays valid until the next get or forget. Cost: a get that finds
 * nothing walks the source. */
#pragma once

#include "base/diag.h"
#include "model/evaluate_options.h"
#include "trace/stream.h"

enum { LOADS_MAX = 2 };

struct kept_loads {
    struct reuse_loads *places[LOADS_MAX]; /* most recently used first; NULL if free */
};

/* The loads that the machine issues, read where they are not kept; NULL if there are too many. */
enum status kept_loads_get(struct kept_loads *kept, const struct machine *machine,
                           const struct trace_source *source,
                           const struct evaluate_options *options, const struct reuse_loads **loads,
                           struct diagnostics *diagnostics);
void kept_loads_forget(struct kept_loads *kept);
