/* Random numbers that a seed and an index alone decide, so that no order of execution matters. */
#pragma once

#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

/* A counter-based generator (SplitMix64's finalizer over seed and index). */
static inline uint64_t random_at(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number in [0, bound) from 64 random bits, without division (Lemire's multiply-shift). */
static inline uint64_t random_below(uint64_t bits, uint64_t bound)
{
    return (uint64_t)(((uint128)bits * bound) >> 64);
}

/* A float in [0, 1) from 64 random bits; every one of its 2^24 values is exact. */
static inline float random_unit(uint64_t bits)
{
    return (float)(bits >> 40) / (float)(1 << 24);
}
