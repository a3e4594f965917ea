/* How long a load takes on real GPUs, and on our machines: pointer chases that others published
 * beside the same chase at depth timing (row_study.h). A ring says which level answers: one
 * that an L1 holds, one that only an L2 holds, one that no cache holds; rings between give the
 * curve of working sets.
 *
 * Invariant: latencies of a machine are figures of its file, set from these or other published
 * chases (each file says which); nothing here is fitted. Cost: two chases a row. */
#pragma once

#include "explore/papers/row_study.h"

struct latency_row {
    const char *gpu;     /* as the source names it */
    const char *machine; /* ours */
    const char *level;   /* "L1", "L2", "DRAM"; "curve": a point of a curve of working sets */
    uint64_t bytes;      /* of the ring */
    double measured;     /* cycles of a load */
    const char *source;
};

extern const struct latency_row latency_rows[]; /* ended by a row without a GPU */

/* Cycles of a load in a ring of words 128 B apart, each met far from the one before it. A ring that
 * is much larger than the L2 is not gone around: no load finds its line. */
enum status latency_chase(const struct machine *machine, uint64_t bytes,
                          const struct evaluate_options *options, double *cycles);
