#include "workload/simt/compressed.h"

#include "workload/simt/fields.h"
#include "workload/simt/isa.h"

/* How immediates lie in 16 bits. `sign` is the highest bit of a signed one, 0: it has no sign. */
enum form {
    FORM_ADDI4SPN,
    FORM_WORD,
    FORM_SMALL,
    FORM_SHIFT,
    FORM_JUMP,
    FORM_ADDI16SP,
    FORM_LUI,
    FORM_BRANCH,
    FORM_LOAD_SP,
    FORM_STORE_SP,
    FORM_COUNT
};
enum { PIECES = 8 };
static const struct {
    uint32_t sign;
    struct immediate_piece pieces[PIECES];
} forms[FORM_COUNT] = {
    [FORM_ADDI4SPN] = {0, {{4, 2, 11}, {6, 4, 7}, {2, 1, 6}, {3, 1, 5}}},
    [FORM_WORD] = {0, {{3, 3, 10}, {2, 1, 6}, {6, 1, 5}}},
    [FORM_SMALL] = {1u << 5, {{0, 5, 2}, {5, 1, 12}}},
    [FORM_SHIFT] = {0, {{0, 5, 2}, {5, 1, 12}}},
    [FORM_JUMP] = {1u << 11,
                   {{11, 1, 12},
                    {4, 1, 11},
                    {8, 2, 9},
                    {10, 1, 8},
                    {6, 1, 7},
                    {7, 1, 6},
                    {1, 3, 3},
                    {5, 1, 2}}},
    [FORM_ADDI16SP] = {1u << 9, {{9, 1, 12}, {4, 1, 6}, {6, 1, 5}, {7, 2, 3}, {5, 1, 2}}},
    [FORM_LUI] = {1u << 17, {{17, 1, 12}, {12, 5, 2}}},
    [FORM_BRANCH] = {1u << 8, {{8, 1, 12}, {3, 2, 10}, {6, 2, 5}, {1, 2, 3}, {5, 1, 2}}},
    [FORM_LOAD_SP] = {0, {{5, 1, 12}, {2, 3, 4}, {6, 2, 2}}},
    [FORM_STORE_SP] = {0, {{2, 4, 9}, {6, 2, 7}}},
};

static uint32_t immediate(uint32_t half, enum form form)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < PIECES; i++) {
        const struct immediate_piece *piece = &forms[form].pieces[i];
        value |= ((half >> piece->at) & ((1u << piece->bits) - 1)) << piece->low;
    }
    return (value ^ forms[form].sign) - forms[form].sign;
}

/* Instructions of 32 bits from their parts. */
static uint32_t with_registers(enum simt_op op, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return simt_instructions[op].match | rd << FIELD_RD | rs1 << FIELD_RS1 | rs2 << FIELD_RS2;
}

static uint32_t with_immediate(enum simt_op op, uint32_t rd, uint32_t rs1, uint32_t value)
{
    return with_registers(op, rd, rs1, 0) | immediate_put(value, IMMEDIATE_I);
}

static uint32_t with_store(enum simt_op op, uint32_t rs1, uint32_t rs2, uint32_t offset)
{
    return with_registers(op, 0, rs1, rs2) | immediate_put(offset, IMMEDIATE_S);
}

/* The registers: any, as destination or second operand, and those of x8 to x15. */
enum { ZERO = 0, RA = 1, SP = 2 };
static uint32_t any_register(uint32_t half)
{
    return half >> 7 & 31;
}

static uint32_t second_register(uint32_t half)
{
    return half >> 2 & 31;
}

static uint32_t near_register(uint32_t half)
{
    return 8 + (half >> 7 & 7);
}

static uint32_t near_second(uint32_t half)
{
    return 8 + (half >> 2 & 7);
}

static uint32_t expand_near_words(uint32_t half)
{
    const uint32_t address = near_register(half), data = near_second(half);
    const uint32_t offset = immediate(half, FORM_WORD);
    switch (half >> 13) {
    case 0:
        return immediate(half, FORM_ADDI4SPN)
                   ? with_immediate(SIMT_addi, data, SP, immediate(half, FORM_ADDI4SPN))
                   : 0;
    case 2:
        return with_immediate(SIMT_lw, data, address, offset);
    case 3:
        return with_immediate(SIMT_flw, data, address, offset);
    case 6:
        return with_store(SIMT_sw, address, data, offset);
    case 7:
        return with_store(SIMT_fsw, address, data, offset);
    default:
        return 0;
    }
}

static uint32_t expand_near_arithmetic(uint32_t half)
{
    static const uint8_t ops[] = {SIMT_sub, SIMT_xor, SIMT_or, SIMT_and};
    const uint32_t rd = near_register(half), shift = immediate(half, FORM_SHIFT);
    switch (half >> 10 & 3) {
    case 0:
        return shift < 32 ? with_immediate(SIMT_srli, rd, rd, shift) : 0;
    case 1:
        return shift < 32 ? with_immediate(SIMT_srai, rd, rd, shift) : 0;
    case 2:
        return with_immediate(SIMT_andi, rd, rd, immediate(half, FORM_SMALL));
    default:
        return half >> 12 & 1 ? 0 : with_registers(ops[half >> 5 & 3], rd, rd, near_second(half));
    }
}

static uint32_t expand_immediates(uint32_t half)
{
    const uint32_t rd = any_register(half), value = immediate(half, FORM_SMALL);
    switch (half >> 13) {
    case 0:
        return with_immediate(SIMT_addi, rd, rd, value);
    case 1:
        return with_registers(SIMT_jal, RA, 0, 0) |
               immediate_put(immediate(half, FORM_JUMP), IMMEDIATE_J);
    case 2:
        return with_immediate(SIMT_addi, rd, ZERO, value);
    case 3:
        if (!value)
            return 0;
        return rd == SP ? with_immediate(SIMT_addi, SP, SP, immediate(half, FORM_ADDI16SP))
                        : with_registers(SIMT_lui, rd, 0, 0) | immediate(half, FORM_LUI);
    case 4:
        return expand_near_arithmetic(half);
    case 5:
        return with_registers(SIMT_jal, ZERO, 0, 0) |
               immediate_put(immediate(half, FORM_JUMP), IMMEDIATE_J);
    default:
        return with_registers(half >> 13 == 6 ? SIMT_beq : SIMT_bne, 0, near_register(half), ZERO) |
               immediate_put(immediate(half, FORM_BRANCH), IMMEDIATE_B);
    }
}

static uint32_t expand_moves(uint32_t half)
{
    const uint32_t rd = any_register(half), rs2 = second_register(half);
    const bool links = half >> 12 & 1;
    if (rs2)
        return with_registers(SIMT_add, rd, links ? rd : ZERO, rs2);
    if (rd)
        return with_immediate(SIMT_jalr, links ? RA : ZERO, rd, 0);
    return links ? simt_instructions[SIMT_ebreak].match : 0;
}

static uint32_t expand_far_words(uint32_t half)
{
    const uint32_t rd = any_register(half), rs2 = second_register(half);
    const uint32_t shift = immediate(half, FORM_SHIFT);
    switch (half >> 13) {
    case 0:
        return shift < 32 ? with_immediate(SIMT_slli, rd, rd, shift) : 0;
    case 2:
        return rd ? with_immediate(SIMT_lw, rd, SP, immediate(half, FORM_LOAD_SP)) : 0;
    case 3:
        return with_immediate(SIMT_flw, rd, SP, immediate(half, FORM_LOAD_SP));
    case 4:
        return expand_moves(half);
    case 6:
        return with_store(SIMT_sw, SP, rs2, immediate(half, FORM_STORE_SP));
    case 7:
        return with_store(SIMT_fsw, SP, rs2, immediate(half, FORM_STORE_SP));
    default:
        return 0;
    }
}

uint32_t simt_expand(uint32_t half)
{
    half &= 0xffff;
    switch (half & 3) {
    case 0:
        return expand_near_words(half);
    case 1:
        return expand_immediates(half);
    case 2:
        return expand_far_words(half);
    default:
        return 0;
    }
}
