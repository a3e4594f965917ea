/* Experiments: each is the evaluation of its machine, equal ones run once, and what was cut short
 * has no result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/explain/trials.h"
#include "support/same_metrics.h"
#include "workload/workload.h"

enum { TRIALS = 6 };

static struct trace_source *source;

static void set(struct machine *machine, const char *setting)
{
    assert_int_equal(machine_set_text(machine, setting, NULL), STATUS_OK);
}

static void make_items(struct trial items[TRIALS])
{
    static const char *const settings[TRIALS] = {"l1d.size=32KiB", "seed=1",
                                                 "l1d.size=32KiB", "gpu.max_threads=32",
                                                 "l1d.output=512", "tlb.entries=2"};
    memset(items, 0, TRIALS * sizeof *items);
    for (size_t i = 0; i < TRIALS; i++) {
        assert_int_equal(machine_load("gtx480", NULL, &items[i].machine, NULL, NULL), STATUS_OK);
        set(&items[i].machine, settings[i]);
    }
}

static void assert_results(enum depth depth, int threads)
{
    struct trial items[TRIALS];
    struct trial_result results[TRIALS];
    make_items(items);
    const struct trials_options options = {.source = source, .depth = depth, .threads = threads};
    struct trials *trials = trials_open(&options);
    assert_non_null(trials);
    assert_int_equal(trials_run(trials, items, TRIALS, results, NULL), STATUS_OK);
    for (size_t i = 0; i < TRIALS; i++) {
        const struct evaluate_options how = {.depth = depth};
        struct metrics alone;
        if (evaluate(&items[i].machine, source, &how, &alone, NULL)) {
            assert_int_equal(results[i].state, TRIAL_REFUSED);
            continue;
        }
        assert_int_equal(results[i].state, TRIAL_RAN);
        assert_same_metrics(&results[i].metrics, &alone);
    }
    /* Twice 32KiB, an output width that no run reads, and without translation the TLB. */
    const size_t equal = depth == DEPTH_REUSE ? 3 : 2;
    assert_int_equal(trials_counted(trials).done, TRIALS);
    assert_int_equal(trials_counted(trials).repeated, equal);
    assert_int_equal(trials_run(trials, items, TRIALS, results, NULL), STATUS_OK);
    assert_int_equal(trials_counted(trials).planned, 2 * TRIALS);
    assert_int_equal(trials_counted(trials).repeated, equal + TRIALS);
    trials_free(trials);
}

static void results_are_evaluations(void **state)
{
    (void)state;
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        for (int threads = 1; threads <= 3; threads++)
            assert_results((enum depth)depth, threads);
}

static void block_of_256_does_not_fit_32_threads(void **state)
{
    (void)state;
    struct trial items[TRIALS];
    struct trial_result results[TRIALS];
    make_items(items);
    const struct trials_options options = {.source = source, .depth = DEPTH_TIMING, .threads = 1};
    struct trials *trials = trials_open(&options);
    assert_int_equal(trials_run(trials, items, TRIALS, results, NULL), STATUS_OK);
    assert_int_equal(results[3].state, TRIAL_REFUSED);
    trials_free(trials);
}

static void remembered_ones_do_not_run(void **state)
{
    (void)state;
    struct trial items[TRIALS];
    struct trial_result first[TRIALS], second[TRIALS];
    struct stage_cache *cache;
    make_items(items);
    assert_int_equal(stage_cache_open(NULL, STAGE_CACHE_BYTES, &cache, NULL), STATUS_OK);
    const struct trials_options options = {
        .source = source, .depth = DEPTH_TIMING, .threads = 2, .cache = cache};
    struct trials *trials = trials_open(&options);
    assert_int_equal(trials_run(trials, items, TRIALS, first, NULL), STATUS_OK);
    trials_free(trials);
    trials = trials_open(&options);
    assert_int_equal(trials_run(trials, items, TRIALS, second, NULL), STATUS_OK);
    assert_int_equal(trials_counted(trials).repeated, TRIALS - 1); /* a refusal is not kept */
    for (size_t i = 0; i < TRIALS; i++)
        if (first[i].state == TRIAL_RAN)
            assert_same_metrics(&second[i].metrics, &first[i].metrics);
    trials_free(trials);
    stage_cache_close(cache, NULL);
}

static void cancelled_before_it_began(void **state)
{
    (void)state;
    struct trial items[TRIALS];
    struct trial_result results[TRIALS];
    atomic_bool cancel = true;
    make_items(items);
    const struct trials_options options = {
        .source = source, .depth = DEPTH_TIMING, .threads = 1, .cancel = &cancel};
    struct trials *trials = trials_open(&options);
    assert_int_equal(trials_run(trials, items, TRIALS, results, NULL), STATUS_CANCELLED);
    const struct trials_count count = trials_counted(trials);
    assert_int_equal(count.planned, TRIALS);
    assert_true(count.done < TRIALS);
    assert_int_equal(results[TRIALS - 1].state, TRIAL_SKIPPED);
    trials_free(trials);
}

static int open_source(void **state)
{
    (void)state;
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_evaluations),
                                       cmocka_unit_test(block_of_256_does_not_fit_32_threads),
                                       cmocka_unit_test(remembered_ones_do_not_run),
                                       cmocka_unit_test(cancelled_before_it_began)};
    return cmocka_run_group_tests(tests, open_source, free_source);
}
