/* The searches that do not simply run everything (schema/search.h). Each asks for points, batch by
 * batch; which points it asks for depends on the study, the seed and the values of the points
 * before, and on nothing else. So a run that was stopped takes its finished points from the store
 * and asks for the same ones again. */
#pragma once

#include "base/diag.h"
#include "explore/plan/sweep_options.h"
#include "schema/study.h"

/* As sweep_run, for a study whose search is not the plain exhaustive one. */
enum status search_run(const struct study *study, const struct sweep_options *options,
                       struct sweep_progress *result, struct diagnostics *diagnostics);

/* What a search cannot do: shares and summaries are of every point. */
enum status search_check(const struct study *study, const struct sweep_options *options,
                         struct diagnostics *diagnostics);

/* How many points the search of a study asks for at most. `legal` is the number of legal points,
 * UINT64_MAX where nobody knows. */
uint64_t search_points(const struct study *study, uint64_t legal);
