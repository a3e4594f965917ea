/* One parameter, all else equal: its legal values, and every metric at each of them. */
#pragma once

#include "model/evaluate.h"
#include "schema/parameters.h"

/* What changes with a parameter along its curve: where a cache has hardly a number of sets to
 * choose from (the fermi hash takes 32 or 64), its ways follow its size, or the other way round,
 * and the sets stay. NULL, most of the time: nothing does. */
const struct parameter *curve_follower(const struct machine *machine,
                                       const struct parameter *parameter);

/* Gives the machine a value of the curve, and what follows from it. */
void curve_set(struct machine *machine, const struct parameter *parameter,
               const struct parameter *follower, struct value value);

/* The values in [low, high] that the machine can take without breaking a rule, ascending: the steps
 * of the parameter and the machine's own value. Where there are more than `max`, powers of two
 * stand for the steps; of those the lowest `max`. Returns how many. `follower` may be NULL. */
size_t curve_values(const struct machine *machine, const struct parameter *parameter,
                    const struct parameter *follower, double low, double high, struct value *values,
                    size_t max);

/* metrics[i] of the machine with values[i] (curve_set). On `threads` threads (0: all), each one
 * pass for its share of the values. options->progress is called by one thread at a time. */
enum status curve_run(const struct machine *machine, const struct parameter *parameter,
                      const struct parameter *follower, const struct value *values, size_t count,
                      const struct trace_source *source, const struct evaluate_options *options,
                      int threads, struct metrics *metrics, struct diagnostics *diagnostics);
