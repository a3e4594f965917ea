/* Whether the launches of a study's workloads can run on its machines at all: a block of which an
 * SM has too few threads, registers or too little shared memory for never starts. */
#pragma once

#include "explore/space/space.h"
#include "trace/stream.h"

/* STATUS_INVALID with an error for each workload that some legal machine cannot run: how many, one
 * of them, and why. sources[w] are the study's workloads. Only at the functional depth, and only
 * where `census` has its bitmap. */
enum status fit_check(const struct space *space, const struct census *census,
                      struct trace_source *const *sources, struct diagnostics *diagnostics);
