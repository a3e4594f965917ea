/* Running a study: plan its passes, run them on all cores, write the results into the store.
 *
 * Invariant: the rows of the store are the same for any number of threads, and after any stop, kill
 * and resume. Cost: the planner (explore/plan/planner.h) decides how few simulations answer all
 * points; composing and storing a point takes about POINT_SECONDS more. */
#pragma once

#include "explore/plan/planner.h"
#include "explore/plan/stage_key.h"
#include "explore/plan/sweep_setup.h"
#include "explore/store/store.h"
#include "explore/sweep/sweep_proofs.h"

/* Runs or resumes a study with its search. Returns STATUS_CANCELLED after a clean stop; then
 * everything finished so far is committed. The store may hold points of other searches of the same
 * study; they are used when the search asks for them. Notes (why a search ended, what could not be
 * pruned) go to `diagnostics` without being errors. */
enum status sweep_run(const struct study *study, const struct sweep_options *options,
                      struct sweep_progress *result, struct diagnostics *diagnostics);

/* The work of one stage on one workload. */
struct stage_plan {
    uint64_t settings;    /* distinct settings of the missing points */
    uint64_t remembered;  /* of these, how many the stage cache has */
    uint64_t simulations; /* for the others: fewer if a stack pass takes several at once, more if
                           * several passes need the same stream or L1D */
    double seconds;       /* predicted, on one thread */
};

/* Seconds that one thread needs for one workload: to walk its stream once, and for each first level
 * and each second level simulated on that stream. */
struct stage_costs {
    double stream, first, second;
};

struct workload_plan {
    uint64_t missing, passes;
    double seconds;                         /* predicted, on one thread */
    struct stage_costs costs[PARTS_MAX][2]; /* measured; [1] for tasks of shared levels, [0] for
                                             * others; 0 if there is nothing to simulate */
    struct stage_plan stages[READER_COUNT]; /* indexed by the stage's or depth's bit number */
};

/* Seconds to compose and store a point and to offer it to the front. */
#define POINT_SECONDS 2e-6

/* What a run would do. */
struct sweep_plan {
    struct sweep_setup setup;      /* no census if the space is too large for one */
    struct diagnostics opened;     /* what there was to say of the setup */
    struct plan *passes_planned;   /* only if the search looks at every point */
    uint8_t *done;                 /* the points that it leaves out: they are there */
    uint64_t machines;             /* in the space, legal or not */
    uint64_t points, missing;      /* in the share; for a search an upper limit */
    uint64_t stages[READER_COUNT]; /* distinct settings still to simulate, summed over workloads;
                                    * only if the search looks at every point */
    uint64_t passes;
    double windows; /* of halving: the work of all points on windows, of all their work; else 0 */
    double seconds; /* predicted from a short measurement on this machine. For other searches as if
                     * each setting were simulated alone, because nobody knows beforehand which
                     * settings will share a pass and which points a setting */
    double verify_seconds; /* predicted for sweep_verify; like `points` an upper limit */
    int threads;
    struct workload_plan *workloads; /* one per workload of the study */
    struct axis_proof *proofs;       /* sweep_proofs; NULL for a search */
    size_t workload_count;
};
/* Plans a run without starting it. Reads the store if there is one, and measures for a few seconds
 * at most. The study must outlive the plan, because the census refers to its conditions. A run with
 * the plan and its setup in its options neither opens nor plans again what did not change, and does
 * not repeat what `opened` says. */
enum status sweep_plan(const struct study *study, const struct sweep_options *options,
                       struct sweep_plan *plan, struct diagnostics *diagnostics);
void sweep_plan_free(struct sweep_plan *plan);

/* The number of rows in a share (0 to 1) of `rows`, rounded up. */
uint64_t sweep_verify_rows(double share, uint64_t rows);

struct sweep_verification {
    uint64_t checked;   /* points evaluated again */
    uint64_t different; /* values that were not the same */
};

/* Evaluates a share in (0, 1] of the stored rows again, one by one, and compares every stored
 * metric to the last bit. Returns STATUS_CONFLICT if any differs; `diagnostics` then name the
 * point, the metric and both values. The rows are drawn at random from the study's seed and the
 * rows in the store. Reports the number of rows done through options->progress. */
enum status sweep_verify(const struct study *study, const struct sweep_options *options,
                         double share, struct sweep_verification *result,
                         struct diagnostics *diagnostics);
