/* Running a study: plan, passes on all cores, results into the store. */
#pragma once

#include <stdatomic.h>

#include "explore/plan/planner.h"
#include "explore/plan/stage_key.h"
#include "explore/store/store.h"

enum sweep_stop { SWEEP_RUNS, SWEEP_CANCELLED, SWEEP_TIME_LIMIT, SWEEP_MEMORY_LIMIT };

struct sweep_progress {
    enum sweep_stop stop; /* why a run ended with STATUS_CANCELLED */
    uint64_t points;      /* to have in the end; of an evolving search: at most */
    uint64_t done;        /* of these, resumed ones included */
    uint64_t resumed;
    double share;    /* of the work of this run, with what running passes have done; 0 to 1 */
    uint64_t passes; /* of this run; of a search those of its current batch */
    uint64_t passes_done;
    unsigned passes_running;
    double seconds;     /* since the start of this run */
    double rate;        /* points a second that the work of the last seconds comes to */
    double eta;         /* seconds; NaN = not known yet */
    uint64_t pruned;    /* points left out because a bound keeps them out of the front */
    uint64_t front;     /* points in the front so far */
    double hypervolume; /* share of the objectives' box that the front dominates; NaN = not known */
    uint64_t best;      /* point with the best first objective; UINT64_MAX = none */
    double best_value;
};

struct sweep_options {
    const char *store;         /* path */
    const char *cache;         /* path of the stage cache; NULL: none */
    int threads;               /* 0: all */
    const atomic_bool *cancel; /* may be NULL */
    double time_limit;         /* seconds after which the run stops; 0: none */
    uint64_t memory_limit;     /* bytes in memory beyond which it stops; 0: none */
    unsigned shard, shards;    /* only this share of the points, 1 to shards; shards = 0: all */
    bool durable;              /* see struct store_options; commits every few seconds only */
    bool summary;  /* a summary for the store (explore/store/store.h); of large spaces always */
    double verify; /* share of the rows that sweep_verify is to check afterwards: sweep_plan then
                    * says how long that takes; 0: none */
    const char *const *take; /* stores whose points are taken over first; of earlier attempts */
    size_t take_count;
    const struct sweep_plan *plan; /* of this run: what passes cost, which makes progress and ETA
                                    * better from the first second on; may be NULL */
    /* Called a few times a second by one thread at a time; may be NULL. */
    void (*progress)(void *argument, const struct sweep_progress *progress);
    void *argument;
};

/* Above so many points the store becomes a summary, and a study that names no search is refused. */
#define SUMMARY_POINTS 10000000

/* Runs or resumes with the study's search. STATUS_CANCELLED after a clean stop: everything finished
 * so far is committed. The rows are the same for every number of threads, and after any stop, kill
 * and resume. A store may hold points of other searches of the study: they are used where they are
 * asked for. Notes (why a search ended, what could not be pruned) are diagnostics without an error.
 */
enum status sweep_run(const struct study *study, const struct sweep_options *options,
                      struct sweep_progress *result, struct diagnostics *diagnostics);

/* One stage on one workload. */
struct stage_plan {
    uint64_t settings;    /* distinct ones that missing points have */
    uint64_t remembered;  /* of these: the stage cache has what is asked */
    uint64_t simulations; /* of the others; fewer where a stack pass takes several, more where
                           * several passes need the same stream or L1D */
    double seconds;       /* predicted, of one thread */
};

/* Seconds that one thread takes for a workload: to walk its stream once, and for each first and
 * each second level behind it. */
struct stage_costs {
    double stream, first, second;
};

struct workload_plan {
    uint64_t missing, passes;
    double seconds;                         /* predicted, of one thread */
    struct stage_costs costs[PARTS_MAX][2]; /* of tasks that are shared and others: measured, 0
                                             * where there is nothing to simulate */
    struct stage_plan stages[STAGE_COUNT];
};

/* Composing and storing a point, and its part in the front. */
#define POINT_SECONDS 2e-6

/* What a run would do. */
struct sweep_plan {
    struct census census;         /* empty for a space too large for one */
    uint64_t machines;            /* of the space, legal or not */
    uint64_t points, missing;     /* of the share; of a search: at most */
    uint64_t stages[STAGE_COUNT]; /* distinct settings still to simulate, summed over workloads;
                                   * only where the search looks at every point */
    uint64_t passes;
    double seconds; /* predicted, from a short measurement on this machine; of other searches as if
                     * each setting were simulated for itself: which of them share a pass, and which
                     * points a setting, is not known before */
    double verify_seconds; /* predicted for sweep_verify; like `points` at most */
    int threads;
    struct workload_plan *workloads; /* one for each of the study */
    size_t workload_count;
};
/* Looks into the store where there is one; measures for at most a few seconds. The study must
 * outlive the plan (the census names its conditions). */
enum status sweep_plan(const struct study *study, const struct sweep_options *options,
                       struct sweep_plan *plan, struct diagnostics *diagnostics);
void sweep_plan_free(struct sweep_plan *plan);

/* How many rows a share of them is, rounded up. */
uint64_t sweep_verify_rows(double share, uint64_t rows);

struct sweep_verification {
    uint64_t checked;   /* points */
    uint64_t different; /* values */
};

/* Evaluates a share in (0, 1] of the stored rows, rounded up, one by one and compares every stored
 * metric to the last bit. STATUS_CONFLICT where any differs; `diagnostics` then name point, metric
 * and both values. Which rows is random; the study's seed and the rows that are there decide. Tells
 * options->progress how many of them are done. */
enum status sweep_verify(const struct study *study, const struct sweep_options *options,
                         double share, struct sweep_verification *result,
                         struct diagnostics *diagnostics);
