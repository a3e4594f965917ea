/* Powers of two, and division by numbers that repeat.
 *
 * Every access computes a set, a sector or a slice, so these run once per access or more: all are
 * inline, and none loops. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool is_power_of_two(uint64_t value)
{
    return value && !(value & (value - 1));
}

/* Rounds down: the largest n with 2^n <= value. `value` must not be 0. */
static inline unsigned log2_floor(uint64_t value)
{
    return 63 - (unsigned)__builtin_clzll(value);
}

/* Rounds up: the smallest n with 2^n >= value. So n bits can number `value` things; 0 for 0 and
 * 1. */
static inline unsigned log2_ceil(uint64_t value)
{
    return value > 1 ? log2_floor(value - 1) + 1 : 0;
}

/* Doubles each of the low 16 bits: bit i of `bits` becomes bits 2i and 2i + 1. */
static inline uint32_t bits_double(uint32_t bits)
{
    bits = ((bits & 0xffff) | bits << 8) & 0x00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f;
    bits = (bits | bits << 2) & 0x33333333;
    bits = (bits | bits << 1) & 0x55555555;
    return bits | bits << 1;
}

/* The number of set bits. The compiler's builtin becomes a library call unless the target has
 * POPCNT, which the x86-64 baseline does not. */
static inline unsigned bits_count(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    return ((bits + (bits >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* Division by a number that is only known at run time but used often, such as a number of sets.
 * Small dividends take one multiplication instead of a division, which is several times slower. */
struct divisor {
    uint64_t by, inverse, limit; /* the multiplication is exact for dividends below the limit */
};

static inline struct divisor divisor_of(uint64_t by)
{
    /* Let inverse = (2^64 + e) / by with e < by. The computed quotient is too large by less than
     * value * e / (2^64 * by). While value * e < 2^64 that is below 1 / by, so rounding down gives
     * the exact quotient. */
    return (struct divisor){by, by > 1 ? UINT64_MAX / by + 1 : 0, by > 1 ? UINT64_MAX / by : 0};
}

static inline uint64_t divisor_divide(uint64_t value, const struct divisor *divisor)
{
    if (value < divisor->limit)
        return (uint64_t)((unsigned __int128)value * divisor->inverse >> 64);
    return value / divisor->by;
}
