/* Whether a number may be called exact, by one rule for whatever prints it: counts of a model and
 * arithmetic are, fitted models (metric_exact) are not, nor are cycles of page walks at a depth
 * without time, which rest on the assumed walker.interval (ISSUE_CLOCK). */
#pragma once

#include "schema/metrics.h"

/* Whether the metric rests on ISSUE_CLOCK at this depth. */
bool metric_assumes_clock(const struct metric *metric, enum depth depth);
/* A number from a sampled run is an estimate in any case. */
bool metric_exact_at(const struct metric *metric, enum depth depth);
