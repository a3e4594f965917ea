/* The searches that do not simply run every point (schema/search_methods.h). Each asks for points
 * batch by batch.
 *
 * Invariant: the points that a search asks for depend only on the study, its seed and the values of
 * earlier points; threads and timing have no influence. So a resumed search replays its decisions,
 * takes the points that are already in the store from there, and goes on where it was stopped. */
#pragma once

#include "base/diag.h"
#include "explore/plan/sweep_options.h"
#include "schema/study.h"

/* Like sweep_run, for a study whose search is not the plain exhaustive one. */
enum status search_run(const struct study *study, const struct sweep_options *options,
                       struct sweep_progress *result, struct diagnostics *diagnostics);

/* Checks that the study and options fit its search: STATUS_UNSUPPORTED for shards and summaries,
 * which need every point, and for halving at a depth that cannot be sampled. */
enum status search_check(const struct study *study, const struct sweep_options *options,
                         struct diagnostics *diagnostics);

/* The most points that the search of a study asks for. `legal` is the number of legal points,
 * UINT64_MAX if unknown. */
uint64_t search_points(const struct study *study, uint64_t legal);

struct trace_source;
/* The share of a source that halving looks at first, for every point; 0 if it is too short for
 * windows. */
double search_windows_share(const struct study *study, const struct trace_source *source);
