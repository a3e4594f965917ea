/* The reuse-distance model as the paper defines it (Nugteren et al., HPCA 2014). A miss is a
 * distance of at least the number of ways. Accesses to a line in flight join it. MSHRs are a hard
 * limit on lines in flight. Blocks are started first come, first served. Every miss belongs to
 * exactly one class. docs/MODELS.md, "Reuse distance".
 *
 * SMs are simulated one after another and do not affect each other. An access takes constant time;
 * memory is that of one SM's lines and resident warps, plus one bit per access and idealised run if
 * classes are wanted. */
#pragma once

#include "model/reuse/feed.h"
#include "model/reuse/reuse.h"

struct textbook_result {
    struct reuse_run runs[REUSE_RUNS]; /* summed over all SMs */
    uint64_t classes[REUSE_CLASSES];   /* classes of the misses of run 0 */
    struct record_counts stream;
};

/* Simulates all SMs of one machine, reading the source. Classes need all runs: `wanted` is
 * REUSE_ALL_RUNS, or run 0 alone. `histogram` may be NULL. */
enum status textbook_simulate(const struct machine *machine, const struct trace_source *source,
                              unsigned wanted, const struct evaluate_options *options,
                              struct textbook_result *result, struct reuse_histogram *histogram,
                              struct diagnostics *diagnostics);

/* Simulates machines that agree in their stream parameters and line size. `loads` serve all of
 * them, or are NULL: then the source is read for each run. An idealised run that machines have in
 * common is made once (with latency 0, for example, neither latency nor MSHRs matter). `detail` is
 * NULL or asks for more results of the first machine. */
enum status textbook_simulate_many(const struct machine *const *machines, size_t count,
                                   const struct trace_source *source,
                                   const struct reuse_loads *loads, bool classes,
                                   const struct evaluate_options *options,
                                   struct textbook_result *results, struct reuse_detail *detail,
                                   struct diagnostics *diagnostics);
