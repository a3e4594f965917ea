/* Random samples of a space.
 *
 * Invariant: only the seed and the index decide what is drawn, so the points are the same on any
 * number of threads and after any stop. No point is drawn twice. */
#pragma once

#include "explore/space/legality.h"

/* A pseudo-random permutation of [0, count) that can be evaluated at any index, in no memory: a
 * Feistel network whose round function is the counter-based generator, iterated until the result is
 * below count (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002, section 4).
 */
struct shuffle {
    uint64_t count, seed;
    unsigned half; /* bits of each half of the network */
};

struct shuffle shuffle_create(uint64_t seed, uint64_t count); /* count at least 1 */
uint64_t shuffle_at(const struct shuffle *shuffle, uint64_t index);

/* The legal points of a range of a space, in random order. */
struct point_stream {
    const struct space *space;
    struct legality *legality;
    struct shuffle shuffle;
    uint64_t first, count; /* the range of points */
    uint64_t next;         /* index into the permutation */
};

/* Draws from points [first, first + count). */
struct point_stream point_stream_create(const struct space *space, struct legality *legality,
                                        uint64_t seed, uint64_t first, uint64_t count);
/* *found becomes false at the end of the range, or, in a space too large for a census, after
 * STREAM_TRIES points without a legal one. */
enum { STREAM_TRIES = 1 << 20 };
enum status point_stream_next(struct point_stream *stream, uint64_t *point, bool *found,
                              struct diagnostics *diagnostics);

/* Fills `points` with up to `count` distinct legal points and sets *found to their number. */
enum status sample_random(const struct space *space, struct legality *legality, uint64_t seed,
                          uint64_t count, uint64_t *points, uint64_t *found,
                          struct diagnostics *diagnostics);

/* A Latin hypercube: divides each axis (and the workloads) into `count` strata and puts one point
 * in each, so all values of an axis occur equally often if their number divides `count`. Points
 * that are illegal or repeated are replaced by points of further hypercubes, and finally by random
 * ones. */
enum status sample_latin(const struct space *space, struct legality *legality, uint64_t seed,
                         uint64_t count, uint64_t *points, uint64_t *found,
                         struct diagnostics *diagnostics);
