/* The SIMT processor: arithmetic at its edges, lanes that part and meet in both ways, barriers, and
 * what ends a program that goes wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/simt_run.h"

static const struct simt_setup one_lane = {1, 1, 1, false, 1000, SIMT_STACK_BYTES};
static const struct simt_setup one_warp = {1, 1, 8, false, 10000, SIMT_STACK_BYTES};
static const struct simt_setup masked = {1, 4, 8, true, 10000, SIMT_STACK_BYTES};

/* What the manual says of division by zero, overflow and conversions. */
static void test_arithmetic(void **state)
{
    (void)state;
    static const struct {
        const char *instruction;
        uint32_t a, b, result;
    } cases[] = {
        {"div a0, a1, a2", 7, 0, UINT32_MAX},
        {"div a0, a1, a2", 0x80000000, UINT32_MAX, 0x80000000},
        {"div a0, a1, a2", (uint32_t)-7, 2, (uint32_t)-3},
        {"rem a0, a1, a2", 7, 0, 7},
        {"rem a0, a1, a2", 0x80000000, UINT32_MAX, 0},
        {"rem a0, a1, a2", (uint32_t)-7, 2, (uint32_t)-1},
        {"divu a0, a1, a2", 7, 0, UINT32_MAX},
        {"remu a0, a1, a2", 7, 0, 7},
        {"mulh a0, a1, a2", 0x80000000, 0x80000000, 0x40000000},
        {"mulhu a0, a1, a2", UINT32_MAX, UINT32_MAX, 0xfffffffe},
        {"mulhsu a0, a1, a2", UINT32_MAX, UINT32_MAX, UINT32_MAX},
        {"sra a0, a1, a2", 0x80000000, 33, 0xc0000000},
        {"sltu a0, zero, a1", 5, 0, 1},
        {"fmv.w.x fa1, a1; fcvt.w.s a0, fa1, rtz", 0xbfc00000 /* -1.5 */, 0, (uint32_t)-1},
        {"fmv.w.x fa1, a1; fcvt.w.s a0, fa1, rne", 0x40200000 /* 2.5 */, 0, 2},
        {"fmv.w.x fa1, a1; fcvt.w.s a0, fa1, rmm", 0x40200000, 0, 3},
        {"fmv.w.x fa1, a1; fcvt.w.s a0, fa1, rdn", 0xbfc00000, 0, (uint32_t)-2},
        {"fmv.w.x fa1, a1; fcvt.w.s a0, fa1", 0x7fc00000 /* NaN */, 0, INT32_MAX},
        {"fmv.w.x fa1, a1; fcvt.wu.s a0, fa1", 0xbf800000 /* -1 */, 0, 0},
        {"fmv.w.x fa1, a1; fcvt.wu.s a0, fa1", 0x4f800000 /* 2^32 */, 0, UINT32_MAX},
        {"fmv.w.x fa1, a1; fmv.w.x fa2, a2; fmin.s fa0, fa1, fa2; fmv.x.w a0, fa0", 0x80000000, 0,
         0x80000000},
        {"fmv.w.x fa1, a1; fmv.w.x fa2, a2; fmax.s fa0, fa1, fa2; fmv.x.w a0, fa0", 0x7fc00000,
         0x3f800000, 0x3f800000},
        {"fmv.w.x fa1, a1; fmv.w.x fa2, a2; fdiv.s fa0, fa1, fa2; fmv.x.w a0, fa0", 0, 0,
         0x7fc00000},
        /* The flags of what came before; inexact 1, underflow 2, overflow 4, division 8, invalid 16
         */
        {"fmv.w.x fa1, a1; fmv.w.x fa2, a2; fdiv.s fa0, fa1, fa2; frflags a0", 0x3f800000, 0, 8},
        {"fmv.w.x fa1, a1; fmv.w.x fa2, a2; fmul.s fa0, fa1, fa2; frflags a0", 0x7f000000,
         0x7f000000, 5},
        {"fmv.w.x fa1, a1; fmv.w.x fa2, a2; fmul.s fa0, fa1, fa2; frflags a0", 0x00800001,
         0x3f000000, 3},
        {"fmv.w.x fa1, a1; fcvt.w.s a0, fa1, rtz; frflags a0", 0xff800000, 0, 16},
        {"fsflagsi 31; fsflags a0, x0; frflags a2; slli a2, a2, 8; or a0, a0, a2", 0, 0, 31},
        {"fscsr a1; frcsr a0", 0x1234, 0, 0x34},
        {"fsrm a1; frcsr a0", 7, 0, 7 << 5},
        /* 1 + 2^-24 lies halfway: up, down by default, and down by frm's mode */
        {"fmv.w.x fa1, a1; fmv.w.x fa2, a2; fadd.s fa0, fa1, fa2, rup; fmv.x.w a0, fa0", 0x3f800000,
         0x33800000, 0x3f800001},
        {"fmv.w.x fa1, a1; fmv.w.x fa2, a2; fadd.s fa0, fa1, fa2; fmv.x.w a0, fa0", 0x3f800000,
         0x33800000, 0x3f800000},
        {"fsrmi 4; fmv.w.x fa1, a1; fmv.w.x fa2, a2; fadd.s fa0, fa1, fa2; fmv.x.w a0, fa0",
         0x3f800000, 0x33800000, 0x3f800001},
        {"fmv.w.x fa1, a1; fclass.s a0, fa1", 0x80000001, 0, 1 << 2},
        {"fmv.w.x fa1, a1; fclass.s a0, fa1", 0x7f800000, 0, 1 << 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        struct simt_program program;
        snprintf(text, sizeof text,
                 "main: li a1, %u; li a2, %u; %s; la a3, result; sw a0, 0(a3); ret\n"
                 ".data; result: .word 0\n",
                 cases[i].a, cases[i].b, cases[i].instruction);
        simt_make(text, &one_lane, &program);
        unsigned char *memory = simt_run(&program, NULL);
        assert_non_null(memory);
        const uint32_t word = simt_word(&program, memory, "result", 0);
        if (word != cases[i].result)
            fail_msg("%s of 0x%x and 0x%x is 0x%x, expected 0x%x", cases[i].instruction, cases[i].a,
                     cases[i].b, word, cases[i].result);
        free(memory);
        simt_program_free(&program);
    }
}

/* Lanes do atomics one after the other, the lowest first, and each gets the word it found. */
static void test_atomics(void **state)
{
    (void)state;
    static const struct {
        const char *instruction;
        uint32_t word, last, of_lane_2;
    } cases[] = {
        {"amoadd.w t2, t1, (t0)", 100, 136, 103}, {"amoswap.w.aq t2, t1, (t0)", 100, 8, 2},
        {"amoor.w.rl t2, t1, (t0)", 0, 15, 3},    {"amoand.w t2, t1, (t0)", 15, 0, 0},
        {"amoxor.w.aqrl t2, t1, (t0)", 0, 8, 3},  {"amomax.w t2, t1, (t0)", -5u, 8, 2},
        {"amomin.w t2, t1, (t0)", -5u, -5u, -5u}, {"amomaxu.w t2, t1, 0(t0)", -5u, -5u, -5u},
        {"amominu.w t2, t1, 0(t0)", -5u, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        struct simt_program program;
        snprintf(text, sizeof text,
                 "main: la t0, word; addi t1, a0, 1; %s; la a3, found; slli a0, a0, 2\n"
                 "add a3, a3, a0; sw t2, 0(a3); ret\n"
                 ".data; word: .word %u; found: .space 32\n",
                 cases[i].instruction, cases[i].word);
        simt_make(text, &one_warp, &program);
        unsigned char *memory = simt_run(&program, NULL);
        assert_non_null(memory);
        assert_int_equal(simt_word(&program, memory, "word", 0), cases[i].last);
        assert_int_equal(simt_word(&program, memory, "found", 0), cases[i].word);
        assert_int_equal(simt_word(&program, memory, "found", 2), cases[i].of_lane_2);
        free(memory);
        simt_program_free(&program);
    }
}

/* What sc.w returns, 0 if it stored, after an lr.w and what else is done in between. */
static void test_reservations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t result;
    } cases[] = {
        {"sc.w t3, t1, (t0)", 1},
        {"lr.w t2, (t0); sc.w t3, t1, (t0)", 0},
        {"lr.w.aq t2, (t0); sc.w.rl t3, t1, (t0); sc.w t3, t1, (t0)", 1},
        {"addi t4, t0, 4; lr.w t2, (t4); sc.w t3, t1, (t0)", 1},
        {"addi t4, t0, 4; lr.w t2, (t0); lr.w t2, (t4); sc.w t3, t1, (t0)", 1},
        {"lr.w t2, (t0); sb t1, 3(t0); sc.w t3, t1, (t0)", 1},
        {"lr.w t2, (t0); sw t1, 4(t0); sc.w t3, t1, (t0)", 0},
        {"lr.w t2, (t0); amoadd.w t2, t1, (t0); sc.w t3, t1, (t0)", 1},
        {"lr.w t2, (t0); lw t2, (t0); sc.w t3, t1, (t0)", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        struct simt_program program;
        snprintf(text, sizeof text,
                 "main: la t0, word; li t1, 9; %s; la a3, result; sw t3, 0(a3); ret\n"
                 ".data; word: .word 1, 2; result: .word 77\n",
                 cases[i].text);
        simt_make(text, &one_lane, &program);
        unsigned char *memory = simt_run(&program, NULL);
        assert_non_null(memory);
        if (simt_word(&program, memory, "result", 0) != cases[i].result)
            fail_msg("'%s': expected %u", cases[i].text, cases[i].result);
        free(memory);
        simt_program_free(&program);
    }
}

/* All lanes of all warps count with lr.w and sc.w: each round one lane of a warp goes on. */
static void test_counter(void **state)
{
    (void)state;
    static const struct simt_setup setup = {1, 8, 8, false, 100000, SIMT_STACK_BYTES};
    struct simt_program program;
    simt_make("main: la t0, word\n"
              "1: lr.w t1, (t0); addi t1, t1, 1; sc.w t2, t1, (t0); bnez t2, 1b\n"
              "ret\n .data; word: .word 0\n",
              &setup, &program);
    unsigned char *memory = simt_run(&program, NULL);
    assert_non_null(memory);
    assert_int_equal(simt_word(&program, memory, "word", 0), 64);
    free(memory);
    simt_program_free(&program);
}

/* Memory ends with a whole word, whatever the last directive was. */
static void test_last_word(void **state)
{
    (void)state;
    struct simt_program program;
    simt_make("main: la t0, last; lw t1, 0(t0); la t2, result; sw t1, 0(t2); sw t1, 0(t0); ret\n"
              ".data; result: .word 0\n last: .byte 7\n",
              &one_lane, &program);
    assert_int_equal(program.image.size % 4, 0);
    unsigned char *memory = simt_run(&program, NULL);
    assert_non_null(memory);
    assert_int_equal(simt_word(&program, memory, "result", 0), 7);
    free(memory);
    simt_program_free(&program);
}

/* Lanes with program counters: those with the lowest go first, so both ways of a branch come before
 * what follows, which all lanes issue together. */
static void test_lowest_first(void **state)
{
    (void)state;
    struct simt_program program;
    simt_make("main: andi t0, a0, 1\n beqz t0, even\n odd: li t1, 3\n j all\n even: li t1, 2\n"
              "all: la t2, result; slli t3, a0, 2; add t2, t2, t3; sw t1, 0(t2); ret\n"
              ".data; result: .space 32\n",
              &one_warp, &program);
    struct simt_block *block;
    struct simt_step step;
    assert_int_equal(simt_block_start(&block, &program, 0, NULL), STATUS_OK);
    static const uint32_t masks[] = {0xff, 0xff, 0xaa, 0xaa, 0x55, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        assert_int_equal(simt_block_step(block, &step), SIMT_RAN);
        assert_int_equal(step.mask, masks[i]);
    }
    assert_true(step.ended);
    assert_int_equal(simt_block_step(block, &step), SIMT_ENDED);
    simt_block_free(block);
    unsigned char *memory = simt_run(&program, NULL);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(simt_word(&program, memory, "result", i), i % 2 ? 3 : 2);
    free(memory);
    simt_program_free(&program);
}

/* Masks: the first lane of the first warp starts the others, a split enables one half, then the
 * other, and the join all of them. */
static void test_masks(void **state)
{
    (void)state;
    struct simt_program program;
    simt_make("main: csrr t0, vx_warps; la t1, work; vx_wspawn t0, t1\n"
              "work: li t0, -1; vx_tmc t0\n"
              "csrr s0, mhartid; andi t1, s0, 3; seqz t2, t1\n"
              "vx_split s1, t2; beqz t2, else; li t3, 100; j end; else: li t3, 7; end: vx_join s1\n"
              "la t4, result; slli t5, s0, 2; add t4, t4, t5; sw t3, 0(t4)\n"
              "csrr t0, vx_lane_mask; sw t0, 128(t4)\n"
              "csrr t0, vx_warps; vx_bar zero, t0; vx_tmc zero\n"
              ".data; result: .space 256\n",
              &masked, &program);
    unsigned char *memory = simt_run(&program, NULL);
    assert_non_null(memory);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(simt_word(&program, memory, "result", i), i % 4 ? 7 : 100);
        assert_int_equal(simt_word(&program, memory, "result", 32 + i), 0xff);
    }
    free(memory);
    simt_program_free(&program);
}

/* vx_pred: lanes leave a loop one by one, and the mask given comes back when none is left. */
static void test_pred(void **state)
{
    (void)state;
    struct simt_program program;
    simt_make("main: li t0, -1; vx_tmc t0; csrr s0, vx_lane; mv t1, s0; li t2, 0; li s2, 255\n"
              "loop: addi t2, t2, 1; addi t1, t1, -1; slt t3, zero, t1; csrr s3, vx_lane_mask\n"
              "vx_pred t3, s2; csrr t4, vx_lane_mask; li t5, 255; bne t4, t5, loop\n"
              "la t4, result; slli t5, s0, 2; add t4, t4, t5; sw t2, 0(t4); vx_tmc zero\n"
              ".data; result: .space 32\n",
              &masked, &program);
    unsigned char *memory = simt_run(&program, NULL);
    assert_non_null(memory);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(simt_word(&program, memory, "result", i), i ? i : 1);
    free(memory);
    simt_program_free(&program);
}

/* Lanes of one warp come to a barrier by different ways, some end before it. */
static void test_barrier_of_lanes(void **state)
{
    (void)state;
    static const struct simt_setup setup = {1, 8, 8, false, 10000, SIMT_STACK_BYTES};
    struct simt_program program;
    simt_make("main: li t6, 0xff000000; slli t0, a0, 2; add t0, t0, t6\n"
              "andi t1, a0, 7; li t2, 5; bgt t1, t2, gone\n"
              "li t3, 1; bltu t1, t3, wait\n nop; nop\n"
              "wait: addi t4, a0, 50; sw t4, 0(t0); csrr t5, vx_warps; vx_bar zero, t5\n"
              "xori t1, a0, 8; slli t1, t1, 2; add t1, t1, t6; lw t4, 0(t1)\n"
              "la t2, result; slli t3, a0, 2; add t2, t2, t3; sw t4, 0(t2)\n"
              "gone: ret\n"
              ".data; result: .space 256\n",
              &setup, &program);
    char fault[160] = "";
    unsigned char *memory = simt_run(&program, fault);
    assert_string_equal(fault, "");
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(simt_word(&program, memory, "result", i), i % 8 > 5 ? 0 : (i ^ 8) + 50);
    free(memory);
    simt_program_free(&program);
}

static void test_faults(void **state)
{
    (void)state;
    static const struct {
        const char *text, *fault;
        bool masks;
    } cases[] = {
        {"li a0, 3; lw a1, 0(a0)", "0x3 is no multiple of 4", false},
        {"li a0, 64; lw a1, 0(a0)", "accesses 0x40, where there is no memory", false},
        {"la a0, main; sw a1, 0(a0)", "stores to 0x10000, which holds instructions", false},
        {"j .+64", "there are no instructions", false},
        {".word 0", "0x00000000 is no instruction of RV32IMAF", false},
        {".word 0x00a56553", "0x00a56553 is no instruction of RV32IMAF", false}, /* mode 6 */
        {"fsrmi 5; fadd.s fa0, fa0, fa0", "frm is 5, which is no rounding mode", false},
        {"csrwi cycle, 1", "csr cycle cannot be written", false},
        {"csrr t0, 0x345", "csr 0x345 is not there", false},
        {"addi sp, sp, -2032; addi sp, sp, -2032; addi sp, sp, -36; sw x0, 0(sp)",
         "the stack of lane 0 in warp 0 ends: 0x7fffeffc lies below its 4096 bytes; stack=BYTES "
         "gives it more",
         false},
        {"li t0, 0x50000; amoadd.w t0, t0, (t0)", "accesses 0x50000, where there is no memory",
         false},
        {"la t0, main; amoadd.w t0, t0, (t0)", "stores to 0x10000, which holds instructions",
         false},
        {"ebreak", "ebreak", false},
        {"csrw instret, a0", "csr instret cannot be written", false},
        {"li t0, 9; li t1, 2; vx_bar t0, t1", "all warps that are left wait at barriers", false},
        {"li t0, 99; vx_bar t0, t0", "barrier 99; there are 16", false},
        {"main2: j main2", "the block has issued 10000 instructions, its limit", false},
        {"vx_tmc a0", "vx_tmc needs masks; run the program with masks=1", false},
        {"li t0, -1; vx_tmc t0; csrr t0, vx_lane; beqz t0, main",
         "lanes of warp 0 part here; split them first", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], fault[160] = "";
        struct simt_program program;
        snprintf(text, sizeof text, "main: %s\n", cases[i].text);
        simt_make(text, cases[i].masks ? &masked : &one_warp, &program);
        if (simt_run(&program, fault))
            fail_msg("'%s' ran", cases[i].text);
        assert_string_equal(fault, cases[i].fault);
        simt_program_free(&program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_reservations),
        cmocka_unit_test(test_counter),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_last_word),
        cmocka_unit_test(test_lowest_first),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_pred),
        cmocka_unit_test(test_barrier_of_lanes),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
