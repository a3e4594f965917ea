/* Estimates of the functional depth from windows of blocks; sample.c says how. */
#pragma once

#include "model/evaluate_options.h"

/* As evaluate_sampled, for a machine that machine_apply_kind has been applied to. */
enum status functional_sample(const struct machine *machine, const struct trace_source *source,
                              double share, const struct evaluate_options *options,
                              struct metrics *metrics, struct metrics *error, bool *exact,
                              struct diagnostics *diagnostics);
