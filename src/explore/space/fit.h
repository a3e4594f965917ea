/* Whether the launches of a study's workloads can run on its machines at all. A thread block never
 * starts if an SM has too few threads or registers, or too little shared memory, for it. */
#pragma once

#include "explore/space/space.h"
#include "trace/stream.h"

/* Returns STATUS_INVALID with an error for each workload that some legal machine cannot run: how
 * many machines, one of them, and why. sources[w] belongs to workload w. Does nothing at a depth
 * without DEPTH_FITS, or if `census` has no bitmap. */
enum status fit_check(const struct space *space, const struct census *census,
                      struct trace_source *const *sources, struct diagnostics *diagnostics);

/* Whether one machine can run a source. */
bool fit_runs(const struct machine *machine, const struct trace_source *source);
