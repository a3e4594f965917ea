/* Sets of small numbers as bits of words. The caller knows how many words a set has.
 *
 * Cost: those of the words that are looked at; nothing is allocated. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline void set_include(uint64_t *set, uint32_t number)
{
    set[number / 64] |= UINT64_C(1) << number % 64;
}

static inline void set_exclude(uint64_t *set, uint32_t number)
{
    set[number / 64] &= ~(UINT64_C(1) << number % 64);
}

/* The first member at or after `from`, which may be after the last word; UINT32_MAX: none. */
static inline uint32_t set_from(const uint64_t *set, uint32_t words, uint32_t from)
{
    uint32_t word = from / 64;
    uint64_t bits = word < words ? set[word] & ~UINT64_C(0) << from % 64 : 0;
    while (!bits && ++word < words)
        bits = set[word];
    return bits ? word * 64 + (uint32_t)__builtin_ctzll(bits) : UINT32_MAX;
}

/* Visits the members of a set in ascending order. The body may take out what it visits; what it
 * adds to the word that it visits is not visited. */
#define SET_EACH(member, set, words)                                                               \
    for (uint32_t word_ = 0; word_ < (words); word_++)                                             \
        for (uint64_t left_ = (set)[word_];                                                        \
             left_ && ((member) = word_ * 64 + (uint32_t)__builtin_ctzll(left_), true);            \
             left_ &= left_ - 1)

/* The same as set_from, and if there is none the first one at all. */
static inline uint32_t set_around(const uint64_t *set, uint32_t words, uint32_t from)
{
    const uint32_t first = set_from(set, words, from);
    return first != UINT32_MAX ? first : set_from(set, words, 0);
}
