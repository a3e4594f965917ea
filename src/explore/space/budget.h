/* Machines at equal cost: the budgets of a study (`equal`), solved.
 *
 * "Each organization in at most 5280 bits" is a parameter that follows from the others. It is
 * worked out once for each combination of the axes that bear on the metric, and written back as
 * what everything else knows already: an axis of all solutions, and conditions that pair each with
 * its combination. So planner, searches, store and reports need no word of it, and a store says
 * which values were taken. */
#pragma once

#include "base/diag.h"
#include "schema/study.h"

/* Replaces the budgets by axes and `where` conditions; studies without budgets stay as they are.
 * Among the values that the parameter steps through, the largest is taken whose machine is legal
 * and whose metric is not over the limit; the metric must not fall as the parameter grows, which
 * bits never do. Combinations without such a value are left out of the space. */
enum status budgets_solve(struct study *study, struct diagnostics *diagnostics);
