/* Estimates of the functional depth from windows of blocks; and what all depths' estimates share.
 * sample.c says how. */
#pragma once

#include "model/evaluate_options.h"

/* As evaluate_sampled, for a machine that machine_apply_kind has been applied to. */
enum status functional_sample(const struct machine *machine, const struct trace_source *source,
                              double share, const struct evaluate_options *options,
                              struct metrics *metrics, struct metrics *error, bool *exact,
                              struct diagnostics *diagnostics);

/* The half width of a 95 % interval, as a multiple of the jackknife's standard error, from `count`
 * samples: Student's t by Cornish-Fisher expansion, within 1 % from 4 samples on. */
double sample_quantile(double count);

/* The least error of a sampled metric, as a share of it: a dozen samples miss rare events, such as
 * the first and last rows of a grid. */
#define SAMPLE_ERROR_FLOOR 0.005
