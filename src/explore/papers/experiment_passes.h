/* Internal to explore/papers/experiment_runs.h: makes the runs. Variants of one depth of which the
 * same kinds of counts are asked are evaluated together. */
#pragma once

#include "explore/papers/experiment_runs.h"

/* Fills in the metrics, the counts of loads and the reasons of all runs that are asked for. */
enum status experiment_passes_make(struct experiment_runs *runs,
                                   const struct experiment_demand *demand,
                                   const struct experiment_options *options,
                                   struct diagnostics *diagnostics);
