/* The plan of a sweep: in a few lines, and as a table, `warpscape sweep --explain`. */
#pragma once

#include <stdio.h>

#include "explore/sweep/sweep.h"
#include "report/table.h"

/* Sizes, what removes points, simulations, prediction; on standard output. */
void sweep_plan_print(const struct study *study, const struct sweep_plan *plan, const char *store);

/* One row a workload and stage: settings, remembered, simulations, predicted seconds of one thread.
 */
enum status sweep_explain(const struct study *study, const struct sweep_plan *plan,
                          enum table_format format, FILE *out);
