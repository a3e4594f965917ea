/* Proved bounds: the best value that a point can have, derived from points already evaluated.
 *
 * Under LRU, a cache with the same sets and more ways always holds every line of the one with fewer
 * ways, so it hits wherever the smaller one hits (R. L. Mattson et al., "Evaluation techniques for
 * storage hierarchies", IBM Systems Journal 9(2), 1970, "stack algorithms"). This remains true if
 * stores bypass the cache or drop their line: the larger cache then holds the smaller one's lines
 * in the same order of recency and at most one more per way. With a multiple of the sets, equal
 * ways and an index that takes the line number modulo the sets, each set of the larger cache serves
 * some of the lines of one set of the smaller. That proof needs every access to move its line in
 * the same way, so stores must allocate.
 *
 * Preconditions, checked for each machine: LRU; no sectors; no lazy fetch; no store that drops its
 * line on a hit but fetches it on a miss; ways that do not depend on the launch (l1d.unified). For
 * more sets also a modulo index, and stores that allocate or never reach the cache. The stream into
 * the cache must be the same, so all other parameters of its stage and of the stages before it must
 * be equal. No bound is claimed across levels.
 *
 * Cost: a lookup compares the point with every geometry that was evaluated with the same stream. */
#pragma once

#include "explore/space/space.h"

struct bounds;

/* Which caches are proved to hit wherever this cache hits, given the same stream. */
struct bound_scope {
    bool more_ways; /* those with equal sets and more ways */
    bool more_sets; /* those with a multiple of the sets and equal ways */
};
struct bound_scope bounds_of_cache(const struct cache_config *cache);

/* Whether every objective of a study is either exact without simulation (area) or has a proved
 * bound. If not, writes to `why` which objective has none, and the reason. */
bool bounds_apply(const struct study *study, char why[200]);

/* Only for a study for which bounds_apply is true. The space must outlive the bounds. */
enum status bounds_create(const struct space *space, struct bounds **bounds);
void bounds_free(struct bounds *bounds); /* NULL is allowed */

/* Learns from an evaluated point. `costs` are its objectives, turned so that less is better. */
enum status bounds_learn(struct bounds *bounds, uint64_t point, const double *costs);

/* Sets costs[] to lower bounds for the point: exact for area, -INFINITY if nothing is known. */
void bounds_limit(const struct bounds *bounds, uint64_t point, double *costs);

/* The stages (enum stage flags) whose metrics are objectives and whose preconditions this machine
 * breaks. At those stages only a machine of the same geometry says anything about it. */
unsigned bounds_broken(const struct bounds *bounds, const struct machine *machine);

/* The order in which a pruned search takes machines: a number below BOUNDS_RANKS that grows with
 * the lines or entries that the machine's caches hold, of those that the objectives depend on. */
enum { BOUNDS_RANKS = 192 };
unsigned bounds_rank(const struct bounds *bounds, const struct machine *machine);
