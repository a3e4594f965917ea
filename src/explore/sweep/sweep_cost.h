/* Internal to explore/sweep/sweep.h: what simulations cost on this machine, from short
 * measurements. A measurement runs the head of a pass for at most PROBE_SECONDS and scales the time
 * up by the share of the source that it covered. */
#pragma once

#include "explore/plan/sweep_setup.h"
#include "explore/sweep/sweep.h"

#define PROBE_SECONDS 0.15 /* limit of one measurement */

/* Runs the head of a pass over `machines` (see simulate) for about `most` seconds and returns the
 * seconds that the whole pass would take, or 0 if it could not be measured. Ignores the cache,
 * progress and cancel of `simulation`. */
double cost_of_pass(const struct simulation *simulation, const struct machine *machines,
                    size_t count, double most, const atomic_bool *cancel);

struct cost_meter; /* stops measuring after a few seconds in all */

struct cost_meter *cost_meter_create(const struct sweep_setup *setup, const struct plan *plan,
                                     const atomic_bool *cancel); /* NULL if out of memory */
void cost_meter_free(struct cost_meter *meter);

/* The costs of a task's part on its workload. Measures them if there is time left; otherwise scales
 * what the same part took on another workload by the lengths of the streams. Threads may measure
 * side by side, each another workload. */
struct stage_costs cost_meter_measure(struct cost_meter *meter, const struct task *task);
