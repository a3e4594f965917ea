/* Limits and reports of a run, for sweeps and searches alike: whether it must stop early (because
 * of its caller, the time limit or the memory limit) and whether a progress report is due.
 *
 * Invariants: the first reason to stop is the one kept. The limits are checked at most four times a
 * second. The caller serialises all calls. */
#pragma once

#include "explore/plan/sweep_options.h"
#include "explore/results/coverage.h"
#include "explore/results/scoreboard.h"
#include "explore/store/store.h"

/* The least time between two commits that are slow. A durable commit waits for the disk, and a
 * summary's commit writes its tables, so neither may follow every small simulation. */
#define SLOW_COMMIT_SECONDS 2.0

struct sweep_guard {
    const struct sweep_options *options;
    struct sweep_progress progress;
    double begin; /* clock at the start of the run; the time limit counts from here */
    double start; /* clock at the first simulation; rate and time to go count from here */
    double last_report;
    atomic_bool stop; /* progress.stop says why */
};

void sweep_guard_begin(struct sweep_guard *guard, const struct sweep_options *options);

/* Whether the run is to stop, because its caller asked or it reached a limit. */
bool sweep_guard_stopped(struct sweep_guard *guard);

/* Whether a report is due. If it is, also checks the limits, which reads /proc. */
bool sweep_guard_due(struct sweep_guard *guard);

/* Call this while another process holds the store's lock; `seconds` is the wait so far. Reports it
 * through the progress function. Returns whether to go on waiting: a run that is to stop gives up
 * after two seconds. */
bool sweep_guard_wait(struct sweep_guard *guard, double seconds);

/* Fills in what scoreboard and coverage know and calls the progress function. The caller fills in
 * the share of the work, the rate and the time to go before. */
void sweep_guard_report(struct sweep_guard *guard, struct scoreboard *board,
                        const struct coverage *coverage);

/* Records the start and end of a run as events in the store. `what` names the search ("" for a
 * sweep of every point); `there` is how many points the store had before. */
enum status sweep_note_start(struct store *store, const char *what, int threads, uint64_t there,
                             struct diagnostics *diagnostics);
void sweep_note_end(struct store *store, const struct sweep_guard *guard, enum status status);
