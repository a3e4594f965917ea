/* The order in which a sweep takes the tasks of its plan, so that a sweep that is stopped early
 * shows the whole space rather than one corner of it, and its threads end together.
 *
 * Within each part, remembered tasks come first: they cost nothing. The order of the others, and of
 * the remembered ones among themselves, is that of explore/plan/balance.h over the values of all
 * axes. So at any stop the values of an axis have equal shares of their points, as far as the
 * tasks' size allows; a resumed sweep makes up for what the earlier run left out. Workloads take
 * turns, and each takes the same machines first, so that machines can be compared over all of them.
 *
 * The tasks of the parts alternate, so that the first points can be composed after one task of
 * each; after a twentieth of the driver's work all tasks of the other parts have started.
 *
 * Two exceptions keep threads busy. Half as many tasks as there are threads lead if nothing could
 * cover their end. At the end go, from heavy to light, the lightest of the late tasks, as much work
 * as the other threads need while one finishes the heaviest. The order depends only on the plan,
 * the study's seed and the number of threads. */
#pragma once

#include "explore/plan/planner.h"

/* Orders plan->tasks. Takes time proportional to the members of all settings, and that of
 * explore/plan/balance.h. Fails only with STATUS_MEMORY. */
enum status task_order(struct plan *plan, int threads);

/* Cells of a part: one for each value of each axis that it depends on, and one for all of them. */
struct balance;
size_t task_cells(const struct part *part);
/* Adds what a setting of the part fills to the next item: its machines. */
void task_fill_setting(struct balance *balance, const struct part *part, uint32_t setting);
