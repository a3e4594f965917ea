/* A histogram of waiting times in cycles, in constant memory. Waits of up to 127 cycles are exact;
 * longer ones are rounded to steps of at most 1/64 of their length. Adding one takes constant time.
 */
#pragma once

#include <stdint.h>

#include "base/bits.h"

enum { WAIT_STEP_BITS = 6, WAIT_STEPS = (64 - WAIT_STEP_BITS + 1) << WAIT_STEP_BITS };

struct waits {
    uint64_t steps[WAIT_STEPS];
    uint64_t count;
};

static inline unsigned waits_step(uint64_t cycles)
{
    unsigned shift = 0;
    if (cycles >> (WAIT_STEP_BITS + 1))
        shift = log2_floor(cycles) - WAIT_STEP_BITS;
    return (shift << WAIT_STEP_BITS) + (unsigned)(cycles >> shift);
}

/* The longest wait that falls into a step. */
static inline uint64_t waits_longest(unsigned step)
{
    unsigned shift = step >> WAIT_STEP_BITS ? (step >> WAIT_STEP_BITS) - 1 : 0;
    uint64_t first = (uint64_t)step - ((uint64_t)shift << WAIT_STEP_BITS);
    return (first << shift) + (((uint64_t)1 << shift) - 1);
}

static inline void waits_add(struct waits *waits, uint64_t cycles)
{
    waits->steps[waits_step(cycles)]++;
    waits->count++;
}

/* The quantile at `share`: the shortest wait, rounded up to its step, that at least this share of
 * all waits do not exceed. 0 if there are no waits. */
static inline uint64_t waits_quantile(const struct waits *waits, double share)
{
    uint64_t seen = 0;
    for (unsigned step = 0; step < WAIT_STEPS; step++) {
        seen += waits->steps[step];
        if (seen && (double)seen >= share * (double)waits->count)
            return waits_longest(step);
    }
    return 0;
}
