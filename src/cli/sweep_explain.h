/* The plan of a sweep as a table: `warpscape sweep --explain`. */
#pragma once

#include <stdio.h>

#include "explore/sweep.h"
#include "report/table.h"

/* One row a workload and stage: settings, remembered, simulations, predicted seconds of one thread.
 */
enum status sweep_explain(const struct study *study, const struct sweep_plan *plan,
                          enum table_format format, FILE *out);
