/* Which knob would bring a machine nearer to a measured profile: each alone, everything else equal.
 *
 * Cost: an evaluation for each value. At depths that share passes (DEPTH_GROUPED) those that leave
 * the stream alone share one; at others each takes as long as the machine itself. */
#pragma once

#include "explore/profiles/comparison.h"
#include "model/evaluate.h"

struct profile_step {
    const struct parameter *parameter;
    struct value value;
    double error; /* of the machine with this value (comparison_error) */
};

enum { STEPS_MOST = 8 };

struct profile_steps {
    struct profile_step best[STEPS_MOST]; /* those that bring the machine nearer, the best first;
                                           * each parameter once, with its best value */
    size_t count;
    uint64_t knobs, machines; /* tried */
};

/* What brings one counter nearest to its measured value. */
struct profile_cause {
    const struct parameter *parameter; /* NULL: no parameter */
    struct value value;
    char *workload; /* a variant of the workload (explore/profiles/variants.h), owned; NULL: none */
    double ours, distance; /* of the counter then (measured_distance); at first of the machine */
};

/* Starts the causes of all measured rows from the machine's own values; NULL: no memory. */
struct profile_cause *profile_causes_create(const struct comparison *comparison,
                                            const double *base);
void profile_causes_free(struct profile_cause *causes, size_t count); /* NULL is allowed */

/* Runs the variants of a workload, and keeps those that bring a counter nearer than a cause does.
 */
enum status profile_causes_variants(struct profile_cause *causes, const char *workload,
                                    const struct machine *machine, struct comparison *comparison,
                                    const struct evaluate_options *options,
                                    struct diagnostics *diagnostics);

/* Tries every parameter that the compared metrics depend on, with up to three values to each side
 * (axis_values_around), or all choices but limits. `base`
 * are the machine's own values (comparison_run). Of `options`
 * uses depth, cancel and progress. `causes` (may be NULL) learn of each value. */
enum status profile_steps(const struct machine *machine, const struct trace_source *source,
                          struct comparison *comparison, const double *base,
                          const struct evaluate_options *options, struct profile_steps *steps,
                          struct profile_cause *causes, struct diagnostics *diagnostics);
