/* The assembler, the disassembler and the table of instructions that both use: words from the
 * manual, every instruction with random operands there and back, and what is said of mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "workload/simt/assembler.h"
#include "workload/simt/disassembler.h"
#include "workload/simt/fields.h"
#include "workload/simt/isa.h"

static uint32_t word_of(const struct simt_image *image, uint32_t index)
{
    uint32_t word;
    memcpy(&word, image->bytes + 4 * index, sizeof word);
    return word;
}

/* Words that the manual's tables give. */
static void test_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t word;
    } cases[] = {
        {"addi x1, x2, -1", 0xfff10093}, {"lui a0, 0x12345", 0x12345537},
        {"sw a1, 8(sp)", 0x00b12423},    {"beq a0, a1, .+8", 0x00b50463},
        {"jal ra, .-4", 0xffdff0ef},     {"ret", 0x00008067},
        {"mul a0, a1, a2", 0x02c58533},  {"fadd.s fa0, fa1, fa2", 0x00c5f553},
        {"ecall", 0x00000073},           {"fcvt.w.s a0, fa0, rtz", 0xc0051553},
        {"vx_bar a0, a1", 0x00b5400b},   {"csrr a0, mhartid", 0xf1402573},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct simt_image image;
        if (simt_assemble("test.s", cases[i].text, NULL, &image, NULL))
            fail_msg("'%s' was refused", cases[i].text);
        if (word_of(&image, 0) != cases[i].word)
            fail_msg("'%s' is 0x%08x, expected 0x%08x", cases[i].text, word_of(&image, 0),
                     cases[i].word);
        simt_image_free(&image);
    }
}

/* No word fits two rows, and every row is found. */
static void test_table(void **state)
{
    (void)state;
    for (unsigned a = 0; a < SIMT_OP_COUNT; a++) {
        const struct simt_instruction *one = &simt_instructions[a];
        assert_int_equal(one->match & ~one->mask, 0);
        assert_int_equal(simt_decode(one->match).op, a);
        for (unsigned b = 0; b < a; b++) {
            const struct simt_instruction *other = &simt_instructions[b];
            const uint32_t common = one->mask & other->mask;
            if ((one->match & common) == (other->match & common))
                fail_msg("%s and %s have a word in common", one->name, other->name);
        }
    }
}

/* Any word: its text assembles to the same word. Bits outside of a row's mask are random, so that
 * all operands occur. */
static void test_there_and_back(void **state)
{
    (void)state;
    enum { ROUNDS = 200 };
    for (unsigned op = 0; op <= SIMT_OP_COUNT; op++)
        for (uint64_t round = 0; round < ROUNDS; round++) {
            const uint32_t any = (uint32_t)random_at(op, round);
            const struct simt_instruction *row = op < SIMT_OP_COUNT ? &simt_instructions[op] : NULL;
            const uint32_t word = row ? row->match | (any & ~row->mask) : any;
            char text[SIMT_TEXT_BYTES];
            struct simt_image image;
            simt_disassemble(word, SIMT_TEXT_BASE, text);
            struct diagnostics diagnostics = DIAGNOSTICS_INIT;
            if (simt_assemble("test.s", text, NULL, &image, &diagnostics)) {
                diagnostics_print(&diagnostics, stderr);
                fail_msg("0x%08x is '%s', which is refused", word, text);
            }
            if (word_of(&image, 0) != word)
                fail_msg("0x%08x is '%s', which is 0x%08x", word, text, word_of(&image, 0));
            simt_image_free(&image);
        }
}

/* Immediates of every kind and value that fits come back. */
static void test_immediates(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < IMMEDIATE_COUNT; kind++) {
        const int64_t limit = INT64_C(1) << (immediate_bits[kind] - 1);
        const bool even = immediate_pieces[kind][0].low;
        for (int64_t value = -limit - 2; value < limit + 2; value += 1) {
            const bool fits = value >= -limit && value < limit && (!even || value % 2 == 0);
            assert_int_equal(immediate_fits(value, kind), fits);
            if (fits)
                assert_int_equal((int32_t)immediate_get(immediate_put((uint32_t)value, kind), kind),
                                 value);
        }
    }
}

/* Eight bytes, least significant first; a 64-bit number and its negative value fit. */
static void test_doublewords(void **state)
{
    (void)state;
    static const char text[] = "main: nop\n"
                               " .data\n"
                               " .dword 0x0123456789abcdef, -2, here\n"
                               "here: .quad -0x8000000000000000; .8byte 0xffffffffffffffff\n";
    static const uint64_t expected[] = {0x0123456789abcdef, UINT64_MAX - 1, SIMT_DATA_BASE + 24,
                                        UINT64_C(1) << 63, UINT64_MAX};
    struct simt_image image;
    assert_int_equal(simt_assemble("test.s", text, NULL, &image, NULL), STATUS_OK);
    const unsigned char *data = image.bytes + (SIMT_DATA_BASE - SIMT_TEXT_BASE);
    assert_int_equal(image.size, SIMT_DATA_BASE - SIMT_TEXT_BASE + sizeof expected);
    for (size_t i = 0; i < sizeof expected; i++)
        assert_int_equal(data[i], expected[i / 8] >> i % 8 * 8 & 0xff);
    simt_image_free(&image);
    static const char *const wrong[] = {".dword 0x10000000000000000", ".dword 18446744073709551616",
                                        ".equ n, 0x100000000", "li a0, 0x100000000"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(simt_assemble("test.s", wrong[i], NULL, &image, NULL), STATUS_INVALID);
}

static void test_data(void **state)
{
    (void)state;
    static const char text[] = " .equ N, 3\n"
                               "main: nop\n"
                               " la a0, end # a comment\n"
                               " .data\n"
                               "one: .word N, one, end - one ; .half 0x1234\n"
                               " .byte 'a', -1\n"
                               " .align 3\n"
                               " .float 1.5 // another\n"
                               " .asciz \"a;\\\"#\"\n"
                               "end: .space N * 2, 7\n";
    static const unsigned char expected[] = {3,   0,    0,    0,   0,   0, 16, 0,    30,   0,   0,
                                             0,   0x34, 0x12, 'a', 255, 0, 0,  0xc0, 0x3f, 'a', ';',
                                             '"', '#',  0,    7,   7,   7, 7,  7,    7};
    const struct simt_defines defines = {{{"N", 2}}, 1};
    struct simt_image image;
    assert_int_equal(simt_assemble("test.s", text, NULL, &image, NULL), STATUS_OK);
    const unsigned char *data = image.bytes + (SIMT_DATA_BASE - SIMT_TEXT_BASE);
    assert_int_equal(simt_symbol_find(&image, "end")->value, SIMT_DATA_BASE + 25);
    assert_int_equal(image.size, /* whole words */
                     SIMT_DATA_BASE - SIMT_TEXT_BASE + (sizeof expected + 3) / 4 * 4);
    for (size_t i = 0; i < sizeof expected; i++)
        if (i != 8) /* end - one */
            assert_int_equal(data[i], expected[i]);
    assert_int_equal(data[8], 25);
    char source[64];
    assert_int_equal(simt_image_line(&image, SIMT_TEXT_BASE + 4, source, sizeof source), 3);
    assert_string_equal(source, "la a0, end");
    simt_image_free(&image);
    assert_int_equal(simt_assemble("test.s", text, &defines, &image, NULL), STATUS_OK);
    assert_int_equal(image.bytes[SIMT_DATA_BASE - SIMT_TEXT_BASE], 2);
    simt_image_free(&image);
}

/* A load or store of a symbol is what stands for it, instruction by instruction. */
static void test_symbols_in_memory(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"lw a0, two", "1: auipc a0, %pcrel_hi(two)\n lw a0, %lo(two - 1b)(a0)"},
        {"lbu t1, two + 1", "1: auipc t1, %pcrel_hi(two + 1)\n lbu t1, %lo(two + 1 - 1b)(t1)"},
        {"flw fa0, two, t2", "1: auipc t2, %pcrel_hi(two)\n flw fa0, %lo(two - 1b)(t2)"},
        {"sh a1, two, t0", "1: auipc t0, %pcrel_hi(two)\n sh a1, %lo(two - 1b)(t0)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct simt_image images[2];
        for (int k = 0; k < 2; k++) {
            char text[300];
            snprintf(text, sizeof text, "main: nop\n %s\n ret\n.data\none: .word 1\ntwo: .word 2\n",
                     rows[i][k]);
            assert_int_equal(simt_assemble("test.s", text, NULL, &images[k], NULL), STATUS_OK);
        }
        assert_int_equal(images[0].size, images[1].size);
        assert_memory_equal(images[0].bytes, images[1].bytes, images[0].size);
        simt_image_free(&images[0]);
        simt_image_free(&images[1]);
    }
}

/* Every mistake of a file at once, each with its line and what would be right. */
static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"adi a0, a0, 1", "no instruction 'adi' in RV32IMAF; did you mean 'addi'?"},
        {"addi a0, a8, 1", "expected an integer register, found 'a8'; did you mean 'a0'?"},
        {"addi a0, fa0, 1", "expected an integer register, found 'fa0'"},
        {"addi a0, a0, 2048", "2048 is no value from -2048 to 2047"},
        {"slli a0, a0, 32", "32 is no value from 0 to 31"},
        {"add a0, a1", "expected 'add rd, rs1, rs2'"},
        {"j nowher", "no symbol 'nowher'; did you mean 'nowhere'?"},
        {"beq a0, a0, main + 8192",
         "the target is 8160 bytes away; -4096 to 4095 and even are possible"},
        {"la a0, nowher", "no symbol 'nowher'; did you mean 'nowhere'?"}, /* once */
        {"mv a0", "mv takes 2 operands, found 1"},
        {".wrod 1", "no directive '.wrod'; did you mean '.word'?"},
        {".data; .byte 256; .text", "256 does not fit 1 bytes"},
        {"li a0, behind", "li needs a value that is known here; la takes labels"},
        {"fadd.s fa0, fa0, fa0, rnd", "expected a rounding mode: rne, rtz, rdn, rup, rmm, dyn"},
        {"main: nop", "'main' is defined in line 1 already"},
        {"addi a0, a0, 1 / 0", "this divides by zero"},
        {"?", "expected a label, an instruction or a directive, found '?'"},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    char text[4096] = "main: nop\nnowhere: nop\n";
    for (size_t i = 0; i < CASES; i++) {
        strcat(text, cases[i].text);
        strcat(text, "\n");
    }
    strcat(text, "behind: nop\n");
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct simt_image image;
    assert_int_equal(simt_assemble("test.s", text, NULL, &image, &diagnostics), STATUS_INVALID);
    for (size_t i = 0; i < CASES && i < diagnostics.count; i++) {
        assert_int_equal(diagnostics.items[i].line, i + 3);
        assert_string_equal(diagnostics.items[i].message, cases[i].message);
    }
    assert_int_equal(diagnostics.errors, CASES);
    diagnostics_free(&diagnostics);
}

/* The first values below and above each range are refused, the last ones in it are not. */
static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after;
        int64_t least, most;
    } rows[] = {{"addi a0, a0, ", "", -2048, 2047},
                {"lw a0, ", "(a0)", -2048, 2047},
                {"sw a0, ", "(a0)", -2048, 2047},
                {"slli a0, a0, ", "", 0, 31},
                {"srai a0, a0, ", "", 0, 31},
                {"lui a0, ", "", 0, 0xfffff},
                {"auipc a0, ", "", 0, 0xfffff},
                {"csrrwi a0, 1, ", "", 0, 31},
                {"csrrw a0, ", ", a0", 0, 4095},
                {"amoadd.w a0, a0, ", "(a0)", 0, 0},
                {".byte ", "", -128, 255},
                {".half ", "", -32768, 65535},
                {".insn r ", ", 0, 0, a0, a0, a0", 0, 127},
                {".insn r 51, ", ", 0, a0, a0, a0", 0, 7},
                {".insn r 51, 0, ", ", a0, a0, a0", 0, 127}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t values[] = {rows[i].least - 1, rows[i].least, rows[i].most, rows[i].most + 1};
        for (unsigned k = 0; k < 4; k++) {
            char text[64];
            struct simt_image image;
            snprintf(text, sizeof text, "%s%lld%s", rows[i].before, (long long)values[k],
                     rows[i].after);
            const enum status status = simt_assemble("test.s", text, NULL, &image, NULL);
            if (!status)
                simt_image_free(&image);
            if ((status == STATUS_OK) != (k == 1 || k == 2))
                fail_msg("'%s' is %s", text, status ? "refused" : "accepted");
        }
    }
}

/* What stands for several instructions is as long as its operands: one byte too many is refused. */
static void test_long_operands(void **state)
{
    (void)state;
    enum { FITS = 511 - sizeof "jal zero," + 1 }; /* of a statement of 511 bytes */
    for (unsigned more = 0; more < 4; more++) {
        char text[600] = "main: j main";
        size_t length = strlen(text);
        for (; length < sizeof "main: j " - 1 + FITS + more; length++)
            text[length] = length % 2 ? '0' : '+';
        text[length - 1] = '0';
        text[length] = '\0';
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        struct simt_image image;
        const enum status status = simt_assemble("t.s", text, NULL, &image, &diagnostics);
        assert_int_equal(status, more ? STATUS_INVALID : STATUS_OK);
        if (status)
            assert_string_equal(diagnostics.items[0].message, "its operands are too long");
        else
            simt_image_free(&image);
        diagnostics_free(&diagnostics);
    }
}

/* Any bytes are a program or a list of mistakes. */
static void test_any_text(void **state)
{
    (void)state;
    static const char *const words[] = {"add",  "a0",    ",",     "(",   ")",      "lw",  "1f",
                                        "1:",   "main:", ".word", "li",  "0x",     "%lo", "\n",
                                        ";",    "#",     "'",     "\"",  ".align", "9",   "la",
                                        ".equ", "-",     "<<",    "fa0", ".space", " ",   ".insn"};
    for (uint64_t round = 0; round < 3000; round++) {
        char text[512] = "";
        for (uint64_t i = 0; i < 24; i++) {
            strcat(text,
                   words[random_below(random_at(round, 2 * i), sizeof words / sizeof *words)]);
            strcat(text, random_at(round, 2 * i + 1) & 1 ? " " : "");
        }
        struct simt_image image;
        if (!simt_assemble("test.s", text, NULL, &image, NULL))
            simt_image_free(&image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_immediates),
        cmocka_unit_test(test_doublewords),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_symbols_in_memory),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_long_operands),
        cmocka_unit_test(test_any_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
