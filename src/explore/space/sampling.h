/* Samples of a space in which seed and index alone decide: the same points on any number of threads
 * and after any stop. No point comes twice. */
#pragma once

#include "explore/space/legality.h"

/* A permutation of [0, count) that can be asked at any index: a Feistel network with the
 * counter-based generator as its round function, walked until it falls below count (Black and
 * Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002, section 4). */
struct shuffle {
    uint64_t count, seed;
    unsigned half; /* bits of each half of the network */
};

struct shuffle shuffle_create(uint64_t seed, uint64_t count); /* count at least 1 */
uint64_t shuffle_at(const struct shuffle *shuffle, uint64_t index);

/* The legal points of a space in random order. */
struct point_stream {
    const struct space *space;
    struct legality *legality;
    struct shuffle shuffle;
    uint64_t first, count; /* of the points it draws from */
    uint64_t next;         /* index into the permutation */
};

/* Draws from points [first, first + count). */
struct point_stream point_stream_create(const struct space *space, struct legality *legality,
                                        uint64_t seed, uint64_t first, uint64_t count);
/* *found is false at the end of the space, and where STREAM_TRIES points in a row were illegal. */
enum { STREAM_TRIES = 1 << 20 };
enum status point_stream_next(struct point_stream *stream, uint64_t *point, bool *found,
                              struct diagnostics *diagnostics);

/* Fills `points` with up to `count` distinct legal points; *found is how many there are. */
enum status sample_random(const struct space *space, struct legality *legality, uint64_t seed,
                          uint64_t count, uint64_t *points, uint64_t *found,
                          struct diagnostics *diagnostics);

/* A Latin hypercube: `count` strata on each axis (the workload too), one point in each; so all
 * values come equally often where count is a multiple of them. Where constraints or repetitions
 * remove points, those of further hypercubes take their places, and at last random ones. */
enum status sample_latin(const struct space *space, struct legality *legality, uint64_t seed,
                         uint64_t count, uint64_t *points, uint64_t *found,
                         struct diagnostics *diagnostics);
