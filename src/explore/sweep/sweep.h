/* Running a study: plan, passes on all cores, results into the store. */
#pragma once

#include "explore/plan/planner.h"
#include "explore/plan/stage_key.h"
#include "explore/plan/sweep_options.h"
#include "explore/store/store.h"

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
    struct stage_plan stages[READER_COUNT]; /* by the place of the stage's or depth's bit */
};

/* Composing and storing a point, and its part in the front. */
#define POINT_SECONDS 2e-6

/* What a run would do. */
struct sweep_plan {
    struct census census;          /* empty for a space too large for one */
    uint64_t machines;             /* of the space, legal or not */
    uint64_t points, missing;      /* of the share; of a search: at most */
    uint64_t stages[READER_COUNT]; /* distinct settings still to simulate, summed over workloads;
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
