/* Inside of explore/planner.h: cutting the settings of a plan into passes. */
#pragma once

#include "explore/planner.h"

enum { PASS_SETTINGS = 16 }; /* most of one pass */

/* Rough bytes that one pass may hold. */
#define PASS_BYTES ((uint64_t)2 << 30)

/* About what a machine needs in a pass. */
uint64_t plan_machine_bytes(const struct machine *machine, unsigned needs);
/* How many settings a pass should have, so that all threads find work. */
size_t plan_pass_length(size_t settings, int threads);

/* Fills plan->order and plan->tasks. */
enum status plan_tasks(struct plan *plan, int threads, const double *sizes);
