#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/cache/duel.h"

/* As many sets lead one policy as the other: one in eight each, from 1 to 32. */
static void test_leaders(void **state)
{
    (void)state;
    for (uint32_t sets = 1; sets <= 3000; sets++) {
        uint32_t first = 0, second = 0;
        for (uint32_t set = 0; set < sets; set++) {
            first += duel_role(set, sets) == DUEL_FIRST;
            second += duel_role(set, sets) == DUEL_SECOND;
        }
        assert_int_equal(first, second);
        assert_true(first <= DUEL_LEADERS);
        if (sets >= 16 && (sets & (sets - 1)) == 0)
            assert_int_equal(first, sets / 8 < 32 ? sets / 8 : 32);
    }
    assert_int_equal(duel_role(0, 1), DUEL_FOLLOWS);
}

/* The paper's cache: 32 runs of 32 sets, set 33 i for the first policy and 31 (i + 1) for the
 * second. */
static void test_complement(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(duel_role(33 * i, 1024), DUEL_FIRST);
        assert_int_equal(duel_role(31 * (i + 1), 1024), DUEL_SECOND);
    }
}

static void test_selector(void **state)
{
    (void)state;
    struct duel duel = {0};
    assert_false(duel_miss(&duel, 5, 1024)); /* a follower starts with the first */
    assert_true(duel_miss(&duel, 31, 1024));
    assert_false(duel_miss(&duel, 0, 1024));
    assert_false(duel_miss(&duel, 5, 1024)); /* one miss each */
    assert_false(duel_miss(&duel, 33, 1024));
    assert_true(duel_miss(&duel, 5, 1024));
    for (int i = 0; i < 2000; i++)
        duel_miss(&duel, 0, 1024);
    assert_int_equal(duel.balance, DUEL_MOST);
    for (int i = 0; i < 2000; i++)
        duel_miss(&duel, 31, 1024);
    assert_int_equal(duel.balance, -DUEL_MOST - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaders),
        cmocka_unit_test(test_complement),
        cmocka_unit_test(test_selector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
