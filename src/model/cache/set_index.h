/* Maps a line number to a set, for caches, TLBs and L2 partitions.
 *
 * All functions work on line numbers (address / line), so that a hash means the same for every line
 * size. The fermi hash was measured with 128 B lines: it uses address bits 13, 14, 15, 17 and 19,
 * which are bits 6, 7, 8, 10 and 12 of the line number. This module uses the same line-number bits
 * for all line sizes, because what spreads strides is the distance between the bits that the hash
 * mixes.
 *
 * Cost: a few instructions. A remainder is computed by multiplication; ipoly XORs eight table
 * entries. The table takes 8 KiB in every struct set_index, whatever its function. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/status.h"
#include "schema/families.h"

enum { IPOLY_DEGREE_MAX = 20 };

struct set_index {
    int function; /* enum index_function */
    bool modulo;  /* INDEX_REMAINDER by a number that is not a power of two */
    struct divisor divisor;
    unsigned bits;         /* log2 of `reach` if that is a power of two */
    uint64_t reach, mask;  /* reach: index_reach of the sets; mask: reach - 1 */
    uint32_t fold[8][256]; /* ipoly: XOR of each byte's entry */
};

/* STATUS_INVALID if the function cannot index this many sets (index_holds). */
enum status set_index_init(struct set_index *index, int function, uint64_t sets);

/* The polynomial of degree 1 to IPOLY_DEGREE_MAX that ipoly divides by; bit i is the coefficient of
 * x^i. All are primitive, so the first 2^degree - 1 powers of two fall in different sets. */
uint32_t ipoly_polynomial(unsigned degree);

/* A pseudo-random set: the finalizer of MurmurHash3 (A. Appleby), scaled to the sets. */
static inline uint64_t set_index_scatter(const struct set_index *index, uint64_t number)
{
    uint64_t mixed = (number ^ number >> 33) * UINT64_C(0xff51afd7ed558ccd);
    mixed = (mixed ^ mixed >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (mixed >> 32) * index->reach >> 32;
}

/* The set of a line. In a hot loop, pass `function` (= index->function) as a constant, so that only
 * its own branch is compiled. */
static inline uint64_t set_index_map(const struct set_index *index, int function, uint64_t line)
{
    switch ((enum index_function)function) {
    case INDEX_MODULO:
    case INDEX_PRIME: /* M. Kharbutli et al., "Using prime numbers for cache indexing to eliminate
                       * conflict misses", HPCA 2004 */
        return index->modulo ? line - divisor_divide(line, &index->divisor) * index->reach
                             : line & index->mask;
    case INDEX_XOR:
        return (line ^ line >> index->bits) & index->mask;
    case INDEX_FERMI: {
        uint64_t upper = (line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4;
        return ((line & 31) ^ upper) | (line & 32 & index->mask);
    }
    case INDEX_IPOLY: {
        uint32_t set = 0;
        for (unsigned i = 0; i < 8; i++)
            set ^= index->fold[i][line >> (8 * i) & 255];
        return set;
    }
    case INDEX_SCATTER:
        return set_index_scatter(index, line);
    case INDEX_ROTATE: { /* lines of one round of sets stay in different sets */
        const uint64_t round = divisor_divide(line, &index->divisor);
        const uint64_t set = line - round * index->reach + set_index_scatter(index, round);
        return set < index->reach ? set : set - index->reach;
    }
    }
    return 0;
}

enum { SMALL_LINE_BITS = 24 };

/* The set of a line below 2^SMALL_LINE_BITS, with three table look-ups for ipoly instead of eight.
 */
static inline uint32_t set_index_map_small(const struct set_index *index, int function,
                                           uint32_t line)
{
    if (function == INDEX_IPOLY)
        return index->fold[0][line & 255] ^ index->fold[1][line >> 8 & 255] ^
               index->fold[2][line >> 16];
    return (uint32_t)set_index_map(index, function, line);
}
