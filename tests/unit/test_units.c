/* Quantities: what is read, what is refused, and that printing reads back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/units.h"

static void test_parse_uint(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum unit unit;
        uint64_t value;
    } cases[] = {
        {"0", UNIT_NONE, 0},
        {"16KiB", UNIT_BYTES, 16384},
        {"16 KiB", UNIT_BYTES, 16384},
        {" 16K ", UNIT_BYTES, 16384},
        {"1.5KiB", UNIT_BYTES, 1536},
        {"0x10", UNIT_NONE, 16},
        {"0xffffffffffffffff", UNIT_NONE, UINT64_MAX},
        {"18446744073709551615", UNIT_NONE, UINT64_MAX},
        {"700MHz", UNIT_HERTZ, 700000000},
        {"607.5MHz", UNIT_HERTZ, 607500000},
        {"1e3", UNIT_NONE, 1000},
        {"2Kibit", UNIT_BITS, 2048},
        {"2Kbit", UNIT_BITS, 2048},
        {"7cycles", UNIT_CYCLES, 7},
        {"0xe100", UNIT_MASK, 0xe100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = 99;
        if (quantity_parse_uint(cases[i].text, cases[i].unit, &value))
            fail_msg("'%s' was refused", cases[i].text);
        assert_int_equal(value, cases[i].value);
    }
}

static void test_refuse_uint(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",      " ",     "x",   "-1",     "+",
                                        "1.5",   "1x",    "KiB", "16KiBB", "18446744073709551616",
                                        "1e99",  "0x",    "nan", "inf",    "1 2",
                                        "16 Hz", "1.1.1", "--1", "1e",     "99999999999TiB"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint64_t value;
        if (!quantity_parse_uint(wrong[i], UNIT_BYTES, &value))
            fail_msg("'%s' was accepted as %llu", wrong[i], (unsigned long long)value);
    }
}

static void test_parse_real(void **state)
{
    (void)state;
    double value;
    assert_int_equal(quantity_parse_real("22nm", UNIT_METRES, &value), STATUS_OK);
    assert_true(value == 22e-9);
    assert_int_equal(quantity_parse_real("40%", UNIT_PERCENT, &value), STATUS_OK);
    assert_true(value == 0.4);
    assert_int_equal(quantity_parse_real("-1.5e-3", UNIT_NONE, &value), STATUS_OK);
    assert_true(value == -1.5e-3);
    static const char *const wrong[] = {"", "nan", "inf", "1e999", "1..2", "nm", "1 nm x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(quantity_parse_real(wrong[i], UNIT_METRES, &value), STATUS_INVALID);
}

static void test_print(void **state)
{
    (void)state;
    char text[QUANTITY_TEXT];
    assert_string_equal(quantity_print_uint(16384, UNIT_BYTES, text), "16KiB");
    assert_string_equal(quantity_print_uint(1536, UNIT_NONE, text), "1536");
    assert_string_equal(quantity_print_uint(0, UNIT_BYTES, text), "0B");
    assert_string_equal(quantity_print_uint(100, UNIT_BYTES, text), "100B");
    assert_string_equal(quantity_print_real(22e-9, UNIT_METRES, text), "22nm");
    for (int nanometres = 1; nanometres <= 90; nanometres++) {
        char expected[QUANTITY_TEXT];
        snprintf(expected, sizeof expected, "%dnm", nanometres);
        assert_string_equal(quantity_print_real(nanometres / 1e9, UNIT_METRES, text), expected);
    }
    assert_string_equal(quantity_print_real(700, UNIT_NONE, text), "700");
    assert_string_equal(quantity_print_real(0.5, UNIT_NONE, text), "0.5");
    assert_string_equal(quantity_print_short(NAN, UNIT_NONE, 3, text), "-");
    assert_string_equal(quantity_print_short(0.771, UNIT_PERCENT, 3, text), "77.1%");
    assert_string_equal(quantity_print_short(154e-12, UNIT_SECONDS, 3, text), "154ps");
    assert_string_equal(quantity_print_short(5280, UNIT_BITS, 3, text), "5280bit");
    assert_string_equal(quantity_print_short(99999, UNIT_BITS, 3, text), "99999bit");
    assert_string_equal(quantity_print_short(135168, UNIT_BITS, 4, text), "132.0Kibit");
    assert_string_equal(quantity_print_short(5e6, UNIT_BITS, 4, text), "4.768Mibit");
}

/* Every printed number reads back to the same number, in every unit. */
static void test_print_reads_back(void **state)
{
    (void)state;
    char text[QUANTITY_TEXT];
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t random = random_at(1, i), back;
        uint64_t number = random >> (random_at(2, i) % 64);
        enum unit unit = (enum unit)(random_at(3, i) % (UNIT_MASK + 1));
        quantity_print_uint(number, unit, text);
        bool counted = unit == UNIT_NONE || unit == UNIT_BYTES || unit == UNIT_BITS ||
                       unit == UNIT_HERTZ || unit == UNIT_CYCLES || unit == UNIT_MASK;
        if (counted) {
            assert_int_equal(quantity_parse_uint(text, unit, &back), STATUS_OK);
            assert_true(back == number);
        }
        double real = (double)(int64_t)random_at(4, i) * pow(10, (double)(random % 40) - 40);
        double real_back;
        quantity_print_real(real, unit, text);
        assert_true(strlen(text) < QUANTITY_TEXT);
        assert_int_equal(quantity_parse_real(text, unit, &real_back), STATUS_OK);
        if (real_back != real)
            fail_msg("%.17g prints as %s in unit %d", real, text, (int)unit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_uint),       cmocka_unit_test(test_refuse_uint),
        cmocka_unit_test(test_parse_real),       cmocka_unit_test(test_print),
        cmocka_unit_test(test_print_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
