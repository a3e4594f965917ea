/* What a run of a study minds beside its simulations, whether it sweeps or searches: is it to end
 * before it is complete (its caller, the time, the memory), and is a report due? */
#pragma once

#include "explore/plan/sweep_options.h"
#include "explore/results/scoreboard.h"
#include "explore/store/store.h"

/* A durable commit waits for the disk and one of a summary writes its tables, so neither may come
 * after every small simulation. */
#define SLOW_COMMIT_SECONDS 2.0

struct sweep_guard {
    const struct sweep_options *options;
    struct sweep_progress progress;
    double begin; /* of the whole run, for its limits */
    double start; /* of its simulations: rate and time to go are about these */
    double last_report;
    atomic_bool stop; /* and progress.stop says why */
};

void sweep_guard_begin(struct sweep_guard *guard, const struct sweep_options *options);

/* Whether the caller asked to stop, or a limit has been seen. */
bool sweep_guard_stopped(struct sweep_guard *guard);

/* Whether it is time for a report. Only then it looks at the limits, which costs more. */
bool sweep_guard_due(struct sweep_guard *guard);

/* Another process holds the store's lock, for `seconds` so far: tells the progress function.
 * Returns whether to go on waiting: a run that is to end waits a little longer, then gives up. */
bool sweep_guard_wait(struct sweep_guard *guard, double seconds);

/* Fills in what the scoreboard knows and calls the progress function; the share of the work, the
 * rate and the time to go are the caller's to fill in before. */
void sweep_guard_report(struct sweep_guard *guard, const struct scoreboard *board);

/* The events that the store keeps of a run. `what` names the search, "" a sweep of everything;
 * `there` points were in the store before. */
enum status sweep_note_start(struct store *store, const char *what, int threads, uint64_t there,
                             struct diagnostics *diagnostics);
void sweep_note_end(struct store *store, const struct sweep_guard *guard, enum status status);
