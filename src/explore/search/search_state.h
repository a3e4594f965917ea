/* Inside of explore/search/search.h: what the searches share. */
#pragma once

#include "explore/plan/sweep_setup.h"
#include "explore/results/scoreboard.h"
#include "explore/search/search_evaluator.h"
#include "explore/space/legality.h"
#include "explore/space/point_table.h"

struct search_state {
    const struct study *study;
    const struct sweep_options *options;
    struct sweep_setup setup;
    struct legality *legality;
    struct evaluator *evaluator;
    struct store *store;
    struct scoreboard *board;
    struct point_table known; /* points of the store */
    double *values;           /* their columns */
    bool *asked;              /* by this search */
    size_t value_capacity, asked_capacity;
    struct sweep_progress progress;
    uint64_t batch_from, batch_points; /* of the batch that runs: points before it, and its own */
    double batch_share;                /* of its simulations that are done */
    double start, last_report, last_commit;
    double begin;     /* of the whole run, for its limits */
    atomic_bool stop; /* cancelled from outside, or a limit is reached */
    struct diagnostics *diagnostics;
};

/* Makes sure that the store has all these points: what it has is taken, the others are evaluated.
 * Legal points; repetitions are allowed. */
enum status search_ask(struct search_state *state, const uint64_t *points, size_t count);

/* The objectives of a point that was asked for, as costs (less is better). False where one is NaN
 * or a filter of the study fails: such a point is in no front. */
enum status search_costs(struct search_state *state, uint64_t point, double *costs, bool *eligible);

/* Looks at the limits and calls the progress function if the last call is long ago. `batch` may be
 * NULL. */
void search_tick(struct search_state *state, const struct evaluator_progress *batch);
/* Whether the caller asked to stop, or a limit is reached. */
bool search_cancelled(struct search_state *state);

/* One function a method; diagnostics go to state->diagnostics. */
enum status search_sample(struct search_state *state); /* random and Latin hypercube */
enum status search_nsga2(struct search_state *state);
enum status search_halving(struct search_state *state);
enum status search_pruned(struct search_state *state);
