/* The textbook mode of depth reuse against its slow twin (support/slow_reuse.h). */
#pragma once

#include "model/reuse/textbook.h"
#include "support/slow_reuse.h"

/* A machine of one SM whose L1D is this, with loads that all take equally long. */
struct machine reuse_one_sm(uint64_t line, uint64_t ways, uint64_t sets);
/* A random one of these, with any of the extensions of the model. */
struct machine reuse_twin_machine(uint64_t seed);

/* All four runs; `histogram` may be NULL. Fails the test where they fail. */
struct textbook_result reuse_all_runs(const struct machine *machine,
                                      const struct trace_source *source,
                                      struct reuse_histogram *histogram);

/* Fails the test unless the classes of misses add up to the misses. */
void reuse_twin_sum(const struct textbook_result *result);

struct reuse_twin { /* large: not for the stack */
    struct slow_loads loads;
    struct slow_result runs[REUSE_RUNS];
};

/* Fails the test unless every number of all four runs of launch 0, and the classes of misses, are
 * those of the slow twin, which stay in `twin`. */
void reuse_twin_check(const struct machine *machine, const struct trace_source *source,
                      struct reuse_twin *twin);
