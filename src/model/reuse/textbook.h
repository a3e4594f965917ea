/* The reuse-distance model as the paper defines it (Nugteren et al., HPCA 2014): a miss is a
 * distance of at least the ways, accesses to a line in flight join it, MSHRs are a hard limit on
 * lines in flight, blocks replace each other first come, first served. Every miss is in exactly one
 * class. docs/MODELS.md, "Reuse distance". */
#pragma once

#include "model/reuse/feed.h"
#include "model/reuse/reuse.h"

struct textbook_result {
    struct reuse_run runs[REUSE_RUNS]; /* sums over all SMs */
    uint64_t classes[REUSE_CLASSES];   /* of the misses of run 0 */
    struct feed_counts stream;
};

/* Simulates all SMs, the runs of `wanted` (bit r = run r); the classes need all of them.
 * `progress` may be NULL. */
enum status textbook_simulate(const struct machine *machine, const struct trace_source *source,
                              unsigned wanted, const struct evaluate_options *options,
                              struct textbook_result *result, struct reuse_histogram *histogram,
                              struct diagnostics *diagnostics);
