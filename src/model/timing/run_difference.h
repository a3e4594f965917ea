/* Where two runs at the timing depth part, of kernels or of scenes on tile caches: the first event
 * that differs, when each part of the machine follows, and what the cycles of each run were.
 *
 * Both runs go on side by side, and each part's events (base/timing_events.h) of the one are held
 * against those of the other in their order, cycle and address included, until the first pair that
 * differs. So runs of machines with other parameters are compared by what happens, not by what they
 * are. Invariant: no event of either run is earlier than the first difference and differs.
 *
 * Cost: both runs, each watched; memory for the events of a few thousand cycles. */
#pragma once

#include "model/cache/pc_table.h"
#include "model/tile/subsystem.h"
#include "model/timing/base/timing_events.h"
#include "model/timing/base/timing_log.h"
#include "model/timing/gpu.h"

enum { RUN_A, RUN_B, RUNS_COMPARED };

struct compared_run {
    const struct machine *machine;
    const struct trace_source *source;
};

/* The first events in which an SM's core, an L1D, a slice, a channel or a bank of a tile cache
 * differs. */
struct place_difference {
    enum event_part part;
    uint32_t place;
    bool parted;
    uint64_t cycle;          /* of the earlier event */
    bool has[RUNS_COMPARED]; /* false: this run has no such event */
    struct timing_event events[RUNS_COMPARED];
};

struct run_outcome {          /* of one of the runs */
    struct gpu_counts counts; /* of a scene the cycles alone */
    double time;              /* seconds */
    struct tile_counts tiles; /* of a scene */
    uint64_t events;
    uint64_t *launches; /* cycles of each; of a scene those of each pass */
    struct timing_warps warps;
    struct pc_table pcs;
};

struct run_difference {
    bool equal; /* no event differs, and no count of the SMs, or of a scene's run */
    struct place_difference *places; /* [place_count], those that differ first, by cycle */
    size_t place_count, parted;
    struct run_outcome runs[RUNS_COMPARED];
};

/* `evaluate` says how many threads each run has, and how both are stopped and report; it may not be
 * NULL. What fails is what gpu_run or tile_run_open says, and STATUS_UNSUPPORTED: one is a scene
 * and the other one is not. */
enum status run_difference_find(const struct compared_run runs[RUNS_COMPARED],
                                const struct evaluate_options *evaluate,
                                struct run_difference *difference, struct diagnostics *diagnostics);
void run_difference_free(struct run_difference *difference);
