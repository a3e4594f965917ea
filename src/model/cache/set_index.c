#include "model/cache/set_index.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"

static bool legal_linear(uint64_t sets)
{
    return sets != 0;
}

static bool legal_fermi(uint64_t sets)
{
    return sets == 32 || sets == 64;
}

static bool legal_ipoly(uint64_t sets)
{
    return is_power_of_two(sets) && sets <= UINT64_C(1) << IPOLY_DEGREE_MAX;
}

static uint64_t map_linear(const struct set_index *index, uint64_t line)
{
    return set_index_map(index, INDEX_MODULO, line);
}

static uint64_t map_xor(const struct set_index *index, uint64_t line)
{
    return set_index_map(index, INDEX_XOR, line);
}

static uint64_t map_fermi(const struct set_index *index, uint64_t line)
{
    return set_index_map(index, INDEX_FERMI, line);
}

static uint64_t map_ipoly(const struct set_index *index, uint64_t line)
{
    return set_index_map(index, INDEX_IPOLY, line);
}

const struct set_index_function set_index_functions[INDEX_COUNT] = {
    [INDEX_MODULO] = {"linear", legal_linear, map_linear},
    [INDEX_XOR] = {"xor", is_power_of_two, map_xor},
    [INDEX_FERMI] = {"fermi", legal_fermi, map_fermi},
    [INDEX_IPOLY] = {"ipoly", legal_ipoly, map_ipoly},
};

uint32_t ipoly_polynomial(unsigned degree)
{
    /* 16, 32 and 64 sets are those of GPGPU-Sim (hashing.cc), after Rau, "Pseudo-randomly
     * interleaved memory", ISCA 1991; the others are the usual primitive ones of few terms. */
    static const uint32_t polynomials[IPOLY_DEGREE_MAX + 1] = {
        [1] = 0x3,      [2] = 0x7,      [3] = 0xb,      [4] = 0x13,     [5] = 0x25,
        [6] = 0x43,     [7] = 0x89,     [8] = 0x11d,    [9] = 0x211,    [10] = 0x409,
        [11] = 0x805,   [12] = 0x1053,  [13] = 0x201b,  [14] = 0x4443,  [15] = 0x8003,
        [16] = 0x1100b, [17] = 0x20009, [18] = 0x40081, [19] = 0x80027, [20] = 0x100009,
    };
    assert(degree >= 1 && degree <= IPOLY_DEGREE_MAX);
    return polynomials[degree];
}

uint32_t ipoly_reduce(uint64_t line, unsigned degree)
{
    uint64_t polynomial = ipoly_polynomial(degree);
    for (unsigned bit = 63; bit >= degree; bit--)
        if (line >> bit & 1)
            line ^= polynomial << (bit - degree);
    return (uint32_t)line;
}

/* GPGPU-Sim writes its three hashes out as equations that end at these many bits of the line
 * number. We stop there too, so that simulated addresses of 47 bits fall in the same sets. */
static unsigned ipoly_line_bits(unsigned degree)
{
    switch (degree) {
    case 4:
        return 17;
    case 5:
        return 20;
    case 6:
        return 25;
    default:
        return 64;
    }
}

static void build_fold(struct set_index *index)
{
    if (!index->bits)
        return;
    unsigned used = ipoly_line_bits(index->bits);
    for (unsigned i = 0; i < 8; i++)
        for (uint64_t byte = 0; byte < 256; byte++) {
            uint64_t part = byte << (8 * i);
            if (used < 64)
                part &= (UINT64_C(1) << used) - 1;
            index->fold[i][byte] = ipoly_reduce(part, index->bits);
        }
}

bool set_index_legal(int function, uint64_t sets)
{
    return function >= 0 && function < INDEX_COUNT && set_index_functions[function].legal(sets);
}

enum status set_index_init(struct set_index *index, int function, uint64_t sets)
{
    memset(index, 0, sizeof *index);
    if (!set_index_legal(function, sets))
        return STATUS_INVALID;
    index->function = function;
    index->sets = sets;
    index->mask = sets - 1;
    index->modulo = !is_power_of_two(sets);
    index->divisor = divisor_of(sets);
    index->bits = log2_floor(sets);
    if (function == INDEX_IPOLY)
        build_fold(index);
    return STATUS_OK;
}
