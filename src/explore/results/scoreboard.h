/* The best point and the fronts of a growing set of results, for progress and summaries. */
#pragma once

#include "explore/space/space.h"

struct scoreboard;

/* The space must outlive it. Wrong filters are reported here. */
enum status scoreboard_create(const struct space *space, struct scoreboard **board,
                              struct diagnostics *diagnostics);
void scoreboard_free(struct scoreboard *board); /* NULL is allowed */

enum { SCOREBOARD_BEST = 100 }; /* best points that are kept for each workload and objective */

/* Takes a new point; one that fails a filter of the study changes nothing. The state after any set
 * of points does not depend on their order. *kept (may be NULL): it is in a front or among the best
 * now, and may be displaced later. */
enum status scoreboard_offer(struct scoreboard *board, uint64_t point,
                             const struct metrics *metrics, bool *kept,
                             struct diagnostics *diagnostics);

/* Whether a point that was kept still is: one bit a point of `kept`, which the caller clears. */
enum status scoreboard_mark(const struct scoreboard *board, uint8_t *kept);

/* Whether a point passes the filters of the study. */
enum status scoreboard_passes(const struct scoreboard *board, uint64_t point,
                              const struct metrics *metrics, bool *passes,
                              struct diagnostics *diagnostics);

/* Points in the fronts of all workloads. */
uint64_t scoreboard_front(const struct scoreboard *board);
/* The share of the objectives' box that the fronts dominate, a mean over workloads: the box reaches
 * from the best values met to a tenth of the range beyond the worst. NaN: no objective, or too
 * expensive to say (explore/results/hypervolume.h). */
double scoreboard_hypervolume(const struct scoreboard *board);
/* The point with the best first objective, UINT64_MAX = none. */
uint64_t scoreboard_best(const struct scoreboard *board, double *value);
