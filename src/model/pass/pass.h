/* One walk over a source for many machines, with a warm-up: what evaluate and sampling are made of.
 */
#pragma once

#include "model/evaluate_options.h"

/* As evaluate_many. Counting starts when `warmup_blocks` blocks have ended (0: at once); *counted
 * is the share of all requests that was counted. */
enum status pass_run(const struct machine *const *machines, size_t count,
                     const struct trace_source *source, const struct evaluate_options *options,
                     uint64_t warmup_blocks, struct metrics *metrics, double *counted,
                     struct diagnostics *diagnostics);
