/* Bit counts, and division by a number that is only known at run time, against the compiler's own
 * division. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/rng.h"

static void bits_are_counted(void **state)
{
    (void)state;
    assert_int_equal(bits_count(0), 0);
    assert_int_equal(bits_count(UINT32_MAX), 32);
    for (uint64_t i = 0; i < 10000; i++) {
        uint32_t bits = (uint32_t)(random_at(1, i) & random_at(2, i));
        unsigned count = 0;
        for (uint32_t left = bits; left; left >>= 1)
            count += left & 1;
        assert_int_equal(bits_count(bits), count);
    }
}

static void logarithms_are_exact(void **state)
{
    (void)state;
    assert_int_equal(log2_ceil(0), 0);
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t value = (random_at(9, i) >> (random_at(10, i) & 63)) | 1;
        value += i % 3 == 1 && value < UINT64_MAX;
        unsigned floor = 0;
        while (value >> floor > 1)
            floor++;
        assert_int_equal(log2_floor(value), floor);
        assert_int_equal(log2_ceil(value), floor + !is_power_of_two(value));
    }
}

static void check(uint64_t value, uint64_t by)
{
    struct divisor divisor = divisor_of(by);
    assert_true(divisor_divide(value, &divisor) == value / by);
}

/* Every kind of divisor, with dividends on both sides of a multiple and of the limit. */
static void quotients_are_exact(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t by = i < 5000 ? i + 1 : (random_at(3, i) >> (random_at(4, i) & 63)) | 1;
        struct divisor divisor = divisor_of(by);
        uint64_t multiple = random_at(5, i) / by * by;
        check(multiple, by);
        check(multiple - 1, by);
        check(random_at(6, i), by);
        check(random_at(7, i) >> (random_at(8, i) & 63), by);
        check(divisor.limit, by);
        check(divisor.limit - 1, by);
        check(divisor.limit / by * by, by);
        check(divisor.limit / by * by - 1, by);
        check(UINT64_MAX, by);
        check(0, by);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_counted),
        cmocka_unit_test(logarithms_are_exact),
        cmocka_unit_test(quotients_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
