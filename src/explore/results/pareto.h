/* Pareto fronts: the points that no other point beats in every objective. */
#pragma once

#include "schema/study.h"

struct pareto;

/* A front over `count` objectives (at least 1). */
enum status pareto_create(const struct objective *objectives, size_t count, struct pareto **front);
void pareto_free(struct pareto *front); /* NULL is allowed */

/* Offers a point; values[i] belongs to objective i. A point with a NaN never enters; of points with
 * equal values the lowest id stays. The front that results does not depend on the order of the
 * offers. Two objectives cost O(log n) a point (and a move of memory where it enters), more cost a
 * walk over the front that ends at the first point that dominates. *entered may be NULL. */
enum status pareto_offer(struct pareto *front, uint64_t id, const double *values, bool *entered);

/* Whether a point with these costs (less is better), or with any that are not lower, could not
 * enter: a point of the front is at least as good everywhere, and better somewhere or of a lower
 * id. */
bool pareto_covers(const struct pareto *front, uint64_t id, const double *costs);

/* The costs of its points in no particular order: objectives turned so that less is better, one row
 * a point. Valid until the next offer. */
const double *pareto_costs(const struct pareto *front);

size_t pareto_count(const struct pareto *front);
/* The ids of the front in ascending order, malloc'ed. */
enum status pareto_ids(const struct pareto *front, uint64_t **ids);
