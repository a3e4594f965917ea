/* What real GPUs deliver, as published micro-benchmarks have it, beside our machines
 * (row_study.h): an L1D to its SM, the L2 and the DRAM to all of them. Ours is what
 * rates_machine finds at depth timing.
 *
 * Invariant: where a machine was set from one of these rows (h200, gh200 and h100-pcie have their
 * DRAM from them), its file says so. Cost: one probe for each machine, seconds to minutes. */
#pragma once

#include "explore/papers/row_study.h"

enum bandwidth_level { BANDWIDTH_L1, BANDWIDTH_L2, BANDWIDTH_DRAM, BANDWIDTH_LEVELS };

struct bandwidth_row {
    const char *gpu;     /* as the source names it */
    const char *machine; /* ours; rows of one machine stand together */
    enum bandwidth_level level;
    double measured; /* bytes a cycle of one SM, or GB/s of all */
    const char *source;
};

extern const struct bandwidth_row bandwidth_rows[]; /* ended by a row without a GPU */
