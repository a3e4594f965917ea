#include "support/simt_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "support/roll_cache.h"
#include "support/slow_simt.h"
#include "workload/simt/assembler.h"
#include "workload/simt/compressed.h"
#include "workload/simt/fields.h"

enum { WORDS = 70, LIMIT = 3000, FIRST_BASE = 8 /* s0, s1 and s2 */ };

static uint32_t roll32(struct dice *dice, uint32_t bound)
{
    return (uint32_t)roll(dice, bound);
}

/* A register that programs may write: none of those that hold bases. */
static uint32_t roll_target(struct dice *dice)
{
    static const uint8_t targets[] = {0, 5, 6, 7, 14, 15, 16, 28, 29, 30};
    return targets[roll32(dice, sizeof targets)];
}

static const struct simt_instruction *roll_row(struct dice *dice)
{
    for (;;) {
        const struct simt_instruction *row = &simt_instructions[roll32(dice, SIMT_OP_COUNT)];
        const bool rare = row->kind == KIND_EXIT || row->kind == KIND_WARPS ||
                          row->kind == KIND_FENCE || row->kind == KIND_BREAK;
        if (row->kind == KIND_CSR || strchr(row->operands, 'o') == row->operands)
            continue;
        if (row->kind == KIND_ATOMIC && roll32(dice, 2)) /* there are many */
            continue;
        if (!strcmp(row->name, "jalr") || (row->kind == KIND_BREAK && roll32(dice, 50)))
            continue;
        if (row->kind == KIND_WARPS && strcmp(row->name, "vx_bar"))
            continue;
        if (!rare || !roll32(dice, 4))
            return row;
    }
}

/* Where a branch or a jump goes: a few instructions further, seldom back. */
static uint32_t roll_offset(struct dice *dice)
{
    return roll32(dice, 8) ? 4 * (2 + roll32(dice, 7)) : (uint32_t)-4 * (1 + roll32(dice, 6));
}

static uint32_t roll_word(struct dice *dice, bool floats)
{
    static const uint32_t csrs[] = {CSR_LANE, CSR_LANE_MASK, CSR_WARPS, CSR_CYCLE, CSR_WARP_MASK};
    if (!roll32(dice, 25)) /* csrrs rd, csr, x0 */
        return 0x2073 | roll_target(dice) << FIELD_RD | csrs[roll32(dice, 5)] << 20;
    if (floats && !roll32(dice, 15)) { /* reads and writes fflags, frm or fcsr */
        const uint32_t csr = CSR_FFLAGS + roll32(dice, 3);
        const uint32_t source = csr == CSR_FFLAGS ? roll32(dice, 32) : roll32(dice, 20) ? 0 : 4;
        return (uint32_t[]){0x1073, 0x2073, 0x3073, 0x5073, 0x6073, 0x7073}[roll32(dice, 6)] |
               roll_target(dice) << FIELD_RD | source << FIELD_RS1 | csr << 20;
    }
    if (floats && !roll32(dice, 40)) /* csrrwi x0, frm, a mode */
        return 0x5073 | roll32(dice, 5) << FIELD_RS1 | CSR_FRM << 20;
    const struct simt_instruction *row = roll_row(dice);
    uint32_t word = row->match | ((uint32_t)random_at(dice->seed, dice->next++) & ~row->mask);
    if (strchr(row->operands, 'd')) {
        word &= ~(31u << FIELD_RD);
        word |= roll_target(dice) << FIELD_RD;
    }
    if (strchr(row->operands, 'm') && roll32(dice, 40)) {
        word &= ~(7u << FIELD_ROUNDING);
        word |= (uint32_t[]){0, 1, 2, 3, 4, 7, 7, 7}[roll32(dice, 8)] << FIELD_ROUNDING;
    }
    if (strchr(row->operands, 'p'))
        return (word & 0x01fff07f) | immediate_put(roll_offset(dice), IMMEDIATE_B);
    if (strchr(row->operands, 'a'))
        return (word & 0xfff) | immediate_put(roll_offset(dice), IMMEDIATE_J);
    if (row->kind == KIND_WARPS) /* barrier 0, of all warps: s3 says how many they are */
        return row->match | (FIRST_BASE + 11u) << FIELD_RS2;
    if (row->kind == KIND_ATOMIC) /* with a base as its address */
        return (word & ~(31u << FIELD_RS1)) | (uint32_t[]){8, 9, 18}[roll32(dice, 3)] << FIELD_RS1;
    if (row->kind != KIND_LOAD && row->kind != KIND_STORE)
        return word;
    const uint32_t base = roll32(dice, 12) ? (uint32_t[]){8, 9, 18, 2}[roll32(dice, 4)] : 5;
    const uint32_t offset = row->bytes * roll32(dice, 200) - (base == 2 ? 1024 : 0);
    word = (word & ~(31u << FIELD_RS1)) | base << FIELD_RS1;
    return row->kind != KIND_STORE ? (word & 0xfffff) | immediate_put(offset, IMMEDIATE_I)
                                   : (word & 0x1fff07f) | immediate_put(offset, IMMEDIATE_S);
}

/* Two compressed instructions, mostly ones that write registers which programs may write, and that
 * go or access no further than those of 32 bits. */
static uint32_t roll_halves(struct dice *dice)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 2;) {
        const uint32_t half = roll32(dice, 0x10000);
        const struct simt_decoded decoded = simt_decode(simt_expand(half));
        const bool accesses = decoded.kind == KIND_LOAD || decoded.kind == KIND_STORE;
        const bool jumps = decoded.kind == KIND_BRANCH || decoded.op == SIMT_jal;
        const bool near_base = decoded.s == 8 || decoded.s == 9 || decoded.s == 2;
        const bool writes = decoded.d >= 5 && (decoded.d < 8 || decoded.d > 13) && decoded.d != 18;
        if (decoded.op == SIMT_OP_COUNT || (accesses && !near_base) || (decoded.d && !writes) ||
            (jumps && decoded.imm + 12 > 40) || decoded.op == SIMT_jalr ||
            (decoded.op == SIMT_ebreak && roll32(dice, 8)))
            continue;
        word |= half << 16 * i++;
    }
    return word;
}

/* s0 holds neighbouring words, s1 scattered ones, s2 the shared RAM. */
static void roll_program(struct dice *dice, struct simt_program *program)
{
    char text[8192];
    const struct simt_setup setup = {
        2,     1 + roll32(dice, 8),        1 + roll32(dice, 8),
        false, LIMIT - roll32(dice, 2000), SIMT_STACK_BYTES << roll32(dice, 2)};
    const bool floats = !roll32(dice, 2), compressed = !roll32(dice, 3);
    struct simt_image image;
    size_t used = 0;
    if (roll32(dice, 2)) /* blocks start as they are told to */
        used = (size_t)snprintf(text, sizeof text,
                                ".equ _start_0_a5, %u\n .equ _start_1_a4, %u\n"
                                ".equ _start_1_ft3, 0x40490fdb\n %s: addi t2, a4, 5\n",
                                roll32(dice, 1 << 20), roll32(dice, 1 << 30),
                                roll32(dice, 2) ? "_start_1" : "main_1");
    used += (size_t)snprintf(
        text + used, sizeof text - used,
        "main: la s0, data\n slli t0, a0, 2\n add s0, s0, t0\n la s1, data\n li t1, %u\n"
        "mul t1, a0, t1\n andi t1, t1, 252\n add s1, s1, t1\n li s2, 0xff000000\n"
        "add s2, s2, t0\n csrr s3, vx_warps\n",
        roll32(dice, 100000));
    for (unsigned i = 0; i < WORDS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ".word %u\n",
                                 compressed && roll32(dice, 2) ? roll_halves(dice)
                                                               : roll_word(dice, floats));
    snprintf(text + used, sizeof text - used,
             "ret\n ret\n ret\n ret\n ret\n ret\n ret\n ret\n ret\n ret\n"
             ".data\n data: .space 9000\n .word 1, 2, 3\n");
    assert_int_equal(simt_assemble("test.s", text, NULL, &image, NULL), STATUS_OK);
    image.place_shift = compressed ? 1 : 2;
    assert_int_equal(simt_program_init(program, &image, &setup), STATUS_OK);
}

static void same_step(const struct simt_step *found, const struct simt_step *wanted)
{
    assert_int_equal(found->count, 1);
    assert_int_equal(found->warp, wanted->warp);
    assert_int_equal(found->pc, wanted->pc);
    assert_int_equal(found->mask, wanted->mask);
    assert_int_equal(found->op, wanted->op);
    assert_int_equal(found->bytes, wanted->bytes);
    assert_int_equal(found->shared, wanted->shared);
    assert_int_equal(found->arrived, wanted->arrived);
    assert_int_equal(found->ended, wanted->ended);
    for (unsigned lane = 0; wanted->bytes && lane < SIMT_LANES; lane++)
        if (wanted->mask >> lane & 1)
            assert_int_equal(found->addresses[lane], wanted->addresses[lane]);
}

/* The instructions of a step against those of the twin, of which there are `left`; how many. */
static size_t same_steps(const struct simt_program *program, const struct simt_step *found,
                         const struct simt_step *wanted, size_t left)
{
    struct simt_step one = *found;
    for (size_t i = 0; i < found->count && i < left; i++) {
        const struct simt_decoded *decoded =
            &program->decoded[simt_place_of(&program->image, one.pc)];
        one.count = 1;
        one.op = decoded->op;
        same_step(&one, &wanted[i]);
        one = (struct simt_step){.warp = one.warp, .pc = one.pc + decoded->size, .mask = one.mask};
    }
    return found->count;
}

/* What a program left in registers and memory. */
static void same_state(const struct simt_block *block, const struct slow_simt *slow)
{
    const struct simt_setup *setup = &block->program->setup;
    for (uint32_t w = 0; w < setup->warps; w++)
        for (uint32_t lane = 0; lane < setup->lanes; lane++) {
            for (unsigned r = 0; r < SIMT_REGISTERS; r++)
                assert_int_equal(block->warps[w].registers[r][lane],
                                 slow->lanes[w][lane].registers[r]);
            if (block->program->reads_floats) /* else nobody keeps what nobody reads */
                assert_int_equal(block->warps[w].fcsr[lane], slow->lanes[w][lane].fcsr);
        }
    assert_memory_equal(block->memory, slow->memory, block->program->image.size);
    assert_memory_equal(block->stacks, slow->stacks, setup->warps * setup->lanes * setup->stack);
    assert_memory_equal(block->shared, slow->shared, SIMT_SHARED_BYTES);
}

/* Step by step, in turn. */
static enum simt_result compare_steps(const struct simt_program *program, uint32_t index,
                                      bool vectors)
{
    struct simt_block *block;
    struct slow_simt slow;
    enum simt_result result = SIMT_RAN;
    assert_int_equal(simt_block_start(&block, program, index, NULL), STATUS_OK);
    block->vectors &= vectors;
    slow_simt_start(&slow, program, index);
    while (result == SIMT_RAN) {
        struct simt_step step, wanted;
        result = slow_simt_step(&slow, &wanted);
        assert_int_equal(simt_block_step(block, &step), result);
        if (result == SIMT_RAN)
            same_step(&step, &wanted);
    }
    if (result == SIMT_ENDED)
        same_state(block, &slow);
    slow_simt_free(&slow);
    simt_block_free(block);
    return result;
}

/* In stretches, warp by warp: each warp's steps are those of the twin, in order. */
static void compare_stretches(struct dice *dice, const struct simt_program *program, uint32_t index)
{
    enum { MOST = 150 };
    static struct simt_step wanted[SIMT_WARPS][LIMIT];
    size_t counts[SIMT_WARPS] = {0}, at[SIMT_WARPS] = {0};
    struct simt_block *block;
    struct slow_simt slow;
    enum simt_result result, found = SIMT_RAN;
    struct simt_step step;
    slow_simt_start(&slow, program, index);
    while ((result = slow_simt_step(&slow, &step)) == SIMT_RAN)
        wanted[step.warp][counts[step.warp]++] = step;
    assert_int_equal(simt_block_start(&block, program, index, NULL), STATUS_OK);
    while (found == SIMT_RAN) {
        struct simt_step steps[MOST];
        const size_t most = 1 + roll32(dice, MOST);
        const size_t made = simt_block_run(block, steps, most, &found);
        assert_true(found == SIMT_RAN ? made == most : made <= most);
        for (size_t i = 0; i < made; i++) {
            const uint32_t warp = steps[i].warp;
            const size_t left = /* 0: after a fault others may have been ahead */
                at[warp] < counts[warp] ? counts[warp] - at[warp] : 0;
            at[warp] += same_steps(program, &steps[i], wanted[warp] + counts[warp] - left, left);
        }
    }
    assert_int_equal(found, result);
    for (unsigned w = 0; w < SIMT_WARPS; w++)
        assert_true(result == SIMT_FAULT ? at[w] >= counts[w] : at[w] == counts[w]);
    if (result == SIMT_ENDED)
        same_state(block, &slow);
    slow_simt_free(&slow);
    simt_block_free(block);
}

unsigned simt_twin_check(uint64_t seed)
{
    struct dice dice = {.seed = seed};
    struct simt_program program;
    unsigned ended = 0;
    roll_program(&dice, &program);
    for (uint32_t index = 0; index < program.setup.blocks; index++) {
        ended += compare_steps(&program, index, false) == SIMT_ENDED;
        compare_steps(&program, index, true);
        compare_stretches(&dice, &program, index);
    }
    simt_program_free(&program);
    return ended;
}
