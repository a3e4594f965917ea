/* Estimates of the depth `timing` from parts of the grid.
 *
 * A part is a run of consecutive blocks of one launch: one wave (what all SMs hold at once) to fill
 * the machine, and two that are counted. The counts between the moments when the first and the last
 * block of a counted wave are given to SMs are those of a machine that is full, without the
 * beginning and the end of a launch. Each sampled launch has a part at its start and others spread
 * over its grid; its counts are those of the first part, plus those of a full machine for every
 * block that the first part lacks. A launch that parts would save less than half of is run whole.
 * Of many launches some are drawn, with probabilities proportional to the work expected of them
 * (model/gpu/extent.h).
 *
 * The error is a jackknife over the launches drawn, or over the counted waves if no launch is left
 * out. It does not know that a part finds caches emptier than the whole run would leave them. So it
 * is honest for streams, and too small for programs that live on a full L2.
 *
 * Cost: a timed run of the parts, one after another. */
#pragma once

#include "model/evaluate_options.h"

bool timing_samples(const struct machine *machine, const struct trace_source *source, double share);
enum status timing_sample(const struct machine *machine, const struct trace_source *source,
                          double share, const struct evaluate_options *options,
                          struct metrics *metrics, struct metrics *error, bool *exact,
                          struct diagnostics *diagnostics);
