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
