/* Budgets: machines at equal cost (the `equal` key of a study).
 *
 * "Each organization in at most 5280 bits" makes one parameter follow from others. The solver finds
 * its value once for each combination of the axes that affect the metric. It then rewrites the
 * study: the budget becomes an axis of all solutions, with `where` conditions that pair each
 * solution with its combination. So the planner, searches, store and reports need not know about
 * budgets, and a store records which values were taken. */
#pragma once

#include "base/diag.h"
#include "schema/study.h"

/* Replaces the budgets by axes and `where` conditions; leaves a study without budgets alone. From
 * the values that the parameter steps through, takes the largest whose machine is legal and whose
 * metric is within the limit. The metric must not fall as the parameter grows; bits never do.
 * Leaves out combinations for which no value fits. */
enum status budgets_solve(struct study *study, struct diagnostics *diagnostics);
