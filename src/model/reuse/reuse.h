/* The reuse-distance model of GPU caches (model depth `reuse`): order of execution, latencies,
 * lines in flight, set mapping, MSHRs, and why each miss happened. docs/MODELS.md, "Reuse
 * distance", has the definitions; the paper is C. Nugteren et al., HPCA 2014. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "model/cache/pc_table.h"
#include "model/evaluate_options.h"
#include "model/reuse/histogram.h"
#include "model/reuse/loads.h"
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
    CLASS_COMPULSORY = MISS_COMPULSORY,
    CLASS_CAPACITY = MISS_CAPACITY,
    CLASS_ASSOCIATIVITY = MISS_ASSOCIATIVITY,
    CLASS_FLUSH = MISS_FLUSH,
    CLASS_LATENCY = MISS_LATENCY,
    CLASS_MSHR = MISS_MSHR,
    REUSE_CLASSES = MISS_CLASSES
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

/* Sets what the depth does not read of an L1D to one value, so that equal questions look equal. */
void reuse_reduce(struct machine *machine);

/* Leaves what decides which loads it reads, and by which rules. */
void reuse_shared(struct machine *machine);
/* Sentences about its answers (evaluate_notes). */
size_t reuse_notes(const struct machine *machine, const char *notes[]);

/* The reuse distances below this are counted as hits of the machine's L1D. */
uint64_t reuse_hit_below(const struct machine *machine);

/* The configuration of a run. */
struct reuse_config reuse_run_config(const struct reuse_config *config, enum reuse_runs run);

struct reuse_run {
    uint64_t accesses;
    uint64_t distances[RECENCY_COUNT]; /* accesses by what enum recency says of them */
    uint64_t misses;                   /* by the rule of the mode */
    uint64_t refused;                  /* times that a warp found no MSHR */
    uint64_t ticks;
};

/* More of the machine's run than metrics. */
struct reuse_detail {
    struct reuse_histogram *histogram; /* or NULL */
    struct pc_table *pcs;              /* or NULL */
};

/* What evaluate_many() answers at this depth for machines that agree in STAGE_STREAM parameters:
 * the stream and the L1D; the rest is NaN. Loads are read once for all machines of one mode and
 * line, and not at all where options->loads serve. */
enum status reuse_evaluate(const struct machine *const *machines, size_t count,
                           const struct trace_source *source,
                           const struct evaluate_options *options, struct metrics *metrics,
                           struct diagnostics *diagnostics);
