/* Running a study: plan, passes on all cores, results into the store. */
#pragma once

#include <stdatomic.h>

#include "explore/store.h"

struct sweep_progress {
    uint64_t points; /* to have in the end; of an evolving search: at most */
    uint64_t done;   /* of these, resumed ones included */
    uint64_t resumed;
    double seconds;     /* since the start of this run */
    double rate;        /* points a second, over the last seconds */
    double eta;         /* seconds; NaN = not known yet */
    uint64_t pruned;    /* points left out because a bound keeps them out of the front */
    uint64_t front;     /* points in the front so far */
    double hypervolume; /* share of the objectives' box that the front dominates; NaN = not known */
    uint64_t best;      /* point with the best first objective; UINT64_MAX = none */
    double best_value;
};

struct sweep_options {
    const char *store;         /* path */
    int threads;               /* 0: all */
    const atomic_bool *cancel; /* may be NULL */
    /* Called a few times a second by one thread at a time; may be NULL. */
    void (*progress)(void *argument, const struct sweep_progress *progress);
    void *argument;
};

/* Runs or resumes with the study's search. STATUS_CANCELLED after a clean stop: everything finished
 * so far is committed. The rows are the same for every number of threads, and after any stop, kill
 * and resume. A store may hold points of other searches of the study: they are used where they are
 * asked for. Notes (why a search ended, what could not be pruned) are diagnostics without an error.
 */
enum status sweep_run(const struct study *study, const struct sweep_options *options,
                      struct sweep_progress *result, struct diagnostics *diagnostics);

/* Points that a study may have without choosing a search. */
#define EXHAUSTIVE_POINTS ((uint64_t)10000000)

/* What a run would do. */
struct sweep_plan {
    struct census census;     /* empty for a space too large for one */
    uint64_t machines;        /* of the space, legal or not */
    uint64_t points, missing; /* of an evolving search: at most */
    uint64_t stages[5]; /* distinct settings of STREAM, L1D, L2, TLB, PWC still to simulate, summed
                         * over workloads; only of the exhaustive search */
    uint64_t passes;
    double seconds; /* predicted, from a short measurement on this machine; of other searches an
                     * upper limit: points that share simulations are not known before */
};
/* Looks into the store where there is one; measures for at most a few seconds. The study must
 * outlive the plan (the census names its conditions). */
enum status sweep_plan(const struct study *study, const struct sweep_options *options,
                       struct sweep_plan *plan, struct diagnostics *diagnostics);
void sweep_plan_free(struct sweep_plan *plan);
