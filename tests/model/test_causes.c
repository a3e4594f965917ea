/* Causes of events: each is earlier than its effect, and the last one lasted longest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/timing/run_causes.h"
#include "support/gpu_trial.h"

enum { SEEDS = 60 };

static const struct evaluate_options how = {.threads = 1};

static unsigned looked;

static void expect_causes(void *context, uint32_t launch, const struct causes *causes)
{
    uint64_t uses[CAUSE_USES] = {0}, sum = 0;
    (void)context;
    (void)launch;
    assert_int_equal(causes->events[0].kind, EVENT_launch_start);
    assert_int_equal(causes->firsts[1], 0);
    for (uint32_t at = 1; at < causes->count; at++) {
        const uint64_t cycle = causes->events[at].cycle;
        const struct cause *last = causes_last(causes, at);
        assert_non_null(last);
        for (uint32_t i = causes->firsts[at]; i < causes->firsts[at + 1]; i++) {
            const struct cause *cause = &causes->items[i];
            const uint64_t arrival = cause_arrival(causes, at, cause);
            assert_true(cause->from < at);
            assert_true(causes->events[cause->from].cycle <= cycle);
            assert_true(arrival <= cycle && arrival <= cause_arrival(causes, at, last));
        }
        cause_divide(causes, at, last, uses);
        sum += cycle - causes->events[last->from].cycle;
    }
    for (unsigned i = 0; i < CAUSE_USES; i++)
        sum -= uses[i];
    assert_int_equal(sum, 0);
    looked++;
}

static void test_causes_come_before_their_effects(void **state)
{
    const struct causes_wish wish = {.launch = CAUSES_ALL, .look = expect_causes};
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct dice dice = {.seed = seed + 900};
        struct machine machine;
        struct timed_source *source =
            timed_source_random(seed, seed % 3 ? &timed_small : &timed_wide);
        struct run_causes run;
        if (seed % 3)
            roll_fitting(&dice, source, 6, roll(&dice, 2), &machine);
        else
            roll_translating(&dice, source, &machine);
        assert_int_equal(run_causes_find(&machine, &source->base, &how, &wish, &run, NULL),
                         STATUS_OK);
        run_causes_free(&run);
        trace_source_free(&source->base);
    }
    assert_true(looked > SEEDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_causes_come_before_their_effects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
