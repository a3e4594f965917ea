/* Gains: shares of what a metric was, better where they are positive. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explore/explain/question.h"

static void gains_are_shares_of_the_base(void **state)
{
    (void)state;
    const struct metric *time = metric_find("core.time"), *ipc = metric_find("core.ipc");
    assert_true(metric_gain(time, 8, 6) == 0.25);
    assert_true(metric_gain(time, 8, 10) == -0.25);
    assert_true(metric_gain(ipc, 8, 6) == -0.25);
    assert_true(metric_gain(ipc, 8, 10) == 0.25);
    assert_true(metric_gain(time, 0, 0) == 0);
    assert_true(isnan(metric_gain(time, 0, 1)));
    assert_true(isnan(metric_gain(time, NAN, 1)));
    struct metrics base;
    metrics_clear(&base);
    base.core_time = 4;
    const struct question question = {NULL, time, DEPTH_TIMING, &base};
    assert_true(question_gain(&question, 3) == 0.25);
}

static void words_follow_the_direction(void **state)
{
    (void)state;
    const struct metric *time = metric_find("core.time"), *ipc = metric_find("core.ipc");
    assert_string_equal(metric_gain_verb(time), "saves");
    assert_string_equal(metric_gain_verb(ipc), "gains");
    assert_string_equal(metric_gain_side(time, 0.1), "less");
    assert_string_equal(metric_gain_side(time, -0.1), "more");
    assert_string_equal(metric_gain_side(ipc, 0.1), "more");
    assert_string_equal(metric_gain_side(ipc, -0.1), "less");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gains_are_shares_of_the_base),
                                       cmocka_unit_test(words_follow_the_direction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
