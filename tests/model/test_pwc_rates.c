/* Rates of levels that walks look up, and none of others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/evaluate.h"
#include "model/translation/pwc_rates.h"
#include "support/list_source.h"

static void rates_are_shares_of_walks(void **state)
{
    const struct pwc_counts counts = {.walks = 8, .l4_hits = 6, .l3_hits = 4, .l2_hits = 1};
    const uint64_t small = 4096, large = UINT64_C(2) << 20;
    (void)state;
    assert_true(pwc_hit_rate(&counts, PWC_HIT_L4, small) == 0.75);
    assert_true(pwc_hit_rate(&counts, PWC_HIT_L3, small) == 0.5);
    assert_true(pwc_hit_rate(&counts, PWC_HIT_L2, small) == 0.125);
    assert_true(pwc_hit_rate(&counts, PWC_HIT_L3, large) == 0.5);
    assert_true(isnan(pwc_hit_rate(&counts, PWC_HIT_L2, large)));
    assert_true(isnan(pwc_hit_rate(&(struct pwc_counts){0}, PWC_HIT_L4, small)));
}

/* Every organization, at the depth without time: a level has a rate where its hits save accesses.
 */
static void runs_have_rates_of_levels_that_are_looked_up(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * PWC_COUNT; i++) {
        struct machine machine;
        struct metrics metrics;
        struct list_source *source = list_source_random(5, 1, 10, 20, 1 << 20);
        machine_defaults(&machine);
        machine.pwc.organization = i / 2;
        machine.page.size = i % 2 ? UINT64_C(2) << 20 : 4096;
        assert_int_equal(evaluate(&machine, &source->base, NULL, &metrics, NULL), STATUS_OK);
        assert_true(metrics.walk_count > 0);
        const bool has = machine.pwc.organization != PWC_NONE;
        assert_true(isnan(metrics.pwc_l4_hit_rate) == !has);
        assert_true(isnan(metrics.pwc_l3_hit_rate) == !has);
        assert_true(isnan(metrics.pwc_l2_hit_rate) == (!has || i % 2));
        trace_source_free(&source->base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_shares_of_walks),
        cmocka_unit_test(runs_have_rates_of_levels_that_are_looked_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
