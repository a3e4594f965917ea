/* Running a study: plan, passes on all cores, results into the store. */
#pragma once

#include <stdatomic.h>

#include "explore/stage_key.h"
#include "explore/store.h"

struct sweep_progress {
    uint64_t points; /* to have in the end (legal machines x workloads) */
    uint64_t done;   /* of these, resumed ones included */
    uint64_t resumed;
    double seconds; /* since the start of this run */
    double rate;    /* points a second, over the last seconds */
    double eta;     /* seconds; NaN = not known yet */
    uint64_t front; /* points in the front so far */
    uint64_t best;  /* point with the best first objective; UINT64_MAX = none */
    double best_value;
};

struct sweep_options {
    const char *store;         /* path */
    const char *cache;         /* path of the stage cache; NULL: none */
    int threads;               /* 0: all */
    const atomic_bool *cancel; /* may be NULL */
    /* Called a few times a second by one thread at a time; may be NULL. */
    void (*progress)(void *argument, const struct sweep_progress *progress);
    void *argument;
};

/* Runs or resumes. STATUS_CANCELLED after a clean stop: everything finished so far is committed.
 * The rows are the same for every number of threads, and after any stop, kill and resume. */
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

struct workload_plan {
    uint64_t missing, passes;
    double seconds; /* predicted, of one thread */
    struct stage_plan stages[STAGE_COUNT];
};

/* What a run would do. */
struct sweep_plan {
    struct census census;
    uint64_t points, missing;
    uint64_t stages[STAGE_COUNT]; /* distinct settings still to simulate, summed over workloads */
    uint64_t passes;
    double seconds; /* predicted, from a short measurement on this machine */
    int threads;
    struct workload_plan *workloads; /* one for each of the study */
    size_t workload_count;
};
/* Looks into the store where there is one; measures for at most a few seconds. The study must
 * outlive the plan (the census names its conditions). */
enum status sweep_plan(const struct study *study, const struct sweep_options *options,
                       struct sweep_plan *plan, struct diagnostics *diagnostics);
void sweep_plan_free(struct sweep_plan *plan);

struct sweep_verification {
    uint64_t checked;   /* points */
    uint64_t different; /* values */
};

/* Evaluates a random share in (0, 1] of the stored points one by one, at least one of them, and
 * compares every stored metric to the last bit. STATUS_CONFLICT where any differs; `diagnostics`
 * then name point, metric and both values. Which points is decided by the study's seed alone. */
enum status sweep_verify(const struct study *study, const struct sweep_options *options,
                         double share, struct sweep_verification *result,
                         struct diagnostics *diagnostics);
