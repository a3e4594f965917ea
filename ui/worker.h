/* One background thread for what must not stop the keyboard: reading a store, counting a stream.
 * A new job takes the place of one that waits and asks the one that runs to end. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

struct worker;

/* What a job does and leaves behind. `run` may look at *cancel. The owner of the job takes the
 * result from `argument` after worker_take; a job that was replaced is only freed. */
struct job {
    void (*run)(void *argument, const atomic_bool *cancel);
    void (*free)(void *argument);
    void *argument;
};

enum status worker_create(struct worker **worker);
void worker_free(struct worker *worker);    /* cancels and joins; NULL is allowed */
int worker_fd(const struct worker *worker); /* readable when a job has ended */
void worker_start(struct worker *worker, struct job job);
/* The job that has ended; the caller frees its argument. False: none. */
bool worker_take(struct worker *worker, struct job *job);
