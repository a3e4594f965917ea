/* The plan of a sweep before it runs: a summary, the same as JSON (docs/FORMATS.md), and the table
 * of `warpscape sweep --explain`. Only prints the struct sweep_plan that explore/sweep/sweep.h
 * computes. */
#pragma once

#include <stdio.h>

#include "explore/sweep/sweep.h"
#include "report/drawing/table.h"

/* Prints to standard output the size of the space, before its plan is made. */
void sweep_plan_begin(const struct study *study, const struct space *space);
/* The rest: what the rules and conditions remove, number of simulations, predicted time. */
void sweep_plan_print(const struct study *study, const struct sweep_plan *plan, const char *store);

/* The same for programs: JSON as in docs/FORMATS.md; CSV and Markdown as keys and values. */
enum status sweep_plan_write(const struct study *study, const struct sweep_plan *plan,
                             const char *store, enum table_format format, FILE *out);

/* One row for each workload and stage: distinct settings, remembered ones, simulations, predicted
 * seconds on one thread. */
enum status sweep_explain(const struct study *study, const struct sweep_plan *plan,
                          enum table_format format, FILE *out);
