/* Proved limits: how good a point can be at most, from points that were evaluated.
 *
 * Under LRU a cache of the same sets and more ways holds, at every moment, all lines of the one
 * with fewer (R. L. Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems
 * Journal 9(2), 1970, "stack algorithms"): so it hits wherever that one hits. It stays true where
 * stores pass by or drop their line: the larger cache then holds the smaller's lines in the same
 * order of recency and, a way, at most one more. With a multiple of the sets, equal ways and an
 * index that takes the line number modulo the sets, each set of the larger cache serves a part of
 * the lines of one set of the smaller one; there every access must move its line alike, so stores
 * must allocate.
 *
 * Preconditions, looked at machine by machine: LRU, no sectors, no lazy fetch, no store that drops
 * its line on a hit and fetches it on a miss, ways that do not depend on the launch (l1d.unified);
 * for more sets also a modulo index and stores that allocate or do not come; and the same stream in
 * front of the cache, which is that all other parameters of the stage and of those before it are
 * equal. Nothing is claimed across levels. */
#pragma once

#include "explore/space/space.h"

struct bounds;

struct bound_scope { /* what is proved to hit wherever this cache hits, on the same stream */
    bool more_ways;  /* one of equal sets and more ways */
    bool more_sets;  /* one of a multiple of the sets and equal ways */
};
struct bound_scope bounds_of_cache(const struct cache_config *cache);

/* Whether every objective of a study is exact without simulation (area) or has a proved bound. If
 * not, `why` says which has none, with the reason. */
bool bounds_apply(const struct study *study, char why[200]);

/* For a study to which they apply. */
enum status bounds_create(const struct space *space, struct bounds **bounds);
void bounds_free(struct bounds *bounds); /* NULL is allowed */

/* Takes what the objectives of an evaluated point are (as costs: less is better). */
enum status bounds_learn(struct bounds *bounds, uint64_t point, const double *costs);

/* Costs that the point cannot undercut; -INFINITY where nothing is known. */
void bounds_limit(const struct bounds *bounds, uint64_t point, double *costs);

/* The stages (of enum stage) that the objectives look at and where this machine does not meet the
 * preconditions: there only a machine of the same geometry says anything about it. */
unsigned bounds_broken(const struct bounds *bounds, const struct machine *machine);

/* A number that grows with what the machine can hold in the structures that the objectives look at,
 * less than BOUNDS_RANKS. */
enum { BOUNDS_RANKS = 192 };
unsigned bounds_rank(const struct bounds *bounds, const struct machine *machine);
