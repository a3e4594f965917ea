/* Counts, counted nouns and times as people read them. */
#include "base/counts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_counts(void **state)
{
    (void)state;
    char text[COUNT_TEXT];
    assert_string_equal(count_print(0, text), "0");
    assert_string_equal(count_print(999, text), "999");
    assert_string_equal(count_print(1000, text), "1 000");
    assert_string_equal(count_print(1048576, text), "1 048 576");
    assert_string_equal(count_print(UINT64_MAX, text), "18 446 744 073 709 551 615");
}

static void test_nouns(void **state)
{
    (void)state;
    char text[COUNT_TEXT];
    assert_string_equal(counted_print(0, "point", text), "0 points");
    assert_string_equal(counted_print(1, "point", text), "1 point");
    assert_string_equal(counted_print(20000, "point", text), "20 000 points");
    assert_string_equal(counted_print(1, "axis", text), "1 axis");
    assert_string_equal(counted_print(2, "axis", text), "2 axes");
    assert_string_equal(counted_print(1, "launch", text), "1 launch");
    assert_string_equal(counted_print(3, "launch", text), "3 launches");
    assert_string_equal(counted_print(3, "pass", text), "3 passes");
    assert_string_equal(counted_print(1, "entry", text), "1 entry");
    assert_string_equal(counted_print(0, "entry", text), "0 entries");
    assert_string_equal(counted_print(2, "match", text), "2 matches");
    assert_string_equal(counted_print(2, "way", text), "2 ways");
    assert_string_equal(counted_print(3, "page-walk cache", text), "3 page-walk caches");
}

static void test_long_noun(void **state)
{
    (void)state;
    char text[COUNT_TEXT], noun[200];
    for (size_t i = 0; i < sizeof noun - 1; i++)
        noun[i] = 'a';
    noun[sizeof noun - 1] = '\0';
    counted_print(UINT64_MAX, noun, text);
    assert_int_equal(text[COUNT_TEXT - 1], '\0');
}

static void test_durations(void **state)
{
    (void)state;
    char text[DURATION_TEXT];
    assert_string_equal(duration_print(0.42, text), "0.4 s");
    assert_string_equal(duration_print(12, text), "12 s");
    assert_string_equal(duration_print(187, text), "3 min 7 s");
    assert_string_equal(duration_print(3765, text), "1 h 2 min");
    assert_string_equal(duration_print(NAN, text), "-");
    assert_string_equal(duration_print(INFINITY, text), "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_nouns),
        cmocka_unit_test(test_long_noun),
        cmocka_unit_test(test_durations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
