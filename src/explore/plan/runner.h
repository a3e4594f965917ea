/* The threads of a run: they take its tasks in order and help each other with the last ones
 * (model/pass/pass_pool.h). Sweeps, searches and curves differ in what a task is; which task is
 * next, what ends the others, and how far all of them are is decided here once.
 *
 * Invariant: every task is begun at most once and in order; after the first failure, or once
 * `cancel` is set, no other task begins and those that run are told to stop. The first failure is
 * the one that is returned. One lock serves the runner and what its owner keeps for all tasks. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "model/pass/pass_pool.h"

struct runner;

/* A task as its thread sees it. The first two fields are meant for what simulates it, together with
 * runner_task_progress. */
struct runner_task {
    struct pass_pool *pool;
    const atomic_bool *cancel;
    struct runner *runner;
    size_t number;
    int thread;
};

struct runner_weight {
    double work;  /* in any unit, but in the same one for all tasks */
    bool no_pass; /* nothing is simulated: not counted among the passes */
};

struct runner_progress {
    double share; /* of the work of all tasks, with what running ones have done; 0 to 1 */
    size_t passes, passes_done;
    unsigned passes_running;
};

struct runner_work {
    size_t count;
    const struct runner_weight *weights; /* one a task */
    /* Does a task, without the lock. A failure ends the run. */
    enum status (*run)(void *argument, struct runner_task *task, struct diagnostics *diagnostics);
    /* With the lock held: about ten times a second for each thread, and after each task; NULL:
     * nobody wants to know. It may set what `cancel` points to. */
    void (*tick)(void *argument, const struct runner_progress *progress);
    void *argument;
    const atomic_bool *cancel; /* may be NULL */
};

struct runner *runner_create(int threads); /* NULL: no memory */
void runner_free(struct runner *runner);   /* NULL is allowed */

/* Returns when no task is running. STATUS_CANCELLED: `cancel` was seen before anything failed and
 * before all tasks had ended.
 * `diagnostics` get those of the first failure only. Can be called again. */
enum status runner_run(struct runner *runner, const struct runner_work *work,
                       struct diagnostics *diagnostics);

/* ---- for tasks that run ---- */

void runner_lock(struct runner *runner);
void runner_unlock(struct runner *runner);

/* Tells how much of a task is done; `task` is a struct runner_task. Without the lock. */
void runner_task_progress(void *task, double share);

/* Helps other tasks until done(argument) is true, or the run is to stop. Returns false then. */
bool runner_await(const struct runner_task *task, bool (*done)(const void *argument),
                  const void *argument);
/* Makes those who wait look again. */
void runner_wake(const struct runner_task *task);
