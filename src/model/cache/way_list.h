/* Lists of the ways of a set, and of lines that left it, oldest first: the queues and stacks of
 * replacement policies. Both live in zeroed memory, as an empty list.
 *
 * Invariant: a way is in a list at most once. A list of up to 16 ways is a number of 128 bits, a
 * byte for each, of which every operation takes a few instructions; else they take time linear in
 * the length, and a list of 64 ways is a line of the host's cache. Operations on lines are linear.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/rng.h"

enum { WAY_LIST_MOST = 256, WAY_LIST_NONE = UINT32_MAX };

struct ways_kept {
    uint32_t count;
    uint8_t ways[];
};

enum { WAY_LIST_SHORT = 16 };

static inline size_t ways_bytes(uint32_t ways)
{
    const uint32_t room = ways < WAY_LIST_SHORT ? WAY_LIST_SHORT : ways;
    return (sizeof(struct ways_kept) + room + 7) & ~(size_t)7;
}

/* The list as a number, the oldest way in its lowest byte; what is after `count` is anything. */
static inline uint128 ways_number(const struct ways_kept *list)
{
    uint128 number;
    memcpy(&number, list->ways, sizeof number);
    return number;
}

static inline void ways_store(struct ways_kept *list, uint128 number)
{
    memcpy(list->ways, &number, sizeof number);
}

/* The lowest byte of 16 that is zero; 16: none. */
static inline uint32_t first_zero_byte(uint128 number)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    const uint64_t low = (uint64_t)number, high = (uint64_t)(number >> 64);
    const uint64_t in_low = (low - ones) & ~low & highs, in_high = (high - ones) & ~high & highs;
    return in_low    ? (uint32_t)__builtin_ctzll(in_low) / 8
           : in_high ? 8 + (uint32_t)__builtin_ctzll(in_high) / 8
                     : WAY_LIST_SHORT;
}

/* The place of a way, or WAY_LIST_NONE. */
static inline uint32_t ways_find(const struct ways_kept *list, uint32_t way)
{
    if (list->count <= WAY_LIST_SHORT) {
        const uint64_t byte = way * UINT64_C(0x0101010101010101);
        const uint32_t place = first_zero_byte(ways_number(list) ^ ((uint128)byte << 64 | byte));
        return place < list->count ? place : WAY_LIST_NONE;
    }
    const uint8_t *found = memchr(list->ways, (int)way, list->count);
    return found ? (uint32_t)(found - list->ways) : WAY_LIST_NONE;
}

static inline uint32_t ways_take_place(struct ways_kept *list, uint32_t place)
{
    const uint32_t way = list->ways[place];
    if (list->count-- <= WAY_LIST_SHORT) {
        const uint128 number = ways_number(list), below = ((uint128)1 << 8 * place) - 1;
        ways_store(list, (number & below) | (number >> 8 & ~below));
        return way;
    }
    memmove(list->ways + place, list->ways + place + 1, list->count - place);
    return way;
}

/* Takes a way out if it is there, and says whether it was. */
static inline bool ways_take(struct ways_kept *list, uint32_t way)
{
    const uint32_t place = ways_find(list, way);
    if (place == WAY_LIST_NONE)
        return false;
    ways_take_place(list, place);
    return true;
}

static inline void ways_push(struct ways_kept *list, uint32_t way)
{
    list->ways[list->count++] = (uint8_t)way;
}

static inline void ways_push_oldest(struct ways_kept *list, uint32_t way)
{
    if (list->count++ < WAY_LIST_SHORT) {
        ways_store(list, ways_number(list) << 8 | way);
        return;
    }
    memmove(list->ways + 1, list->ways, list->count - 1);
    list->ways[0] = (uint8_t)way;
}

/* Lines that left: their numbers. */
struct lines_kept {
    uint64_t count;
    uint64_t lines[];
};

static inline size_t lines_bytes(uint32_t most)
{
    return sizeof(struct lines_kept) + sizeof(uint64_t) * most;
}

static inline void lines_take_oldest(struct lines_kept *list)
{
    if (list->count)
        memmove(list->lines, list->lines + 1, --list->count * sizeof *list->lines);
}

/* Takes a line out if it is there, and says whether it was. */
static inline bool lines_take(struct lines_kept *list, uint64_t line)
{
    for (uint64_t i = 0; i < list->count; i++)
        if (list->lines[i] == line) {
            list->count--;
            memmove(list->lines + i, list->lines + i + 1, (list->count - i) * sizeof *list->lines);
            return true;
        }
    return false;
}

static inline bool lines_have(const struct lines_kept *list, uint64_t line)
{
    for (uint64_t i = 0; i < list->count; i++)
        if (list->lines[i] == line)
            return true;
    return false;
}

/* Adds the youngest of at most `most` lines; the oldest makes room. */
static inline void lines_push(struct lines_kept *list, uint64_t line, uint32_t most)
{
    if (!most)
        return;
    while (list->count >= most)
        lines_take_oldest(list);
    list->lines[list->count++] = line;
}
