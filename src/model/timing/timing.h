/* The depth `timing`. */
#pragma once

#include "model/evaluate_options.h"

enum status timing_evaluate(const struct machine *const *machines, size_t count,
                            const struct trace_source *source,
                            const struct evaluate_options *options, struct metrics *metrics,
                            struct diagnostics *diagnostics);
size_t timing_notes(const struct machine *machine, const char *notes[]);
