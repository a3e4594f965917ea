/* What every sweep must hold, at any depth: rows are evaluations, threads and stops leave no mark.
 */
#pragma once

#include <stdatomic.h>

#include "explore/sweep/sweep.h"
#include "model/evaluate.h"

/* Sweeps a study of one workload into `path`, on two threads; every row must be what evaluate says
 * of that machine alone, to the last bit. Removes the store. */
void check_rows(const struct study *study, const char *path,
                const struct evaluate_options *options);

/* Sweeps on 1, 2, 5 and 8 threads make equal stores. */
void check_threads(const struct study *study);

/* The rows of two stores are equal. */
void check_equal_stores(const char *expected, const char *found);

/* Cancels a sweep once more than `after` points are done: a sweep's progress, with the stopper as
 * its argument and &stopper.cancel as its cancel. */
struct stopper {
    atomic_bool cancel;
    uint64_t after;
};

void stop_after(void *argument, const struct sweep_progress *progress);
