/* Inside of explore/sweep/sweep.h: what simulations cost here, from short measurements. */
#pragma once

#include "explore/plan/sweep_setup.h"
#include "explore/sweep/sweep.h"

#define PROBE_SECONDS 0.15 /* the longest measurement of one kind */

/* Runs the head of a pass over machines (as simulate), for about `most` seconds, and returns the
 * seconds that the whole would take, or 0. Its cache, progress and cancel are passed over. */
double cost_of_pass(const struct simulation *simulation, const struct machine *machines,
                    size_t count, double most, const atomic_bool *cancel);

struct cost_meter; /* measures no longer than a few seconds in all */

struct cost_meter *cost_meter_create(const struct sweep_setup *setup, const struct plan *plan,
                                     const atomic_bool *cancel); /* NULL: no memory */
void cost_meter_free(struct cost_meter *meter);

/* The costs of a task's part on its workload: measured, or where the time is up, what others of
 * that part took for a stream of this length. */
struct stage_costs cost_meter_measure(struct cost_meter *meter, const struct task *task);
