/* Internal to explore/search/search.h: the state that the search methods share, and what they may
 * ask of it. search.c opens the workloads, the store and the evaluator, runs one method and reports
 * progress; a method only decides which points to ask for. */
#pragma once

#include "base/key_table.h"
#include "explore/plan/sweep_limits.h"
#include "explore/plan/sweep_setup.h"
#include "explore/results/coverage.h"
#include "explore/results/scoreboard.h"
#include "explore/search/search_evaluator.h"
#include "explore/space/legality.h"

struct search_state {
    const struct study *study;
    const struct sweep_options *options;
    struct sweep_setup setup;
    struct legality *legality;
    struct evaluator *evaluator;
    struct store *store;
    struct scoreboard *board;
    struct coverage coverage;
    struct key_table known; /* points in the store */
    double *values;         /* by their number: the columns */
    bool *asked;            /* by their number: this search has asked for the point */
    size_t value_capacity, asked_capacity;
    struct sweep_guard guard;
    uint64_t batch_from, batch_points; /* points done before the running batch; points in it */
    double batch_share;                /* of its simulations that is done */
    double extra, extra_done; /* work that makes no points, in points; what of it is done */
    double last_commit;
    struct diagnostics *diagnostics;
};

/* Makes sure that the store has all these points: evaluates those that it does not have yet. They
 * must be legal; repetitions are allowed. */
enum status search_ask(struct search_state *state, const uint64_t *points, size_t count);

/* The objectives of a point that was asked for, as costs (less is better). *eligible becomes false
 * if one is NaN or a filter of the study fails: such a point is in no front. */
enum status search_costs(struct search_state *state, uint64_t point, double *costs, bool *eligible);

/* Checks the limits, and calls the progress function if a report is due. `batch` (may be NULL) is
 * the progress of the running batch. */
void search_tick(struct search_state *state, const struct runner_progress *batch);
/* Whether the run is to stop, because its caller asked or it reached a limit. */
bool search_cancelled(struct search_state *state);

/* One function for each method. They add their notes to state->diagnostics. */
enum status search_sample(struct search_state *state); /* random and Latin hypercube */
enum status search_nsga2(struct search_state *state);
enum status search_walk(struct search_state *state);
enum status search_halving(struct search_state *state);
enum status search_pruned(struct search_state *state);
