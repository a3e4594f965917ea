/* How much of a limit is in use: the most at any moment, and the sum over time, whose share of the
 * time is the mean.
 *
 * It is noted where something comes or goes, not in every cycle: what is in use from `a` to `b`
 * adds b - a to the sum, as -a when it comes and b when it goes. Numbers wrap, so a sum means
 * something only together with what is still in use (gauge_sum). The owner chooses the unit of
 * time; whoever reads a gauge does so at a moment that is no earlier than any that was noted. Cost:
 * an addition, and a comparison where something comes. */
#pragma once

#include <stdint.h>

struct gauge {
    uint64_t sum;
    uint32_t most;
};

/* One more comes, with which there are `count`. */
static inline void gauge_enter(struct gauge *gauge, uint64_t now, uint32_t count)
{
    gauge->sum -= now;
    if (count > gauge->most)
        gauge->most = count;
}

static inline void gauge_leave(struct gauge *gauge, uint64_t now)
{
    gauge->sum += now;
}

/* The sum up to `now`, when so many are in use. */
static inline uint64_t gauge_sum(const struct gauge *gauge, uint64_t used, uint64_t now)
{
    return gauge->sum + used * now;
}
