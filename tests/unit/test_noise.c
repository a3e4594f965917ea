/* Noise floors: what starts that mean nothing move a time by. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/explain/noise.h"
#include "workload/workload.h"

static struct trace_source *source;
static struct machine machine;

static struct metrics run(enum depth depth, uint32_t delay)
{
    const struct evaluate_options options = {.depth = depth, .start_delay = delay};
    struct metrics metrics;
    assert_int_equal(evaluate(&machine, source, &options, &metrics, NULL), STATUS_OK);
    return metrics;
}

static struct noise measure(const struct question *question)
{
    const struct trials_options options = {
        .source = source, .depth = question->depth, .threads = 2};
    struct trials *trials = trials_open(&options);
    struct noise noise;
    assert_non_null(trials);
    assert_int_equal(noise_measure(trials, question, &noise, NULL), STATUS_OK);
    trials_free(trials);
    return noise;
}

static void noise_is_what_starts_move(void **state)
{
    (void)state;
    const struct metrics base = run(DEPTH_TIMING, 0);
    const struct question question = {&machine, metric_find("core.time"), DEPTH_TIMING, &base};
    const struct noise noise = measure(&question);
    double most = 0, values[NOISE_STARTS];
    for (size_t i = 0; i < NOISE_STARTS; i++) {
        assert_true(run(DEPTH_TIMING, noise_delays[i]).core_time == noise.bases[i]);
        most = fmax(most, fabs(noise.bases[i] / base.core_time - 1));
        values[i] = 0.5 * noise.bases[i];
    }
    assert_true(most > 0 && fabs(most - noise.floor) < 1e-12);
    /* A change that halves every run is certain; one that halves all but one is not. */
    assert_true(noise_of_gain(&question, &noise, 0.5, values) < 1e-12);
    values[NOISE_STARTS - 1] = noise.bases[NOISE_STARTS - 1];
    assert_true(fabs(noise_of_gain(&question, &noise, 0.5, values) - 0.5) < 1e-12);
}

static void where_no_time_passes_there_is_none(void **state)
{
    (void)state;
    const struct metrics base = run(DEPTH_FUNCTIONAL, 0);
    const struct question question = {&machine, metric_find("l2.misses"), DEPTH_FUNCTIONAL, &base};
    const struct noise noise = measure(&question);
    assert_true(noise.floor == 0);
    for (size_t i = 0; i < NOISE_STARTS; i++)
        assert_true(noise.bases[i] == base.l2_misses);
}

static int open_source(void **state)
{
    (void)state;
    if (machine_load("gtx480", NULL, &machine, NULL, NULL))
        return 1;
    return workload_open("GEMM:n=16", &source, NULL);
}

static int free_source(void **state)
{
    (void)state;
    trace_source_free(source);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(noise_is_what_starts_move),
                                       cmocka_unit_test(where_no_time_passes_there_is_none)};
    return cmocka_run_group_tests(tests, open_source, free_source);
}
