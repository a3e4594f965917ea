/* One background thread for work that must not block the keyboard: reading a store, counting a
 * stream. It holds at most one waiting job. A new job replaces the waiting one and cancels the
 * running one, so that after a burst of edits only the newest question is answered.
 *
 * Invariant: a job is owned by the worker until worker_take returns it; jobs that were replaced or
 * cancelled are freed by the worker. The thread blocks all signals. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

struct worker;

/* What a job does. `run` should look at *cancel often. After worker_take the caller owns
 * `argument`, which holds the result. */
struct job {
    void (*run)(void *argument, const atomic_bool *cancel);
    void (*free)(void *argument);
    void *argument;
};

enum status worker_create(struct worker **worker);
void worker_free(struct worker *worker);    /* cancels and joins; NULL is allowed */
int worker_fd(const struct worker *worker); /* readable when a job has finished */
/* Replaces the waiting job and cancels the running one. */
void worker_start(struct worker *worker, struct job job);
/* Takes a finished job; the caller frees its argument. False: there is none. */
bool worker_take(struct worker *worker, struct job *job);
