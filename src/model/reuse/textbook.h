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

/* Simulates all SMs of one machine from the source alone. The classes need all runs: `wanted` is
 * REUSE_ALL_RUNS or run 0 alone. `histogram` may be NULL. */
enum status textbook_simulate(const struct machine *machine, const struct trace_source *source,
                              unsigned wanted, const struct evaluate_options *options,
                              struct textbook_result *result, struct reuse_histogram *histogram,
                              struct diagnostics *diagnostics);

/* Many machines that agree in their stream parameters and the bytes of a line. `loads` serve all
 * of them, or are NULL: then the source is read for each run. An idealised run that machines have
 * in common (with latency 0 neither latency nor MSHRs matter) is made once. `detail` is NULL or
 * asks for more of the first machine. */
enum status textbook_simulate_many(const struct machine *const *machines, size_t count,
                                   const struct trace_source *source,
                                   const struct reuse_loads *loads, bool classes,
                                   const struct evaluate_options *options,
                                   struct textbook_result *results, struct reuse_detail *detail,
                                   struct diagnostics *diagnostics);
