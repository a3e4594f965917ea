#include "model/cache/set_index.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"

uint32_t ipoly_polynomial(unsigned degree)
{
    /* Those for 16, 32 and 64 sets come from GPGPU-Sim (hashing.cc), after Rau, "Pseudo-randomly
     * interleaved memory", ISCA 1991; the others are common primitive polynomials with few terms.
     */
    static const uint32_t polynomials[IPOLY_DEGREE_MAX + 1] = {
        [1] = 0x3,      [2] = 0x7,      [3] = 0xb,      [4] = 0x13,     [5] = 0x25,
        [6] = 0x43,     [7] = 0x89,     [8] = 0x11d,    [9] = 0x211,    [10] = 0x409,
        [11] = 0x805,   [12] = 0x1053,  [13] = 0x201b,  [14] = 0x4443,  [15] = 0x8003,
        [16] = 0x1100b, [17] = 0x20009, [18] = 0x40081, [19] = 0x80027, [20] = 0x100009,
    };
    assert(degree >= 1 && degree <= IPOLY_DEGREE_MAX);
    return polynomials[degree];
}

/* The line number modulo the polynomial, straight from the definition: slow, for tables. */
static uint32_t ipoly_reduce(uint64_t line, unsigned degree)
{
    uint64_t polynomial = ipoly_polynomial(degree);
    for (unsigned bit = 63; bit >= degree; bit--)
        if (line >> bit & 1)
            line ^= polynomial << (bit - degree);
    return (uint32_t)line;
}

/* GPGPU-Sim writes its three hashes out as equations that use only this many low bits of the line
 * number. We use the same bits, so that its simulated 47-bit addresses fall in the same sets. */
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
    const unsigned used = ipoly_line_bits(index->bits);
    /* The remainder of a sum is the sum of the remainders, so each bit is reduced once. */
    for (unsigned i = 0; i < 8; i++)
        for (unsigned byte = 1; byte < 256; byte++) {
            const unsigned rest = byte & (byte - 1), bit = 8 * i + (unsigned)__builtin_ctz(byte);
            uint32_t lowest = index->fold[i][byte - rest];
            if (!rest)
                lowest = bit < used ? ipoly_reduce(UINT64_C(1) << bit, index->bits) : 0;
            index->fold[i][byte] = index->fold[i][rest] ^ lowest;
        }
}

enum status set_index_init(struct set_index *index, int function, uint64_t sets)
{
    memset(index, 0, sizeof *index);
    if (!index_holds(function, sets))
        return STATUS_INVALID;
    index->function = function;
    index->reach = index_reach(function, sets);
    index->mask = index->reach - 1;
    index->modulo = !is_power_of_two(index->reach);
    index->divisor = divisor_of(index->reach);
    index->bits = log2_floor(index->reach);
    if (function == INDEX_IPOLY)
        build_fold(index);
    return STATUS_OK;
}
