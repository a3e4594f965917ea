/* Estimates of the depth `timing` from parts of the grid.
 *
 * A part is a run of consecutive blocks of one launch: four waves (what all SMs hold at once) to
 * fill the machine and for its warps to drift apart, and four that are counted. The counts between
 * the moments when the first and the last block of a counted wave are given to SMs are those of a
 * machine that is full, without the beginning and the end of a launch. Each sampled launch has a
 * part at its start and others spread over its grid. Its counts are those of the first part, plus
 * those of a full machine for all instructions that the first part lacks; how many these are
 * follows from the instructions of a block in all parts. A launch that parts would save less than
 * half of is run whole. Of many launches some are drawn, with probabilities proportional to the
 * work expected of them (model/gpu/extent.h).
 *
 * The error has two parts: a jackknife over the launches drawn, or over the counted waves if no
 * launch is left out; and twice the difference between the earlier and the later counted waves,
 * because caches that are still filling and warps that still drift apart show in it. Write-backs of
 * an L2 that the parts do not fill have no estimate.
 *
 * Cost: a timed run of the parts, one after another. */
#pragma once

#include "model/evaluate_options.h"

/* A launch of fewer waves is run whole: one part would be more than half of it. */
enum { TIMING_WAVES_LEAST = 16 };

bool timing_samples(const struct machine *machine, const struct trace_source *source, double share);
enum status timing_sample(const struct machine *machine, const struct trace_source *source,
                          double share, const struct evaluate_options *options,
                          struct metrics *metrics, struct metrics *error, bool *exact,
                          struct diagnostics *diagnostics);
