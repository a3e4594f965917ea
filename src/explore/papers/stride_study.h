/* Cycles of a load over the distance of its lanes, on real GPUs and on our machines
 * (row_study.h): the loads of one block that its L1 holds, at depth timing. Strides of a
 * power of two show the banks, odd ones the tags, and stride 1 what leaves the L1 in a cycle.
 *
 * Invariant: nothing is fitted to these rows. Cost: two runs of one block a row. */
#pragma once

#include "explore/papers/row_study.h"

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
