/* One parameter, all else equal: its legal values, and every metric at each of them. */
#pragma once

#include "model/evaluate.h"
#include "schema/parameters.h"

/* The values in [low, high] that the machine can take without breaking a rule, ascending: the steps
 * of the parameter and the machine's own value. Where there are more than `max`, powers of two
 * stand for the steps; of those the lowest `max`. Returns how many. */
size_t curve_values(const struct machine *machine, const struct parameter *parameter, double low,
                    double high, struct value *values, size_t max);

/* metrics[i] of the machine with values[i]. On `threads` threads (0: all), each one pass for its
 * share of the values. options->progress is called by one thread at a time. */
enum status curve_run(const struct machine *machine, const struct parameter *parameter,
                      const struct value *values, size_t count, const struct trace_source *source,
                      const struct evaluate_options *options, int threads, struct metrics *metrics,
                      struct diagnostics *diagnostics);
