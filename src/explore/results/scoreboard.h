/* The best points and the fronts of a growing set of results, for progress reports and summaries.
 * There is one front per workload, and one list of the best points per workload and objective.
 *
 * Invariant: the state depends only on the set of points offered, not on their order (but for the
 * last digits of geometric means). Memory is proportional to the fronts; over several workloads it
 * takes 16 bytes for each machine besides. */
#pragma once

#include "explore/space/space.h"

struct scoreboard;

/* The space must outlive the board. Fails with the diagnostics of a filter that cannot be read. */
enum status scoreboard_create(const struct space *space, struct scoreboard **board,
                              struct diagnostics *diagnostics);
void scoreboard_free(struct scoreboard *board); /* NULL is allowed */

enum { SCOREBOARD_BEST = 100 }; /* best points kept for each workload and objective */

/* Adds a new point. One that fails a filter of the study changes nothing. *kept (may be NULL) tells
 * whether the point is now in a front or among the best; a later point may displace it. */
enum status scoreboard_offer(struct scoreboard *board, uint64_t point,
                             const struct metrics *metrics, bool *kept,
                             struct diagnostics *diagnostics);

/* Sets the bits of the points that are in a front or among the best. The caller clears `kept`. */
enum status scoreboard_mark(const struct scoreboard *board, uint8_t *kept);

/* Whether a point passes the filters of the study. */
enum status scoreboard_passes(const struct scoreboard *board, uint64_t point,
                              const struct metrics *metrics, bool *passes,
                              struct diagnostics *diagnostics);

/* The number of points in the fronts of all workloads together. */
uint64_t scoreboard_front(const struct scoreboard *board);
/* The share of the objectives' box that the fronts dominate, averaged over workloads. The box
 * reaches from 0 (for what is to be large, from no end: its reciprocal counts) to a tenth beyond
 * the worst value met, so the share never falls as points are added. NaN if there is no objective,
 * or if it would take too long (explore/results/hypervolume.h). */
double scoreboard_hypervolume(struct scoreboard *board);
/* The point with the best first objective; UINT64_MAX if there is none. Over several workloads it
 * is the point on the first one of the machine with the best geometric mean, among those that pass
 * the filters on all; there is none if a value is not above 0, or in spaces of more than 2^24
 * machines. */
uint64_t scoreboard_best(const struct scoreboard *board, double *value);
