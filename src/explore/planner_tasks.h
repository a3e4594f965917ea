/* Inside of explore/planner.h: cutting the settings of a plan into passes. */
#pragma once

#include "explore/planner.h"

/* Fills plan->order and plan->tasks. */
enum status plan_tasks(struct plan *plan, int threads, const double *sizes);
