/* The rows of silicon_rows.h on our models: every kernel on the machine of its GPU, at every depth.
 * This module computes our numbers only; report/ compares.
 *
 * Cost: that of the simulations. What a row costs is estimated from its stream, and a depth that
 * would take longer than the effort allows is left out. */
#pragma once

#include <stdbool.h>

#include "explore/papers/silicon_rows.h"
#include "model/evaluate.h"

struct silicon_result {
    const struct silicon_row *row;
    double ours[DEPTH_COUNT][SILICON_COUNTERS]; /* NaN: not answered, left out or refused */
    bool left_out[DEPTH_COUNT];
    char *why; /* the first refusal, or NULL */
};

struct silicon_study {
    struct silicon_result *results;
    size_t count;
};

/* Chooses the rows whose GPU, kernel, workload, machine and id contain every word of `only`,
 * whatever the case (NULL: all). STATUS_NOT_FOUND if none is left. */
enum status silicon_study_init(struct silicon_study *study, const char *only,
                               struct diagnostics *diagnostics);
void silicon_study_free(struct silicon_study *study);

/* `effort` multiplies the requests that a row may have at each depth: 1 takes minutes. `depths` is
 * a mask of 1 << enum depth. Of `options` uses progress and cancel. */
enum status silicon_study_run(struct silicon_study *study, unsigned depths, double effort,
                              int threads, const struct evaluate_options *options);
