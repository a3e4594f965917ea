/* Estimates of the functional depth from windows of blocks; sample.c says how. And, for both depths
 * that are sampled, why a source was not. */
#pragma once

#include "model/evaluate_options.h"

/* As evaluate_sampled, for a machine that machine_apply_kind has been applied to. */
enum status functional_sample(const struct machine *machine, const struct trace_source *source,
                              double share, const struct evaluate_options *options,
                              struct metrics *metrics, struct metrics *error, bool *exact,
                              struct diagnostics *diagnostics);

/* Why evaluate_sampled ran all of the source (it set *exact), for the reader of its numbers. */
enum { SAMPLE_WHOLE_TEXT = 120 };
void sample_whole_note(const struct machine *machine, const struct trace_source *source,
                       enum depth depth, char text[SAMPLE_WHOLE_TEXT]);
