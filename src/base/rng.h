/* Random numbers as a pure function of a seed and an index. There is no state, so results do not
 * depend on the order in which threads draw. */
#pragma once

#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

/* A counter-based generator: SplitMix64's output function of seed + (index + 1) times its increment
 * (Steele, Lea and Flood, OOPSLA 2014). Successive indices are the SplitMix64 sequence of that
 * seed. */
static inline uint64_t random_at(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Maps 64 random bits to [0, bound) with one multiplication (Lemire, 2019). Without his rejection
 * step, the relative bias is below bound / 2^64. */
static inline uint64_t random_below(uint64_t bits, uint64_t bound)
{
    return (uint64_t)(((uint128)bits * bound) >> 64);
}

/* Maps 64 random bits to a float in [0, 1): one of 2^24 equally likely multiples of 2^-24, all
 * exact. */
static inline float random_unit(uint64_t bits)
{
    return (float)(bits >> 40) / (float)(1 << 24);
}
