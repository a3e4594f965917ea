/* Properties that every sweep must have, at any depth: each row equals the evaluation of its
 * machine alone, and neither the number of threads nor an interruption changes any row. */
#pragma once

#include <stdatomic.h>

#include "explore/sweep/sweep.h"
#include "model/evaluate.h"

/* Sweeps a study of one workload into `path` on two threads, and checks that every row is bit by
 * bit what evaluate computes for that machine alone. Removes the store. */
void check_rows(const struct study *study, const char *path,
                const struct evaluate_options *options);

/* Checks that sweeps on 1, 2, 5 and 8 threads make equal stores. */
void check_threads(const struct study *study);

/* Checks that the rows of two stores are equal. */
void check_equal_stores(const char *expected, const char *found);

/* Cancels a sweep when more than `after` points are done. Pass stop_after as the progress function,
 * the stopper as its argument and &stopper.cancel as `cancel`. */
struct stopper {
    atomic_bool cancel;
    uint64_t after;
};

void stop_after(void *argument, const struct sweep_progress *progress);
