/* A limit's interval, against trying all limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/timing/base/limit.h"

enum { VALUES = 12, COUNTS = 5 };

/* The same comparisons with another limit: whether all have the same outcome. */
static bool same_outcomes(const uint32_t *counts, size_t count, uint32_t limit, uint32_t other)
{
    for (size_t i = 0; i < count; i++)
        if ((counts[i] < limit) != (counts[i] < other))
            return false;
    return true;
}

static void test_interval(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        uint32_t counts[COUNTS];
        const uint32_t value = (uint32_t)random_below(random_at(seed, 0), VALUES);
        struct limit limit = limit_of(value);
        for (unsigned i = 0; i < COUNTS; i++) {
            counts[i] = (uint32_t)random_below(random_at(seed, 1 + i), VALUES);
            assert_int_equal(limit_admits(&limit, counts[i]), counts[i] < value);
        }
        for (uint32_t other = 0; other <= VALUES; other++)
            assert_int_equal(other >= limit.least && other <= limit.most,
                             same_outcomes(counts, COUNTS, value, other));
    }
}

static void test_join(void **state)
{
    (void)state;
    struct limit whole = limit_of(0), one = limit_of(8), two = limit_of(8),
                 none = limit_of(UINT64_MAX);
    assert_true(limit_admits(&one, 3));
    assert_true(limit_admits(&two, 5));
    assert_false(limit_admits(&two, 11));
    assert_false(limit_admits(&one, 9));
    assert_true(limit_admits(&none, 1000));
    limit_join(&whole, &one);
    limit_join(&whole, &two);
    limit_join(&whole, &none); /* nothing limits it, so it says nothing of the parameter */
    assert_int_equal(whole.least, 6);
    assert_int_equal(whole.most, 9);
    assert_int_equal(limit_left(&one, 3), 5);
    assert_int_equal(limit_left(&one, 9), 0);
    assert_int_equal(one.least, 4); /* looking leaves no mark */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
