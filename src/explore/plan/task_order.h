/* The order in which a sweep takes the tasks of its plan.
 *
 * A sweep that is stopped early should leave a picture of the whole space instead of one corner of
 * it, and its threads should end together. So the driver's tasks come in this order:
 *
 *   1. those that are remembered, which cost nothing;
 *   2. a first round: each shows a workload or a value of an axis that no task before it showed, so
 *      after at most as many tasks as there are such values every value has been visited;
 *   3. the others, in random order;
 *   4. the lightest, from the heaviest to the lightest: as much work as keeps the other threads
 *      busy while one still works on the heaviest task that came before.
 *
 * Tasks so heavy that the fourth group cannot make up for one of them lead the second and the
 * third. The tasks of the other part come before all of these, the heaviest first, for no point can
 * be composed without them. The order depends on the plan, the study's seed and the number of
 * threads alone. */
#pragma once

#include "explore/plan/planner.h"

/* Orders plan->tasks. Takes time in proportion to the tasks and, until every value has been seen,
 * to their settings. */
enum status task_order(struct plan *plan, int threads);
