/* Compressed instructions beside what they abbreviate, as the GNU assembler encodes both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/simt/compressed.h"
#include "workload/simt/isa.h"

static void test_every_form(void **state)
{
    (void)state;
    static const struct {
        uint16_t half;
        uint32_t word;
    } cases[] = {
        {0x0088, 0x04010513}, /* c.addi4spn a0, sp, 64 */
        {0x1fe4, 0x3fc10493}, /* c.addi4spn s1, sp, 1020 */
        {0x4068, 0x04442503}, /* c.lw a0, 68(s0) */
        {0x7ffc, 0x07c7a787}, /* c.flw fa5, 124(a5) */
        {0xc0a8, 0x04a4a023}, /* c.sw a0, 64(s1) */
        {0xe148, 0x00a52227}, /* c.fsw fa0, 4(a0) */
        {0x0001, 0x00000013}, /* c.nop */
        {0x1501, 0xfe050513}, /* c.addi a0, -32 */
        {0x0ffd, 0x01ff8f93}, /* c.addi t6, 31 */
        {0x557d, 0xfff00513}, /* c.li a0, -1 */
        {0x4e7d, 0x01f00e13}, /* c.li t3, 31 */
        {0x7101, 0xe0010113}, /* c.addi16sp sp, -512 */
        {0x617d, 0x1f010113}, /* c.addi16sp sp, 496 */
        {0x6505, 0x00001537}, /* c.lui a0, 1 */
        {0x7f81, 0xfffe0fb7}, /* c.lui t6, 0xfffe0 */
        {0x817d, 0x01f55513}, /* c.srli a0, 31 */
        {0x8485, 0x4014d493}, /* c.srai s1, 1 */
        {0x9bfd, 0xfff7f793}, /* c.andi a5, -1 */
        {0x8d0d, 0x40b50533}, /* c.sub a0, a1 */
        {0x8c3d, 0x00f44433}, /* c.xor s0, a5 */
        {0x8f55, 0x00d76733}, /* c.or a4, a3 */
        {0x8e65, 0x00967633}, /* c.and a2, s1 */
        {0x02fe, 0x01f29293}, /* c.slli t0, 31 */
        {0x50fe, 0x0fc12083}, /* c.lwsp ra, 252(sp) */
        {0x6d86, 0x04012d87}, /* c.flwsp fs11, 64(sp) */
        {0x8082, 0x00008067}, /* c.jr ra */
        {0x857e, 0x01f00533}, /* c.mv a0, t6 */
        {0x9002, 0x00100073}, /* c.ebreak */
        {0x9302, 0x000300e7}, /* c.jalr t1 */
        {0x9daa, 0x00ad8db3}, /* c.add s11, a0 */
        {0xdf86, 0x0e112e23}, /* c.swsp ra, 252(sp) */
        {0xe12a, 0x08a12027}, /* c.fswsp fa0, 128(sp) */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (simt_expand(cases[i].half) != cases[i].word)
            fail_msg("0x%x is 0x%x, expected 0x%x", cases[i].half, simt_expand(cases[i].half),
                     cases[i].word);
}

static void test_jumps(void **state)
{
    (void)state;
    static const struct {
        uint16_t half;
        uint8_t op, d, s;
        int32_t offset;
    } cases[] = {
        {0xb009, SIMT_jal, 0, 0, -2046}, {0x3001, SIMT_jal, 1, 0, -2048},
        {0xafc9, SIMT_jal, 0, 0, 2002},  {0xc52d, SIMT_beq, 0, 10, 106},
        {0xe4a5, SIMT_bne, 0, 9, 104},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct simt_decoded found = simt_decode(simt_expand(cases[i].half));
        assert_int_equal(found.op, cases[i].op);
        assert_int_equal(found.d, cases[i].d);
        assert_int_equal(found.s, cases[i].s);
        assert_int_equal((int32_t)found.imm, cases[i].offset);
    }
}

/* What is reserved, what belongs to doubles, and what is no compressed instruction at all. */
static void test_none(void **state)
{
    (void)state;
    static const uint16_t halves[] = {
        0x0000, /* c.addi4spn of 0 */
        0x2000, /* c.fld */
        0xa000, /* c.fsd */
        0x8000, /* reserved */
        0x6101, /* c.addi16sp of 0 */
        0x6501, /* c.lui of 0 */
        0x9001, /* c.srli by 32 */
        0x9c01, /* c.subw */
        0x4002, /* c.lwsp to zero */
        0x8002, /* c.jr zero */
        0x1502, /* c.slli by 32 */
        0x0003, /* the first half of one of 32 bits */
    };
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        assert_int_equal(simt_expand(halves[i]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_form),
                                       cmocka_unit_test(test_jumps), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
