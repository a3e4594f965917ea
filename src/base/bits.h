/* Powers of two. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool is_power_of_two(uint64_t value)
{
    return value && !(value & (value - 1));
}

/* The exponent of the largest power of two that is not above `value`, which must not be 0. */
static inline unsigned log2_floor(uint64_t value)
{
    return 63 - (unsigned)__builtin_clzll(value);
}

/* The exponent of the smallest power of two that is not below `value`: as many bits number so many
 * things. */
static inline unsigned log2_ceil(uint64_t value)
{
    return value > 1 ? log2_floor(value - 1) + 1 : 0;
}

/* Bits that are set. (Without an instruction for it, which not every x86-64 has, the compiler's
 * builtin is a call.) */
static inline unsigned bits_count(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    return ((bits + (bits >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* Division by a constant that is known late: one multiplication while the dividend is small. */
struct divisor {
    uint64_t by, inverse, limit; /* below the limit the multiplication is exact */
};

static inline struct divisor divisor_of(uint64_t by)
{
    /* With inverse = (2^64 + e) / by and e < by, the quotient is too large by less than value x e /
     * (2^64 by), which stays below 1 / by while value x e < 2^64. */
    return (struct divisor){by, by > 1 ? UINT64_MAX / by + 1 : 0, by > 1 ? UINT64_MAX / by : 0};
}

static inline uint64_t divisor_divide(uint64_t value, const struct divisor *divisor)
{
    if (value < divisor->limit)
        return (uint64_t)((unsigned __int128)value * divisor->inverse >> 64);
    return value / divisor->by;
}
