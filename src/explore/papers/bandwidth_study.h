/* What real GPUs deliver, as published micro-benchmarks have it, beside our machines: an L1D to its
 * SM, the L2 and the DRAM to all of them. Ours is what rates_machine finds at depth timing.
 *
 * Invariant: this module computes our numbers only; where a machine was set from one of these rows
 * (h200, gh200 and h100-pcie have their DRAM from them), its file says so. Cost: one probe for each
 * machine, seconds to minutes. */
#pragma once

#include <stddef.h>

#include "model/evaluate.h"

/* X(ID, name, unit) */
#define BANDWIDTH_LIST(X)                                                                          \
    X(L1, "L1", "B/cycle")                                                                         \
    X(L2, "L2", "GB/s")                                                                            \
    X(DRAM, "DRAM", "GB/s")

enum bandwidth_level {
#define BANDWIDTH_ENUM(id, ...) BANDWIDTH_##id,
    BANDWIDTH_LIST(BANDWIDTH_ENUM) BANDWIDTH_LEVELS
#undef BANDWIDTH_ENUM
};

struct bandwidth_row {
    const char *gpu;     /* as the source names it */
    const char *machine; /* ours; rows of one machine stand together */
    enum bandwidth_level level;
    double measured; /* bytes a cycle of one SM, or GB/s of all */
    const char *source;
};

extern const struct bandwidth_row bandwidth_rows[]; /* ended by a row without a GPU */

struct bandwidth_result {
    const struct bandwidth_row *row;
    double ours; /* in the unit of its level; NaN: refused, or there is no such level */
};

struct bandwidth_study {
    struct bandwidth_result *results;
    size_t count;
};

/* Chooses the rows whose GPU, machine, level and source contain every word of `only` (NULL: all).
 * STATUS_NOT_FOUND if none is left. */
enum status bandwidth_study_init(struct bandwidth_study *study, const char *only,
                                 struct diagnostics *diagnostics);
void bandwidth_study_free(struct bandwidth_study *study);

const char *bandwidth_name(enum bandwidth_level level);
const char *bandwidth_unit(enum bandwidth_level level);

/* Of `options` uses progress and cancel. */
enum status bandwidth_study_run(struct bandwidth_study *study, int threads,
                                const struct evaluate_options *options);
