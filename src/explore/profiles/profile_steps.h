/* Which knob would bring a machine nearer to a measured profile: one step of each, everything else
 * equal.
 *
 * Cost: about two evaluations for each parameter that matters; those that leave the stream alone
 * share a pass. */
#pragma once

#include "explore/profiles/comparison.h"
#include "model/evaluate.h"

struct profile_step {
    const struct parameter *parameter;
    struct value value;
    double error; /* of the machine with this value (comparison_error) */
};

/* Tries the next legal value up and down of every parameter that the compared metrics depend on,
 * and every choice but limits. Of those that bring the machine nearer than `before`, the best
 * `most` parameters come first in steps[], with their best value. Only at depths that share passes
 * (DEPTH_GROUPED): at others *count is 0. Of `options` uses depth and cancel. */
enum status profile_steps(const struct machine *machine, const struct trace_source *source,
                          struct comparison *comparison, double before,
                          const struct evaluate_options *options, struct profile_step *steps,
                          size_t most, size_t *count, struct diagnostics *diagnostics);
