/* Simulating stages on a kept stream instead of a source (model/tape.h): exactly what a pass over
 * the source would count, without the levels that made the stream. */
#pragma once

#include "model/evaluate.h"
#include "model/tape.h"

/* All stages but the stream's own, on a tape of the stream. Like the others this fills in counts;
 * what follows from them is left to metrics_derive. */
enum status replay_stream(const struct machine *machine, const struct tape *stream,
                          const struct evaluate_options *options, struct metrics *metrics,
                          struct diagnostics *diagnostics);
/* The L2 behind an L1D that was recorded. */
enum status replay_misses(const struct machine *machine, const struct tape *misses,
                          const struct evaluate_options *options, struct metrics *metrics,
                          struct diagnostics *diagnostics);
/* What stands behind a TLB that was recorded: shared TLB, walkers, page-walk cache. */
enum status replay_walks(const struct machine *machine, const struct tape *walks,
                         const struct evaluate_options *options, struct metrics *metrics);
