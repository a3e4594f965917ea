/* How far a metric is from another machine's (ui/panes/deltas.h). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/panes/deltas.h"

static void check(const char *path, double value, double with, const char *text, int better)
{
    const struct metric *metric = metric_find(path), *own = metric_compares(metric);
    struct metrics now, base;
    metrics_clear(&now);
    metrics_clear(&base);
    metric_set(own ? own : metric, &now, value);
    metric_set(own ? own : metric, &base, with);
    const struct delta delta = delta_of(metric, &now, &base);
    assert_string_equal(delta.text, text);
    assert_int_equal(delta.better, better);
}

static void shares_differ_in_points_and_counts_in_percent(void **state)
{
    (void)state;
    check("l1d.miss_rate", 0.25, 0.457, "-20.7", 1);
    check("tlb.hit_rate", 0.25, 0.457, "-20.7", -1);
    check("core.cycles", 110, 100, "+10.0%", -1);
    check("core.cycles", 100, 100, "=", 0);
    check("l1d.accesses", 110, 100, "+10.0%", 0); /* neither is better */
    check("core.cycles", 1, 0, "", 0);
    check("core.cycles", 1, NAN, "", 0);
}

static void small_differences_are_not_equal(void **state)
{
    (void)state;
    check("core.cycles", 100.02, 100, "+0.02%", -1);
    check("core.cycles", 100.002, 100, "+0.002%", -1);
    check("core.cycles", 100.0004, 100, "+<0.001%", -1);
    check("l1d.miss_rate", 0.5, 0.500000001, "-<0.001", 1);
    check("core.cycles", 2000, 100, "+1900%", -1);
}

static void saved_accesses_are_percent_of_the_other_machine(void **state)
{
    (void)state;
    check("saved.l2_accesses", 70, 100, "-30.0%", 1);
    check("saved.l2_accesses", 130, 100, "+30.0%", -1);
    check("saved.l2_accesses", 100, 100, "=", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_differ_in_points_and_counts_in_percent),
        cmocka_unit_test(small_differences_are_not_equal),
        cmocka_unit_test(saved_accesses_are_percent_of_the_other_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
