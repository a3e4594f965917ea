/* The reuse-distance model of GPU caches (model depth `reuse`): order of execution, latencies,
 * lines in flight, set mapping, MSHRs, and why each miss happened. docs/MODELS.md, "Reuse
 * distance", has the definitions; the paper is C. Nugteren et al., HPCA 2014. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "model/evaluate.h"
#include "model/reuse/recency.h"

/* What a run idealises. Run 0 is the machine, each other one takes one limit away. */
enum reuse_runs {
    RUN_MACHINE,
    RUN_ASSOCIATIVE, /* one set */
    RUN_INSTANT,     /* latency 0 */
    RUN_UNLIMITED,   /* MSHRs without end */
    REUSE_RUNS
};

enum { REUSE_ALL_RUNS = (1 << REUSE_RUNS) - 1 };

enum reuse_class {
    CLASS_COMPULSORY,
    CLASS_CAPACITY,
    CLASS_ASSOCIATIVITY,
    CLASS_LATENCY,
    CLASS_MSHR,
    REUSE_CLASSES
};

/* Times are in issue slots: one warp memory instruction each. */
struct reuse_config {
    uint32_t line; /* bytes */
    uint32_t ways;
    uint64_t sets;
    uint64_t latency, hit_latency;
    double sigma;
    uint64_t mshrs;    /* UINT64_MAX: without end */
    uint64_t per_warp; /* of these for one warp, likewise; the published program has none */
    uint64_t seed;
    int index;                        /* enum index_function; the published program has its own */
    uint64_t max_threads, max_blocks; /* of one core */
    bool hierarchy;                   /* off: warps run one after another */
    bool divergence;                  /* off: round robin, warps do not wait for their data */
};

/* From the machine's L1D and its reuse parameters, the switched-off extensions taken out. */
void reuse_configure(const struct machine *machine, struct reuse_config *config);

/* The configuration of a run. */
struct reuse_config reuse_run_config(const struct reuse_config *config, enum reuse_runs run);

struct reuse_run {
    uint64_t accesses;
    uint64_t distances[RECENCY_COUNT]; /* accesses by what enum recency says of them */
    uint64_t misses;                   /* by the rule of the mode */
    uint64_t refused;                  /* times that a warp found no MSHR */
    uint64_t ticks;
};

/* Reuse distances of the machine's run; [i] counts distance i, and the vector grows. */
struct reuse_histogram {
    uint64_t *counts;
    size_t count, capacity;
    uint64_t infinite;
};

void reuse_histogram_free(struct reuse_histogram *histogram);

/* Counts one access at a finite distance. */
enum status reuse_histogram_add(struct reuse_histogram *histogram, uint64_t distance);

/* What evaluate() answers at this depth: the stream and the L1D; the rest is NaN. */
enum status reuse_evaluate(const struct machine *machine, const struct trace_source *source,
                           const struct evaluate_options *options, struct metrics *metrics,
                           struct diagnostics *diagnostics);
