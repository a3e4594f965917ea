/* Which set a line falls in. One module for caches, TLBs and partitions.
 *
 * All functions work on line numbers (address / line), so that a hash means the same for every line
 * size. The fermi hash was measured with 128 B lines: its address bits 13, 14, 15, 17 and 19 are
 * bits 6, 7, 8, 10 and 12 of the line number and are taken as such for other lines too; what makes
 * it spread strides is the distance between the bits that it mixes, and that stays. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/status.h"
#include "schema/families.h"

enum { IPOLY_DEGREE_MAX = 20 };

struct set_index {
    int function; /* enum index_function */
    bool modulo;  /* linear over a number of sets that is no power of two: */
    struct divisor divisor;
    unsigned bits; /* log2 of the sets where they are a power of two */
    uint64_t sets, mask;
    uint32_t fold[8][256]; /* ipoly: what each byte of the line number adds to the index */
};

struct set_index_function {
    const char *name;
    bool (*legal)(uint64_t sets);
    uint64_t (*map)(const struct set_index *index, uint64_t line); /* for a single look-up */
};

extern const struct set_index_function
    set_index_functions[INDEX_COUNT]; /* by enum index_function */

/* Whether there is such a function and it is defined for that many sets. */
bool set_index_legal(int function, uint64_t sets);

/* STATUS_INVALID where it is not. */
enum status set_index_init(struct set_index *index, int function, uint64_t sets);

/* The polynomial of degree 1 to IPOLY_DEGREE_MAX that ipoly divides by, bit i = the coefficient of
 * x^i. All are primitive, so the 2^degree - 1 first powers of two fall in different sets. */
uint32_t ipoly_polynomial(unsigned degree);

/* The line number modulo the polynomial, by the definition: slow, for tables and tests. */
uint32_t ipoly_reduce(uint64_t line, unsigned degree);

/* The set of a line. Give `function` (= index->function) as a constant in a hot loop: then only its
 * own branch is compiled. */
static inline uint64_t set_index_map(const struct set_index *index, int function, uint64_t line)
{
    switch ((enum index_function)function) {
    case INDEX_MODULO:
        return index->modulo ? line - divisor_divide(line, &index->divisor) * index->sets
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
    }
    return 0;
}
