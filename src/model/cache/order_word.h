/* An order of up to 16 ways in one 64-bit word, 4 bits per way. Nibble 0 is the first way, the most
 * recently used one in LRU, and nibble ways - 1 the last. Owners store the word XORed with
 * ORDER_START, so that zeroed memory is a set in its initial order. Every step takes a few
 * instructions, whatever the ways. */
#pragma once

#include <stdint.h>

enum { ORDER_WAYS = 16 };

#define ORDER_START   UINT64_C(0xfedcba9876543210)
#define NIBBLE_ONES   UINT64_C(0x1111111111111111)
#define NIBBLE_BORROW UINT64_C(0x8888888888888888)

/* The bit at which the nibble of `way` starts. */
static inline unsigned order_find(uint64_t order, uint32_t way)
{
    const uint64_t difference = order ^ way * NIBBLE_ONES;
    const uint64_t zero = (difference - NIBBLE_ONES) & ~difference & NIBBLE_BORROW;
    return (unsigned)__builtin_ctzll(zero) - 3;
}

/* Moves the nibble at `bit`, which holds `way`, to the front. */
static inline uint64_t order_move(uint64_t order, unsigned bit, uint32_t way)
{
    const uint64_t before = order & ~(~UINT64_C(0) << bit);
    const uint64_t behind = order & ~UINT64_C(15) << bit;
    return behind | before << 4 | way;
}

/* Moves the nibble at `bit`, which holds `way`, after those of all other ways. */
static inline uint64_t order_retire(uint64_t order, unsigned bit, uint32_t way, uint32_t ways)
{
    const unsigned end = 4 * (ways - 1);
    const uint64_t below = (UINT64_C(1) << bit) - 1, moved = ((UINT64_C(1) << end) - 1) & ~below;
    const uint64_t beyond = ~((UINT64_C(16) << end) - 1); /* of no way; none if there are 16 */
    return (order & beyond) | (uint64_t)way << end | (order >> 4 & moved) | (order & below);
}

static inline uint32_t order_last(uint64_t order, uint32_t ways)
{
    return order >> (4 * (ways - 1) & 63) & 15;
}
