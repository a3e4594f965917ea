/* What a metric of the machine alone (an area, bits) is at every legal point of a study, run or
 * not.
 *
 * Invariant: the values are those that a run stores, to the last bit (test_machine_values).
 * Cost: a census of the space; an area for each combination of the values that change areas, when
 * it is met first; and a look-up per point. */
#pragma once

#include "explore/store/store.h"

/* The most points that are gone through, and the most areas. */
#define MACHINE_VALUES_POINTS ((uint64_t)1 << 22)
#define MACHINE_VALUES_AREAS  ((uint64_t)1 << 22)

struct machine_values;

/* Returns STATUS_UNSUPPORTED if the metric takes a run, or there are too many points. */
enum status machine_values_open(const struct space *space, const struct metric *metric,
                                struct machine_values **values);
void machine_values_close(struct machine_values *values); /* NULL is allowed */

/* Calls `row` for every legal point, in order, with the metric as its one value. */
enum status machine_values_each(struct machine_values *values, row_function row, void *argument);
