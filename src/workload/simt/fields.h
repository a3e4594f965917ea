/* Where the fields of a RISC-V instruction stand. Encoding and decoding share these functions, so
 * that neither can know another place than the other. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum simt_field {
    FIELD_RD = 7,
    FIELD_ROUNDING = 12,
    FIELD_RS1 = 15,
    FIELD_RS2 = 20,
    FIELD_ORDER = 25,
    FIELD_RS3 = 27
};

static inline uint32_t field_get(uint32_t word, enum simt_field field)
{
    return (word >> field) & (field == FIELD_ROUNDING ? 7 : 31);
}

enum simt_immediate { IMMEDIATE_I, IMMEDIATE_S, IMMEDIATE_B, IMMEDIATE_J, IMMEDIATE_COUNT };

/* A run of bits of an immediate and its place in the instruction. */
struct immediate_piece {
    uint8_t low, bits, at; /* of the value, its bits, in the word; bits 0: no further piece */
};
enum { IMMEDIATE_PIECES = 4 };
static const struct immediate_piece immediate_pieces[IMMEDIATE_COUNT][IMMEDIATE_PIECES] = {
    [IMMEDIATE_I] = {{0, 12, 20}},
    [IMMEDIATE_S] = {{0, 5, 7}, {5, 7, 25}},
    [IMMEDIATE_B] = {{1, 4, 8}, {5, 6, 25}, {11, 1, 7}, {12, 1, 31}},
    [IMMEDIATE_J] = {{1, 10, 21}, {11, 1, 20}, {12, 8, 12}, {20, 1, 31}},
};
static const uint8_t immediate_bits[IMMEDIATE_COUNT] = {12, 12, 13, 21};

static inline uint32_t immediate_put(uint32_t value, enum simt_immediate kind)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < IMMEDIATE_PIECES; i++) {
        const struct immediate_piece *piece = &immediate_pieces[kind][i];
        word |= ((value >> piece->low) & ((1u << piece->bits) - 1)) << piece->at;
    }
    return word;
}

static inline uint32_t immediate_get(uint32_t word, enum simt_immediate kind)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < IMMEDIATE_PIECES; i++) {
        const struct immediate_piece *piece = &immediate_pieces[kind][i];
        value |= ((word >> piece->at) & ((1u << piece->bits) - 1)) << piece->low;
    }
    const uint32_t sign = 1u << (immediate_bits[kind] - 1);
    return (value ^ sign) - sign;
}

/* Whether a signed value fits, and is even where its lowest bit has no place. */
static inline bool immediate_fits(int64_t value, enum simt_immediate kind)
{
    const int64_t limit = INT64_C(1) << (immediate_bits[kind] - 1);
    return value >= -limit && value < limit && !(value & (immediate_pieces[kind][0].low));
}
