/* pass_head.h: passes whose times are given, extrapolated from their heads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explore/sweep/pass_head.h"

#define START   1000.0 /* any time of a clock */
#define MOST    0.1
#define LONGEST 1.5

/* A pass that prepares for `fixed` seconds, then is `slow` times as slow until `slow_until` of its
 * source is done, and takes `rest` seconds for a whole source at its later speed. */
struct pass_times {
    double fixed, slow, slow_until, rest;
};

static double time_at(const struct pass_times *pass, double share)
{
    const double slow = share < pass->slow_until ? share : pass->slow_until;
    return START + pass->fixed + pass->rest * (slow * pass->slow + (share - slow));
}

static struct pass_head head_of_none(void)
{
    return (struct pass_head){.start = START, .most = MOST, .longest = LONGEST, .alone = true};
}

/* Reports after every `step` of the source until the head is enough or the pass over. */
static struct pass_head head_of(const struct pass_times *pass, double step)
{
    struct pass_head head = head_of_none();
    for (unsigned i = 1; i * step <= 1; i++)
        if (pass_head_report(&head, time_at(pass, i * step), i * step))
            break;
    return head;
}

static void assert_near(double got, double expected)
{
    assert_true(got > expected * (1 - 1e-6) && got < expected * (1 + 1e-6));
}

static void check(const struct pass_times *pass, double step)
{
    const struct pass_head head = head_of(pass, step);
    const double whole = time_at(pass, 1) - START;
    assert_true(head.share > 0 && head.share < 0.5); /* it was the head that it was told from */
    assert_near(pass_head_seconds(&head), whole);
}

static void test_even_pass(void **state)
{
    (void)state;
    check(&(struct pass_times){.rest = 20}, 1e-4);
    check(&(struct pass_times){.rest = 3}, 0.003);
    check(&(struct pass_times){.rest = 0.5}, 0.01);
}

/* What is prepared before the first report is not scaled with the source: 2 s of it before a pass
 * of 20 s, of which less than a hundredth is seen, would make hours. */
static void test_cold_start(void **state)
{
    (void)state;
    check(&(struct pass_times){.fixed = 2, .rest = 20}, 1e-4);
}

/* A head that is slower while caches fill, for up to a quarter of the measurement. */
static void test_slow_head(void **state)
{
    (void)state;
    check(&(struct pass_times){.rest = 20, .slow = 10, .slow_until = 1e-4}, 5e-5);
}

/* What stays slow for longer is taken for the speed of the pass, never for less than it took. */
static void test_long_slow_head(void **state)
{
    (void)state;
    const struct pass_times pass = {.rest = 20, .slow = 10, .slow_until = 0.001};
    const struct pass_head head = head_of(&pass, 1e-4);
    const double said = pass_head_seconds(&head);
    assert_true(said > time_at(&pass, 1) - START);
    assert_true(said < 10 * pass.rest);
}

/* One whose first kernels are small and dear for their work: what a short head says of it is not
 * believed, as a longer one says less. */
static void test_dear_head(void **state)
{
    (void)state;
    const struct pass_times pass = {.rest = 2, .slow = 5, .slow_until = 0.006};
    const struct pass_head head = head_of(&pass, 0.001);
    const double whole = time_at(&pass, 1) - START, said = pass_head_seconds(&head);
    assert_true(head.share > 0.1 && head.share < 0.5);
    assert_true(said > whole && said < 1.2 * whole);
}

/* Less than a hundredth of the source is not enough, unless the longest time is over. */
static void test_when_it_is_enough(void **state)
{
    (void)state;
    struct pass_head head = head_of_none();
    assert_false(pass_head_report(&head, START, 0)); /* begins nothing */
    assert_false(pass_head_report(&head, START + 9, 0.001));
    assert_false(pass_head_report(&head, START + 9 + MOST * 0.55, 0.5));
    assert_true(pass_head_report(&head, START + 9 + MOST * 1.2, 0.6));
    head = head_of_none();
    assert_false(pass_head_report(&head, START + 1, 0.001));
    assert_false(pass_head_report(&head, START + 1 + MOST * 2, 0.002));
    assert_true(pass_head_report(&head, START + 1 + LONGEST * 1.01, 0.003));
}

/* With one report there is no speed, only a time and a share. */
static void test_one_report(void **state)
{
    (void)state;
    struct pass_head head = head_of_none();
    pass_head_report(&head, START + 2, 0.25);
    assert_near(pass_head_seconds(&head), 8);
}

static void test_no_report(void **state)
{
    (void)state;
    struct pass_head head = head_of_none();
    assert_true(pass_head_seconds(&head) == 0);
    pass_head_report(&head, START + 2, 0);
    assert_true(pass_head_seconds(&head) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even_pass),         cmocka_unit_test(test_cold_start),
        cmocka_unit_test(test_slow_head),         cmocka_unit_test(test_long_slow_head),
        cmocka_unit_test(test_when_it_is_enough), cmocka_unit_test(test_one_report),
        cmocka_unit_test(test_no_report),         cmocka_unit_test(test_dear_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
