/* Cycles of a load over the distance of its lanes, on real GPUs and on our machines: the loads of
 * one block that its L1 holds, at depth timing. Strides of a power of two show the banks, odd ones
 * the tags, and stride 1 what leaves the L1 in a cycle.
 *
 * Invariant: nothing is fitted to these rows. Cost: two runs of one block a row. */
#pragma once

#include <stddef.h>

#include "model/evaluate.h"

enum { STRIDES_MAX = 65 };

struct stride_row {
    const char *gpu;     /* as the source names it */
    const char *machine; /* ours */
    unsigned bytes;      /* of an element */
    unsigned count;      /* of strides, from 0 elements on */
    const char *source;
    double measured[STRIDES_MAX]; /* cycles of a load of one warp */
};

extern const struct stride_row stride_rows[]; /* ended by a row without a GPU */

struct stride_result {
    const struct stride_row *row;
    unsigned stride;
    double ours; /* cycles; NaN: refused */
};

struct stride_study {
    struct stride_result *results;
    size_t count;
};

/* Chooses the rows whose GPU, machine, type ("float", "double") and source contain every word of
 * `only` (NULL: all). STATUS_NOT_FOUND if none is left. */
enum status stride_study_init(struct stride_study *study, const char *only,
                              struct diagnostics *diagnostics);
void stride_study_free(struct stride_study *study);

/* "float" or "double". */
const char *stride_type(const struct stride_row *row);

/* Of `options` uses progress and cancel. */
enum status stride_study_run(struct stride_study *study, int threads,
                             const struct evaluate_options *options);
