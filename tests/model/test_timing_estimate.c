/* Estimates of the depth timing: their intervals hold the exact values of runs of the whole grid.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/evaluate.h"
#include "schema/parameters.h"
#include "support/timed_source.h"
#include "workload/workload.h"

/* Counts the estimates that a workload has, and those that miss the exact value. Returns whether
 * that of its cycles does. */
static bool check_workload(const char *name, unsigned *given, unsigned *outside)
{
    struct trace_source *source;
    struct machine machine;
    struct metrics exact, estimate, error;
    bool is_exact;
    const struct evaluate_options options = {.depth = DEPTH_TIMING};
    machine_defaults(&machine);
    machine.tlb.enabled = 0;
    assert_int_equal(workload_open(name, &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, &options, &exact, NULL), STATUS_OK);
    assert_int_equal(
        evaluate_sampled(&machine, source, 0.1, &options, &estimate, &error, &is_exact, NULL),
        STATUS_OK);
    assert_false(is_exact);
    const double off = fabs(exact.core_cycles - estimate.core_cycles);
    assert_true(off < exact.core_cycles / 20);
    assert_true(error.core_cycles < exact.core_cycles / 2);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const double value = metric_get(&metric_table[i], &estimate);
        const double reach = metric_get(&metric_table[i], &error);
        if (isnan(value) || !(reach > 0))
            continue;
        (*given)++;
        *outside += fabs(value - metric_get(&metric_table[i], &exact)) > reach;
    }
    trace_source_free(source);
    return off > error.core_cycles;
}

static void test_intervals_hold_the_exact_value(void **state)
{
    (void)state;
    static const char *const tried[] = {"HOTSPOT", "2DCONV:n=1024", "2DCONV:n=640", "2DCONV:n=800",
                                        "STENCIL:nx=1024,ny=1024,nz=4,steps=1"};
    unsigned given = 0, outside = 0, cycles = 0;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        cycles += check_workload(tried[i], &given, &outside);
    print_message("%u of %u outside, %u of them cycles\n", outside, given, cycles);
    assert_true(cycles <= 1);
    assert_true(given > 120);
    assert_true(outside * 10 <= given);
}

/* A program whose launches come in pairs: both read the same few lines, which no other pair reads.
 */
static struct timed_source *launches_in_pairs(void)
{
    static const struct timed_shape shape = {.launches = 160,
                                             .blocks = 4,
                                             .warps = 4,
                                             .instructions = 120,
                                             .lines = 40,
                                             .content = TIMED_LOADS};
    struct timed_source *source;
    uint64_t seed = 0;
    while ((source = timed_source_random(seed, &shape))->base.launch_count < 120) {
        trace_source_free(&source->base);
        seed++;
    }
    for (uint32_t i = 0; i < source->base.launch_count; i++) {
        const struct timed_launch *launch = &source->lists[i];
        for (uint32_t w = 0; w < launch->blocks * launch->warps; w++)
            for (uint32_t r = 0; r < launch->warp[w].record_count; r++) {
                struct warp_access *record = &launch->warp[w].records[r];
                record->space = SPACE_GLOBAL;
                record->base += (uint64_t)(i / 2) << 14;
            }
    }
    return source;
}

/* A launch that is drawn without the one before finds an L2 as that left it, and what is run to
 * that end is not counted. */
static void test_launches_are_warmed(void **state)
{
    (void)state;
    struct timed_source *source = launches_in_pairs();
    struct machine machine;
    struct metrics exact, estimate, error;
    bool is_exact;
    const struct evaluate_options options = {.depth = DEPTH_TIMING};
    machine_defaults(&machine);
    machine.gpu.sms = 2;
    machine.tlb.enabled = 0;
    assert_int_equal(evaluate(&machine, &source->base, &options, &exact, NULL), STATUS_OK);
    assert_int_equal(evaluate_sampled(&machine, &source->base, 0.3, &options, &estimate, &error,
                                      &is_exact, NULL),
                     STATUS_OK);
    assert_false(is_exact);
    print_message("misses of the L2: %g, estimated %g; cycles: %g, estimated %g\n", exact.l2_misses,
                  estimate.l2_misses, exact.core_cycles, estimate.core_cycles);
    assert_true(fabs(estimate.l2_misses - exact.l2_misses) < exact.l2_misses / 5);
    assert_true(fabs(estimate.core_cycles - exact.core_cycles) < exact.core_cycles / 5);
    trace_source_free(&source->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_intervals_hold_the_exact_value),
                                       cmocka_unit_test(test_launches_are_warmed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
