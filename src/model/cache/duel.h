/* Set dueling: a few sets always follow the first of two policies and as many the second; all
 * others follow the one whose sets miss less. (M. K. Qureshi, A. Jaleel, Y. N. Patt, S. C. Steely
 * and J. Emer, "Adaptive insertion policies for high performance caching", ISCA 2007.) Every policy
 * that duels does it here.
 *
 * Leaders are chosen by complement: of the `chosen` runs of sets, run i gives its i-th set to the
 * first policy and its i-th from the end to the second. The paper has 32 leaders each among 1024
 * sets; caches of fewer sets have one in eight, at least one. A cache of one set follows the first.
 * The selector has 10 bits and counts from its middle, so zeroed memory is its start, at which all
 * follow the first policy.
 *
 * Invariant: the selector moves on misses of leaders only. Cost: divisions only where the number of
 * sets is no power of two. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DUEL_LEADERS = 32, DUEL_SHARE = 8, DUEL_BITS = 10, DUEL_MOST = (1 << DUEL_BITS) / 2 - 1 };

enum duel_role { DUEL_FOLLOWS, DUEL_FIRST, DUEL_SECOND };

struct duel {
    int32_t balance; /* misses of the first's leaders less those of the second's, bounded */
};

static inline enum duel_role duel_role(uint32_t set, uint32_t sets)
{
    uint32_t runs = sets / DUEL_SHARE;
    runs = runs > DUEL_LEADERS ? DUEL_LEADERS : runs ? runs : 1;
    const bool powers = !(sets & (sets - 1)); /* then so is everything else: no division */
    const uint32_t length = powers ? sets >> __builtin_ctz(runs) : sets / runs;
    const uint32_t run = powers ? set >> __builtin_ctz(length) : set / length;
    const uint32_t place = set - run * length;
    if (run >= runs || length < 2)
        return DUEL_FOLLOWS;
    const uint32_t first = powers ? run & (length - 1) : run % length;
    const uint32_t second = length - 1 - first;
    if (first == second)
        return DUEL_FOLLOWS;
    return place == first ? DUEL_FIRST : place == second ? DUEL_SECOND : DUEL_FOLLOWS;
}

/* A miss in a set. Returns whether the set now follows the second policy. */
static inline bool duel_miss(struct duel *duel, uint32_t set, uint32_t sets)
{
    const enum duel_role role = duel_role(set, sets);
    if (role == DUEL_FIRST && duel->balance < DUEL_MOST)
        duel->balance++;
    if (role == DUEL_SECOND && duel->balance > -DUEL_MOST - 1)
        duel->balance--;
    return role == DUEL_SECOND || (role == DUEL_FOLLOWS && duel->balance > 0);
}

/* Bimodal insertion, of the same paper: one new line in 32, counted over the cache, is placed
 * otherwise than the rest; and the duel of those that choose between it and another policy. */
enum { BIMODAL_RARE = 32 };

struct bimodal {
    uint32_t fills; /* modulo BIMODAL_RARE */
    struct duel duel;
};

/* As shared_bytes of a policy (replacement.h). */
static inline size_t bimodal_bytes(uint32_t sets, uint32_t ways)
{
    (void)sets, (void)ways;
    return sizeof(struct bimodal);
}

/* A line is filled. Returns whether it is the rare one. */
static inline bool bimodal_fill(struct bimodal *bimodal)
{
    bimodal->fills = (bimodal->fills + 1) % BIMODAL_RARE;
    return bimodal->fills == 0;
}
