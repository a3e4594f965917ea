/* Floating point in integers against the host's: values and flags in the modes that both have, and
 * rounding to the nearest with halves away from zero against a wider format. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "workload/simt/arithmetic.h"
#include "workload/simt/exact_float.h"

enum { ROUNDS = 200000 };

/* Bits of a float: of any kind, or special ones, or ones near each other, so that sums cancel and
 * results are tiny, too large or halves. */
static uint32_t roll_bits(uint64_t *at)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 1,
                                       0x80000001, 0x7fffff,   0x800000,   0x80800000, 0x7f7fffff,
                                       0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
                                       0xffffffff, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000,
                                       0x4f7fffff, 0x3f000000, 0xbf000000, 0x3fc00000};
    const uint32_t any = (uint32_t)random_at(77, (*at)++);
    switch (random_at(78, *at) % 5) {
    case 0:
        return special[any % (sizeof special / sizeof *special)];
    case 1: /* a few bits, so that halves are frequent */
        return (any & 0xff800000) | (any & 0x7 ? 0 : any << 11 & 0x7fffff);
    case 2: /* exponents near those of 1 */
        return (any & 0x807fffff) | (0x70 + (any >> 27)) << 23;
    case 3: /* near the smallest */
        return (any & 0x807fffff) | (any >> 24 & 31) << 23;
    default:
        return any;
    }
}

static const int host_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static uint32_t host_flags(void)
{
    const int raised = fetestexcept(FE_ALL_EXCEPT);
    return (raised & FE_INEXACT ? FLOAT_INEXACT : 0u) |
           (raised & FE_UNDERFLOW ? FLOAT_UNDERFLOW : 0u) |
           (raised & FE_OVERFLOW ? FLOAT_OVERFLOW : 0u) |
           (raised & FE_DIVBYZERO ? FLOAT_DIVIDE : 0u) | (raised & FE_INVALID ? FLOAT_INVALID : 0u);
}

/* What the host computes, if it is asked at run time and in this order. */
static uint32_t host(enum simt_op op, uint32_t a, uint32_t b, uint32_t c)
{
    volatile float x = float_of(a), y = float_of(b), z = float_of(c), result;
    volatile double wide;
    switch (op) {
    case SIMT_fmadd_s:
        result = fmaf(x, y, z);
        break;
    case SIMT_fmsub_s:
        result = fmaf(x, y, -z);
        break;
    case SIMT_fnmsub_s:
        result = fmaf(-x, y, z);
        break;
    case SIMT_fnmadd_s:
        result = fmaf(-x, y, -z);
        break;
    case SIMT_fadd_s:
        result = x + y;
        break;
    case SIMT_fsub_s:
        result = x - y;
        break;
    case SIMT_fmul_s:
        result = x * y;
        break;
    case SIMT_fdiv_s:
        result = x / y;
        break;
    case SIMT_fsqrt_s:
        result = sqrtf(x);
        break;
    case SIMT_fcvt_s_w:
        result = (float)(int32_t)a;
        break;
    case SIMT_fcvt_s_wu:
        wide = (double)a;
        result = (float)wide;
        break;
    case SIMT_feq_s:
        return x == y;
    case SIMT_flt_s:
        return x < y;
    case SIMT_fle_s:
        return x <= y;
    case SIMT_fmin_s:
        return least(a, b);
    case SIMT_fmax_s:
        return most(a, b);
    default:
        fail();
    }
    return float_bits(result);
}

static bool nan_of(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/* Instructions of which the host raises other flags: RISC-V says that a signalling NaN is invalid,
 * and so is infinity times 0 plus a NaN. */
static uint32_t expected_flags(enum simt_op op, uint32_t a, uint32_t b, uint32_t c, uint32_t flags)
{
    const bool signals = (nan_of(a) && !(a >> 22 & 1)) || (nan_of(b) && !(b >> 22 & 1));
    const char *operands = simt_instructions[op].operands;
    const bool fuses = strlen(operands) > 6 && operands[6] == 'R';
    const uint32_t x = a & 0x7fffffff, y = b & 0x7fffffff;
    if (op == SIMT_fmin_s || op == SIMT_fmax_s || op == SIMT_feq_s)
        return signals ? FLOAT_INVALID : 0;
    if (op == SIMT_flt_s || op == SIMT_fle_s)
        return nan_of(a) || nan_of(b) ? FLOAT_INVALID : 0;
    if (fuses && nan_of(c) && ((x == 0x7f800000 && !y) || (!x && y == 0x7f800000)))
        return FLOAT_INVALID;
    return flags;
}

static void test_host(void **state)
{
    (void)state;
    uint64_t at = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t a = roll_bits(&at), b = roll_bits(&at);
        const uint32_t c = round % 3 ? roll_bits(&at) : float_bits(-float_of(a) * float_of(b));
        const uint32_t mode = round % 4;
        for (unsigned op = 0; op < SIMT_OP_COUNT; op++) {
            if (simt_instructions[op].kind != KIND_FLOAT)
                continue;
            struct float_control control = {.rounding = mode};
            const uint32_t found = exact_float(op, a, b, c, &control);
            fesetround(host_modes[mode]);
            feclearexcept(FE_ALL_EXCEPT);
            const uint32_t wanted = host(op, a, b, c);
            const uint32_t flags = host_flags();
            fesetround(FE_TONEAREST);
            if (found != wanted || control.flags != expected_flags(op, a, b, c, flags))
                fail_msg("%s 0x%x 0x%x 0x%x, mode %u: 0x%x with 0x%x, expected 0x%x with 0x%x",
                         simt_instructions[op].name, a, b, c, mode, found, control.flags, wanted,
                         expected_flags(op, a, b, c, flags));
        }
    }
}

/* Rounds a value of a wider format that lies between the smallest normal and the largest float, the
 * halves away from zero. */
static uint32_t round_away(double wide)
{
    const float near = (float)wide;
    const float other = nextafterf(near, fabs((double)near) < fabs(wide) ? (float)(wide * 2) : 0);
    const double from_near = fabs(wide - (double)near), from_other = fabs((double)other - wide);
    return float_bits(from_near == from_other && fabsf(other) > fabsf(near) ? other : near);
}

static void test_away(void **state)
{
    (void)state;
    uint64_t at = 0;
    unsigned halves = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t a = roll_bits(&at), b = roll_bits(&at);
        const double sum = (double)float_of(a) + (double)float_of(b);
        const double product = (double)float_of(a) * (double)float_of(b);
        struct float_control control = {.rounding = ROUND_AWAY};
        if (fabs(product) > 1e-37 && fabs(product) < 3e38)
            assert_int_equal(exact_float(SIMT_fmul_s, a, b, 0, &control), round_away(product));
        const double distance = fabs(log2(fabs((double)float_of(a) / (double)float_of(b))));
        if (!(distance < 28 && fabs(sum) > 1e-37 && fabs(sum) < 3e38))
            continue; /* exact in the wider format */
        assert_int_equal(exact_float(SIMT_fadd_s, a, b, 0, &control), round_away(sum));
        halves += float_bits((float)sum) != round_away(sum);
    }
    assert_true(halves > 10);
}

/* Conversions to integers: the values are those of arithmetic.h in every mode; the flags follow. */
static void test_integers(void **state)
{
    (void)state;
    uint64_t at = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t a = roll_bits(&at), mode = round % 5;
        struct float_control word = {.rounding = mode}, unsigned_word = {.rounding = mode};
        const uint32_t found = exact_float(SIMT_fcvt_w_s, a, 0, 0, &word);
        const uint32_t found_unsigned = exact_float(SIMT_fcvt_wu_s, a, 0, 0, &unsigned_word);
        assert_int_equal(found, to_signed(a, mode));
        assert_int_equal(found_unsigned, to_unsigned(a, mode));
        const double whole = rounded(float_of(a), mode);
        const uint32_t inexact = whole != (double)float_of(a) ? FLOAT_INEXACT : 0;
        assert_int_equal(word.flags,
                         whole >= -2147483648.0 && whole <= 2147483647.0 ? inexact : FLOAT_INVALID);
        assert_int_equal(unsigned_word.flags,
                         whole >= 0 && whole <= 4294967295.0 ? inexact : FLOAT_INVALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_host), cmocka_unit_test(test_away),
                                       cmocka_unit_test(test_integers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
