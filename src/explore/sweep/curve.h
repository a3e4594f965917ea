/* Curves: one parameter over its legal values with everything else equal, and every metric at each
 * value. If the parameter changes the stream, each value costs a pass of its own; otherwise all
 * values share one pass (evaluate_many). */
#pragma once

#include "model/evaluate.h"
#include "schema/parameters.h"

/* The metric that best shows what a parameter changes: the one for the part of the stage that the
 * parameter belongs to, otherwise the headline metric of the first stage that it changes. Area
 * comes last. */
const struct metric *curve_metric(const struct parameter *parameter, enum depth depth);
/* The stages whose settings can move a metric of a machine. */
unsigned curve_stages(const struct metric *metric, const struct machine *machine, enum depth depth);
/* Whether the parameter can change the metric of this machine at all. */
bool curve_moves(const struct parameter *parameter, const struct metric *metric,
                 const struct machine *machine, enum depth depth);

/* The parameter that changes along with `parameter` on its curve, or NULL, which is the usual case.
 * If an index function allows hardly any choice of sets (the fermi hash takes 32 or 64), a cache's
 * ways follow its size, or its size the ways, so that the sets stay the same. */
const struct parameter *curve_follower(const struct machine *machine,
                                       const struct parameter *parameter);

/* Gives the machine one value of the curve, and the follower the value that results from it. */
void curve_set(struct machine *machine, const struct parameter *parameter,
               const struct parameter *follower, struct value value);

/* Steps *value down; from a parameter with a named maximum such as full ways past the many values
 * that no machine of this size can have. False: there is none above 0. */
bool curve_step_below(const struct parameter *parameter, const struct machine *machine,
                      struct value *value);

/* Lists the values in [low, high] that the machine can take without breaking a rule, in ascending
 * order: the steps of the parameter and the machine's own value. If there are more than `max`,
 * lists every second, third, ... step of a real number, else only the powers of two among the
 * steps, and of those the lowest `max`. Returns the number
 * of values. `follower` may be NULL. */
size_t curve_values(const struct machine *machine, const struct parameter *parameter,
                    const struct parameter *follower, double low, double high, struct value *values,
                    size_t max);

/* Sets metrics[i] to those of the machine with values[i] (curve_set); those of a machine that
 * cannot run the source (evaluate_check_machine) are NaN. Runs on `threads` threads (0:
 * all), which take passes or share the last ones. Calls options->progress from one thread at a
 * time. */
enum status curve_run(const struct machine *machine, const struct parameter *parameter,
                      const struct parameter *follower, const struct value *values, size_t count,
                      const struct trace_source *source, const struct evaluate_options *options,
                      int threads, struct metrics *metrics, struct diagnostics *diagnostics);
