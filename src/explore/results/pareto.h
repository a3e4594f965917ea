/* Pareto fronts: the points that no other point dominates. A point dominates another if it is at
 * least as good in every objective and better in one.
 *
 * Invariant: the front depends only on the set of points offered, not on their order. Memory is
 * proportional to the front. */
#pragma once

#include "schema/study.h"

struct pareto;

/* A front over `count` objectives (at least 1). */
enum status pareto_create(const struct objective *objectives, size_t count, struct pareto **front);
void pareto_free(struct pareto *front); /* NULL is allowed */

/* Offers a point; values[i] belongs to objective i. A point with a NaN never enters. Among points
 * with equal values the one with the lowest id stays. With two objectives an offer costs O(log n),
 * plus a memory move if the point enters; with more it scans the front up to the first point that
 * dominates the new one. *entered may be NULL. */
enum status pareto_offer(struct pareto *front, uint64_t id, const double *values, bool *entered);

/* Whether a point with these costs (less is better) or any higher ones could not enter the front:
 * some point in it is at least as good in every objective, and either better in one or of a lower
 * id. */
bool pareto_covers(const struct pareto *front, uint64_t id, const double *costs);

/* The costs of the front's points, in no particular order: one row per point, objectives turned so
 * that less is better. Valid until the next offer. */
const double *pareto_costs(const struct pareto *front);

size_t pareto_count(const struct pareto *front);
/* The ids of the front in ascending order. The caller frees them. */
enum status pareto_ids(const struct pareto *front, uint64_t **ids);
