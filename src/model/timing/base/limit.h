/* A limit of the machine, and what its comparisons prove.
 *
 * Every comparison of a count with a limit that changes what a run does goes through limit_admits,
 * which keeps the largest count that was admitted and the smallest that was not. With any limit
 * from `least` to `most` every comparison has the same outcome, so the run is the same, raw counts
 * and all, as long as that holds of all its limits at once. A counter of refusals proves nothing:
 * most limits have none.
 *
 * A limit that decides where a thread stops, and not what a run does, is looked at by limit_left,
 * which leaves no mark. Each thread has limits of its own; they are put together when the run has
 * ended (limit_join). Cost: two comparisons. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LIMIT_NONE = UINT32_MAX - 1 }; /* of what nothing limits */

struct limit {
    uint32_t value;
    uint32_t least, most; /* limits of the same outcomes so far */
};

static inline struct limit limit_of(uint64_t value)
{
    return (struct limit){value < LIMIT_NONE ? (uint32_t)value : LIMIT_NONE, 0, UINT32_MAX};
}

/* Whether there is room beside `used`. */
static inline bool limit_admits(struct limit *limit, uint32_t used)
{
    if (used < limit->value) {
        if (used >= limit->least)
            limit->least = used + 1;
        return true;
    }
    if (used < limit->most)
        limit->most = used;
    return false;
}

/* How much room is left beside `used`. */
static inline uint32_t limit_left(const struct limit *limit, uint64_t used)
{
    return used < limit->value ? limit->value - (uint32_t)used : 0;
}

/* Adds what `part` proves to what `whole` proves. */
static inline void limit_join(struct limit *whole, const struct limit *part)
{
    if (part->value >= LIMIT_NONE)
        return;
    whole->least = part->least > whole->least ? part->least : whole->least;
    whole->most = part->most < whole->most ? part->most : whole->most;
}
