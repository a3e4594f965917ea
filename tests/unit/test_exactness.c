/* Which numbers may be called exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "schema/exactness.h"

static void fitted_models_are_exact_at_no_depth(void **state)
{
    (void)state;
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        assert_false(metric_exact_at(metric_find("total.area"), (enum depth)depth));
        assert_true(metric_exact_at(metric_find("total.bits"), (enum depth)depth));
        assert_true(metric_exact_at(metric_find("l1d.misses"), (enum depth)depth));
    }
}

/* Counts of walks need no clock; their cycles have one where time passes. */
static void cycles_of_walks_are_exact_only_where_time_passes(void **state)
{
    (void)state;
    static const char *const cycles[] = {"walk.wait.mean",    "walk.wait.p99",
                                         "walk.latency.mean", "walk.instruction.latency",
                                         "walker.busy",       "walker.stall"};
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        const struct metric *metric = metric_find(cycles[i]);
        assert_non_null(metric);
        assert_true(metric_assumes_clock(metric, DEPTH_FUNCTIONAL));
        assert_false(metric_exact_at(metric, DEPTH_FUNCTIONAL));
        assert_true(metric_exact_at(metric, DEPTH_TIMING));
    }
    assert_true(metric_exact_at(metric_find("walk.count"), DEPTH_FUNCTIONAL));
    assert_true(metric_exact_at(metric_find("walk.memory_accesses"), DEPTH_FUNCTIONAL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fitted_models_are_exact_at_no_depth),
        cmocka_unit_test(cycles_of_walks_are_exact_only_where_time_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
