#include "explore/space/sampling.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/key_table.h"
#include "base/rng.h"

enum { FEISTEL_ROUNDS = 6, HYPERCUBES_MAX = 64 };

struct shuffle shuffle_create(uint64_t seed, uint64_t count)
{
    unsigned bits = count > 1 ? log2_ceil(count) : 1;
    return (struct shuffle){count, seed, (bits + 1) / 2};
}

/* A Feistel network permutes the numbers below a power of four that is not less than `count`.
 * Applying it again to a result that is not below `count` follows the cycle, so the result is still
 * a permutation. The range is at most four times `count`, so few rounds are needed on average. */
uint64_t shuffle_at(const struct shuffle *shuffle, uint64_t index)
{
    uint64_t mask = ((uint64_t)1 << shuffle->half) - 1;
    do {
        uint64_t left = index >> shuffle->half, right = index & mask;
        for (uint64_t round = 0; round < FEISTEL_ROUNDS; round++) {
            uint64_t mixed = random_at(random_at(shuffle->seed, round), right);
            uint64_t old = left;
            left = right;
            right = old ^ (mixed & mask);
        }
        index = left << shuffle->half | right;
    } while (index >= shuffle->count);
    return index;
}

struct point_stream point_stream_create(const struct space *space, struct legality *legality,
                                        uint64_t seed, uint64_t first, uint64_t count)
{
    return (struct point_stream){.space = space,
                                 .legality = legality,
                                 .shuffle = shuffle_create(seed, count),
                                 .first = first,
                                 .count = count};
}

enum status point_stream_next(struct point_stream *stream, uint64_t *point, bool *found,
                              struct diagnostics *diagnostics)
{
    /* A small space is walked to its end. A large one has no census, so it may have no legal point
     * at all, and walking it could take for ever. */
    uint64_t tries = stream->space->machines <= CENSUS_MACHINES ? UINT64_MAX : STREAM_TRIES;
    *found = false;
    while (stream->next < stream->count && tries-- && !*found) {
        if (space_cancelled(stream->space))
            return STATUS_CANCELLED;
        *point = stream->first + shuffle_at(&stream->shuffle, stream->next++);
        enum status status =
            legality_test(stream->legality, *point % stream->space->machines, found, diagnostics);
        if (status)
            return status;
    }
    return STATUS_OK;
}

enum status sample_random(const struct space *space, struct legality *legality, uint64_t seed,
                          uint64_t count, uint64_t *points, uint64_t *found,
                          struct diagnostics *diagnostics)
{
    struct point_stream stream = point_stream_create(space, legality, seed, 0, space->points);
    bool more = true;
    enum status status = STATUS_OK;
    *found = 0;
    while (*found < count && more && !status) {
        status = point_stream_next(&stream, &points[*found], &more, diagnostics);
        *found += more && !status;
    }
    return status;
}

/* Point `index` of the hypercube of `count` points that `seed` selects. */
static uint64_t latin_point(const struct space *space, uint64_t seed, uint64_t count,
                            uint64_t index)
{
    const struct study *study = space->study;
    uint64_t point = 0;
    for (size_t a = 0; a <= study->axis_count; a++) { /* a = 0 is the workload */
        uint64_t values = a ? study->axes[a - 1].count : study->workload_count;
        struct shuffle shuffle = shuffle_create(random_at(seed, a), count);
        /* A random place in the stratum: its start would favour the same values in small samples.
         */
        uint64_t within = random_below(random_at(~random_at(seed, a), index), values);
        uint128 stratum = (uint128)shuffle_at(&shuffle, index) * values + within;
        point = point * values + (uint64_t)(stratum / count);
    }
    return point;
}

struct latin {
    const struct space *space;
    struct legality *legality;
    struct key_table seen;
    uint64_t count, *points, found;
};

/* Adds the point if it is legal and was not taken before. */
static enum status take_point(struct latin *latin, uint64_t point, struct diagnostics *diagnostics)
{
    bool legal;
    uint32_t number, seen = latin->seen.count;
    enum status status =
        legality_test(latin->legality, point % latin->space->machines, &legal, diagnostics);
    if (!status && legal)
        status = key_table_number(&latin->seen, point, &number);
    if (!status && legal && number == seen)
        latin->points[latin->found++] = point;
    return status;
}

/* Adds random points until there are enough. */
static enum status fill_up(struct latin *latin, uint64_t seed, struct diagnostics *diagnostics)
{
    struct point_stream stream =
        point_stream_create(latin->space, latin->legality, seed, 0, latin->space->points);
    bool more = true;
    enum status status = STATUS_OK;
    while (latin->found < latin->count && more && !status) {
        uint64_t point;
        status = point_stream_next(&stream, &point, &more, diagnostics);
        if (!status && more)
            status = take_point(latin, point, diagnostics);
    }
    return status;
}

/* Cubes are drawn until one gains nothing: where most points are illegal, further ones would go on
 * almost for ever. What is missing then is drawn without strata. */
enum status sample_latin(const struct space *space, struct legality *legality, uint64_t seed,
                         uint64_t count, uint64_t *points, uint64_t *found,
                         struct diagnostics *diagnostics)
{
    struct latin latin = {.space = space, .legality = legality, .count = count, .points = points};
    enum status status = STATUS_OK;
    uint64_t gained = 1;
    for (uint64_t cube = 0; cube < HYPERCUBES_MAX && gained && !status; cube++) {
        uint64_t before = latin.found;
        for (uint64_t i = 0; i < count && latin.found < count && !status; i++) {
            status = take_point(&latin, latin_point(space, random_at(seed, cube), count, i),
                                diagnostics);
            if (!status && space_cancelled(space))
                status = STATUS_CANCELLED;
        }
        gained = latin.found - before;
    }
    if (!status)
        status = fill_up(&latin, random_at(seed, HYPERCUBES_MAX), diagnostics);
    *found = latin.found;
    key_table_free(&latin.seen);
    return status;
}
