/* The reuse-distance model of GPU caches (model depth `reuse`). It models the order of execution,
 * latencies, lines in flight, set mapping and MSHRs of the L1D, and why each miss happened.
 * docs/MODELS.md, "Reuse distance", has the definitions; the paper is C. Nugteren et al., HPCA
 * 2014.
 *
 * Two modes: textbook.h implements the paper, published.h the authors' program. Only loads and only
 * the L1D are simulated. With classes a machine takes four runs instead of one; runs that machines
 * have in common are made once. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "model/cache/pc_table.h"
#include "model/evaluate_options.h"
#include "model/reuse/distance_histogram.h"
#include "model/reuse/loads.h"
#include "model/reuse/recency.h"

/* The runs. Run 0 is the machine; each other run removes one of its limits. */
enum reuse_runs {
    RUN_MACHINE,
    RUN_ASSOCIATIVE, /* one set */
    RUN_INSTANT,     /* latency 0 */
    RUN_UNLIMITED,   /* unlimited MSHRs */
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

/* The parameters of a run. Times are in issue slots; an SM issues one warp memory instruction per
 * slot. */
struct reuse_config {
    uint32_t line;    /* bytes */
    uint32_t sectors; /* of a line */
    uint32_t ways;
    uint64_t sets;
    uint64_t latency, hit_latency;
    double sigma;
    uint64_t mshrs; /* UINT64_MAX: unlimited */
    /* Most of these per warp, likewise; the published program has no such limit. */
    uint64_t per_warp;
    uint64_t merge; /* accesses that wait for one fill; UINT64_MAX: unlimited; textbook */
    uint64_t seed;
    int index;                        /* enum index_function; the published program uses its own */
    uint64_t max_threads, max_blocks; /* limits of one core */
    bool hierarchy;                   /* off: warps run one after another */
    bool divergence;                  /* off: round robin, warps do not wait for their data */
    bool on_miss; /* a miss allocates its line at once, which stays until it is filled; textbook */
};

/* Fills *config from the machine's L1D and reuse parameters; extensions that are switched off are
 * removed. */
void reuse_configure(const struct machine *machine, struct reuse_config *config);

/* Sets L1D parameters that the depth does not read to fixed values, so that equivalent machines
 * compare equal. */
void reuse_reduce(struct machine *machine);

/* Resets everything except what decides which loads are read and by which rules. */
void reuse_shared(struct machine *machine);
/* Notes on its answers (evaluate_notes). */
size_t reuse_notes(const struct machine *machine, const char *notes[]);

/* The machine's L1D hits at reuse distances below this. */
uint64_t reuse_hit_below(const struct machine *machine);

/* The configuration of a run. */
struct reuse_config reuse_run_config(const struct reuse_config *config, enum reuse_runs run);

struct reuse_run {
    uint64_t accesses;
    uint64_t distances[RECENCY_COUNT]; /* accesses by enum recency */
    uint64_t misses;                   /* by the rule of the mode */
    uint64_t sector_misses;            /* those of a cached line; textbook */
    uint64_t joined;                   /* misses that joined what is in flight */
    uint64_t refused;                  /* times a warp was refused for want of an MSHR */
    uint64_t ticks;
};

/* More results of the machine's own run. */
struct reuse_detail {
    struct reuse_histogram *histogram; /* or NULL */
    struct pc_table *pcs;              /* or NULL */
};

/* evaluate_many() at this depth, for machines that agree in all STAGE_STREAM parameters. It fills
 * the metrics of the stream, the L1D and the area; the others are NaN. Loads are read once for all
 * machines of one mode and line size, or not at all if options->loads serve. */
enum status reuse_evaluate(const struct machine *const *machines, size_t count,
                           const struct trace_source *source,
                           const struct evaluate_options *options, struct metrics *metrics,
                           struct diagnostics *diagnostics);
