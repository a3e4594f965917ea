/* Copies of timed runs: a run that was copied at any point, and its copies, go on as if nothing had
 * happened, in any order and on any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/gpu_trial.h"

enum { SEEDS = 120, RUNS = 3 };

struct runs { /* the original and its copies, each the owner of its options */
    struct gpu *items[RUNS];
    struct gpu_options options[RUNS];
    struct diagnostics diagnostics;
};

static void expect_result(struct gpu *gpu, const struct gpu_trial *whole)
{
    struct gpu_trial result = {0};
    gpu_read(gpu, &result.counts, result.latencies);
    assert_memory_equal(&result, whole, sizeof result);
}

/* All go on in turn, each a random part of its way, and are closed as they end. */
static void go_on(struct dice *dice, struct runs *runs, const struct gpu_trial *whole)
{
    uint64_t to[RUNS] = {0};
    for (unsigned left = RUNS; left;) {
        const unsigned i = (unsigned)roll(dice, RUNS);
        if (!runs->items[i])
            continue;
        to[i] = roll(dice, 3) ? to[i] + roll(dice, whole->counts.cycles / 2 + 1) : UINT64_MAX / 2;
        assert_int_equal(gpu_advance(runs->items[i], to[i]), STATUS_OK);
        if (!gpu_ended(runs->items[i]))
            continue;
        expect_result(runs->items[i], whole);
        gpu_close(runs->items[i]);
        runs->items[i] = NULL;
        left--;
    }
}

/* Copies a run at a random cycle, and the copy at a later one. Returns whether that can be. */
static bool check_copies(uint64_t seed)
{
    struct dice dice = {.seed = seed + 5000};
    struct machine machine;
    struct timed_source *source = timed_source_random(seed, &timed_small);
    struct runs runs = {.options = {{.threads = 1}, {.threads = 2}, {.threads = 1}},
                        .diagnostics = DIAGNOSTICS_INIT};
    roll_fitting(&dice, source, 6, roll(&dice, 2), &machine);
    if (roll(&dice, 4))
        machine.l1d.bypass.policy = BYPASS_NEVER;
    const struct gpu_trial whole = gpu_trial_run(&machine, source, 1);
    assert_int_equal(whole.status, STATUS_OK);
    assert_int_equal(
        gpu_open(&machine, &source->base, &runs.options[0], &runs.diagnostics, &runs.items[0]),
        STATUS_OK);
    uint64_t cycle = 0;
    enum status status = STATUS_OK;
    for (unsigned i = 1; i < RUNS && !status; i++) {
        cycle += roll(&dice, whole.counts.cycles / 2 + 1);
        assert_int_equal(gpu_advance(runs.items[i - 1], cycle), STATUS_OK);
        status = gpu_copy(runs.items[i - 1], &runs.options[i], &runs.items[i]);
    }
    assert_int_equal(status, machine.l1d.enabled && machine.l1d.bypass.policy != BYPASS_NEVER
                                 ? STATUS_UNSUPPORTED
                                 : STATUS_OK);
    if (status)
        gpu_close(runs.items[0]);
    else
        go_on(&dice, &runs, &whole);
    diagnostics_free(&runs.diagnostics);
    trace_source_free(&source->base);
    return !status;
}

static void test_copies_go_on(void **state)
{
    (void)state;
    unsigned copied = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        copied += check_copies(seed);
    assert_true(copied > SEEDS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies_go_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
