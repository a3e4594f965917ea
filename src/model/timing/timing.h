/* The depth `timing`. */
#pragma once

#include "model/evaluate_options.h"
#include "model/timing/gpu.h"

enum status timing_evaluate(const struct machine *const *machines, size_t count,
                            const struct trace_source *source,
                            const struct evaluate_options *options, struct metrics *metrics,
                            struct diagnostics *diagnostics);
/* The metrics of a run of `source`, or of what is estimated to be its counts. Without `totals`
 * their metrics are NaN. */
void timing_metrics(const struct machine *machine, const struct trace_source *source,
                    const struct gpu_counts *counts, const struct gpu_totals *totals,
                    struct metrics *metrics);
size_t timing_notes(const struct machine *machine, const char *notes[]);
/* Says that a run at `depth` will take long for what it is, because another part of the machine
 * ticks so much faster than its SMs, and how much longer; false if it does not. Scenes, which
 * machines with a tile cache draw, know one clock only. */
enum { TIMING_SLOW = 240 };
bool timing_slow(const struct machine *machine, enum depth depth, char text[TIMING_SLOW]);
