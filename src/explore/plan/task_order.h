/* The order in which a sweep takes the tasks of its plan.
 *
 * A sweep that is stopped early should show the whole space rather than one corner of it, and its
 * threads should end together. So the driver's tasks come in this order:
 *
 *   1. remembered tasks, which cost nothing;
 *   2. a first round, in which each task shows a workload or a value of an axis that no earlier
 *     task has shown, so every value has been seen after at most as many tasks as there are values;
 *   3. the other tasks, in random order;
 *   4. the lightest tasks, from heavy to light: enough work to keep the other threads busy while
 *     one thread finishes the heaviest task before them.
 *
 * Tasks too heavy for the fourth group to cover lead the second and the third. The tasks of the
 * other parts come before all of these, heaviest first, because no point can be composed without
 * them. The order depends only on the plan, the study's seed and the number of threads. */
#pragma once

#include "explore/plan/planner.h"

/* Orders plan->tasks. Takes O(n log n) time for n tasks, plus time proportional to the driver's
 * combinations until every value has been seen. Fails only with STATUS_MEMORY. */
enum status task_order(struct plan *plan, int threads);
