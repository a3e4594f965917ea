/* A pass of several groups that threads share (model/pass/pass_pool.h), as those of a sweep do. */
#pragma once

#include <stdatomic.h>

#include "model/evaluate.h"
#include "model/pass/pass_pool.h"

struct shared_pass {
    const struct machine *const *machines;
    size_t count;
    const struct trace_source *source;
    const struct evaluate_options *options; /* with a pool and groups */
    struct metrics *metrics;
    atomic_bool begun; /* somebody has taken it */
    enum status status;
};

/* Evaluates it on 1 to 8 threads; fails the test where it fails. */
void shared_pass_run(struct shared_pass *pass, unsigned threads);
