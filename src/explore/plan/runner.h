/* The threads of a run. They take its tasks in order and help each other with the last ones
 * (model/pass/pass_pool.h). Sweeps, searches and curves differ only in what a task does; this
 * module decides which task is next, what stops the others, and how far the run has come.
 *
 * Invariants: tasks start in order and each at most once. After the first failure, or once `cancel`
 * is set, no further task starts and the running ones are told to stop. The first failure is the
 * one returned. One lock protects the runner's state and whatever state its owner shares between
 * tasks.
 *
 * Cost: two lock operations per task, and one per progress call. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "model/pass/pass_pool.h"

struct runner;

/* A task as its thread sees it. Pass the first three fields, and runner_task_progress, on to the
 * simulation. */
struct runner_task {
    struct pass_pool *pool;
    const atomic_bool *cancel;
    int threads; /* that it may use for itself: more than one where a run has fewer passes */
    struct runner *runner;
    size_t number;
    int thread;
};

struct runner_weight {
    double work;  /* in any unit, but the same one for all tasks */
    bool no_pass; /* the task simulates nothing, so it does not count as a pass */
};

struct runner_progress {
    double share; /* of all tasks' work, including what running tasks have done; 0 to 1 */
    size_t passes, passes_done;
    unsigned passes_running;
};

struct runner_work {
    size_t count;
    const struct runner_weight *weights; /* one per task */
    /* Runs a task; called without the lock. A failure ends the run. */
    enum status (*run)(void *argument, struct runner_task *task, struct diagnostics *diagnostics);
    /* Called with the lock held, about ten times a second per thread and after each task. May be
     * NULL. It may set the flag that `cancel` points to. */
    void (*tick)(void *argument, const struct runner_progress *progress);
    void *argument;
    const atomic_bool *cancel; /* may be NULL */
};

struct runner *runner_create(int threads); /* NULL if out of memory */
void runner_free(struct runner *runner);   /* NULL is allowed */

/* Runs all tasks and returns when none is running any more. Returns STATUS_CANCELLED if `cancel`
 * was set before all tasks had ended and before anything failed. `diagnostics` receives only those
 * of the first failure. May be called again with other work. */
enum status runner_run(struct runner *runner, const struct runner_work *work,
                       struct diagnostics *diagnostics);

/* ---- for running tasks ---- */

void runner_lock(struct runner *runner);
void runner_unlock(struct runner *runner);

/* Reports the share (0 to 1) of a task that is done. `task` is a struct runner_task. Takes the
 * lock. */
void runner_task_progress(void *task, double share);
