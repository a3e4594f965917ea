/* What a caller asks of a run, sweep or search, and what the run reports as it goes on. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct space;
struct study;
struct sweep_plan;
struct sweep_setup;

enum sweep_stop { SWEEP_RUNS, SWEEP_CANCELLED, SWEEP_TIME_LIMIT, SWEEP_MEMORY_LIMIT };

struct sweep_progress {
    enum sweep_stop stop; /* why a run ended with STATUS_CANCELLED */
    uint64_t points;      /* in the store at the end; for an evolving search an upper limit */
    uint64_t done;        /* of these, resumed ones included */
    uint64_t resumed;
    double share;    /* of this run's work, including what running passes have done; 0 to 1 */
    uint64_t passes; /* of this run; for a search, of its current batch */
    uint64_t passes_done;
    unsigned passes_running;
    double seconds;     /* since the start of this run */
    double rate;        /* points per second */
    double eta;         /* seconds to go; NaN if not known yet */
    uint64_t simulated; /* passes of this run that ran, and those that a proof answered instead */
    uint64_t proved;    /* (model/timing/run_proof.h): of a search 0 */
    uint64_t stuck;     /* of these passes, those that never end: their points have no values */
    uint64_t pruned;    /* points left out because a bound keeps them out of the front */
    uint64_t front;     /* points in the front so far */
    double hypervolume; /* share of the objectives' box that the front dominates; NaN if unknown */
    uint64_t best; /* point with the best first objective, over several workloads the machine's on
                    * the first (explore/results/scoreboard.h); UINT64_MAX if none */
    double best_value;      /* over several workloads their geometric mean */
    uint64_t cells;         /* values of axes on a workload that legal points have */
    uint64_t cells_covered; /* of these, the ones that some point in the store shows */
    double locked; /* seconds spent waiting for another process's lock on the store; usually 0 */
};

struct sweep_options {
    const char *store;         /* path */
    const char *cache;         /* path of the stage cache; NULL for none */
    int threads;               /* 0 for all */
    const atomic_bool *cancel; /* may be NULL */
    double time_limit;         /* seconds after which the run stops; 0 for none */
    uint64_t memory_limit;     /* resident bytes above which the run stops; 0 for none */
    unsigned shard, shards;    /* run only share `shard` of the points, 1 to shards; 0 for all */
    bool durable;              /* see struct store_options; then commits only every few seconds */
    bool summary;              /* write a summary (explore/store/store.h); large spaces always do */
    double verify; /* share of the rows that sweep_verify will check afterwards, so that sweep_plan
                    * predicts how long that takes; 0 for none */
    const char *const *take; /* stores of earlier attempts, whose points are taken over first */
    size_t take_count;
    const struct sweep_plan *plan; /* the plan of this run, whose measured pass costs make the first
                                    * predictions of progress and ETA better; may be NULL */
    /* What was opened for the same study and the same options before (explore/sweep/sweep.h): used
     * instead of opening it again. It must outlive the run, which takes its stage cache. May be
     * NULL. */
    struct sweep_setup *setup;
    /* Called once when the size of the space is known, before what may take long; may be NULL. */
    void (*planning)(const struct study *study, const struct space *space);
    /* Called a few times a second by one thread at a time; may be NULL. */
    void (*progress)(void *argument, const struct sweep_progress *progress);
    void *argument;
};

/* With more points the store becomes a summary, and a study that names no search is refused. */
#define SUMMARY_POINTS 10000000
