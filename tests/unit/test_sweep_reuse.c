/* Sweeps at the reuse depth: every row is what evaluate says of that machine alone, whatever the
 * threads, stops and caches; what the depth does not have is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/sweep/sweep.h"
#include "model/evaluate.h"
#include "support/sanitized.h"
#include "support/study_builder.h"
#include "support/sweep_twin.h"

static const char all_columns[] =
    "objectives: [l1d.miss_rate, l1d.reuse.ticks, l1d.area]\n"
    "metrics: [stream.warp_instructions, l1d.accesses, l1d.misses, l1d.miss.compulsory,\n"
    "  l1d.miss.capacity, l1d.miss.associativity, l1d.miss.latency, l1d.miss.mshr,\n"
    "  l1d.reuse.run0.misses, l1d.reuse.run1.misses, l1d.reuse.run2.misses,\n"
    "  l1d.reuse.run3.misses, l1d.reuse.refused]\n";

/* Axes of everything that the depth reads, and of what it does not. */
static void random_study(uint64_t seed, struct study *study)
{
    static const char *const axes[] = {"l1d.size: [4KiB, 8KiB, 16KiB]",
                                       "l1d.ways: [2, 4]",
                                       "l1d.line: [64B, 128B]",
                                       "l1d.index: [linear, xor]",
                                       "l1d.flush: [yes, no]",
                                       "l1d.unified: [0, 64KiB]",
                                       "l1d.mshr.entries: [2, 16, 64]",
                                       "l1d.reuse.mode: [textbook, published]",
                                       "l1d.reuse.latency: [0, 20, 100]",
                                       "l1d.reuse.latency_sigma: [0, 5]",
                                       "l1d.reuse.hit_latency: [0, 2]",
                                       "l1d.reuse.model.mshr: [yes, no]",
                                       "l1d.reuse.model.associativity: [yes, no]",
                                       "l1d.reuse.model.latency: [yes, no]",
                                       "l1d.reuse.model.divergence: [yes, no]",
                                       "l1d.reuse.model.hierarchy: [yes, no]",
                                       "l1d.write: [local_back, write_back]",
                                       "l1d.replacement: [lru, fifo]",
                                       "l2.size: [192KiB, 768KiB]",
                                       "gpu.max_blocks: [2, 8]",
                                       "gpu.sms: [2, 15]",
                                       "coalescer.arch: [20, 70]",
                                       "seed: [1, 2]"};
    enum { AXES = sizeof axes / sizeof *axes };
    static const char *const programs[] = {"ATAX:n=64", "GEMM:n=32"};
    char text[4096], *at = text, used[AXES] = {0};
    at += sprintf(at,
                  "machine: gtx480\nset: {l1d.index: linear, gpu.shared_options: [16KiB, 48KiB]}\n"
                  "workloads: [%s]\naxes:\n",
                  programs[seed % 2]);
    for (int i = 0; i < 5; i++) {
        size_t choice = random_below(random_at(seed, (uint64_t)i), AXES);
        if (!used[choice])
            at += sprintf(at, "  %s\n", axes[choice]);
        used[choice] = 1;
    }
    sprintf(at, "%s", all_columns);
    study_from_text(text, study);
}

static void rows_are_evaluations(void **state)
{
    (void)state;
    const struct evaluate_options options = {.depth = DEPTH_REUSE,
                                             .needs = NEED_CLASSES(STAGE_L1D)};
    const char *path = scratch_store();
    for (uint64_t seed = 0; seed < ROLLS(16); seed++) {
        struct study study;
        random_study(seed, &study);
        assert_int_equal(study.depth, DEPTH_REUSE); /* the columns say so */
        check_rows(&study, path, &options);
        study_free(&study);
    }
}

static const char cross[] = "machine: gtx480\n"
                            "depth: reuse\n"
                            "workloads: [ATAX:n=64, 2DCONV:n=64]\n"
                            "axes:\n"
                            "  l1d.size: [4KiB, 8KiB]\n"
                            "  l1d.mshr.entries: [4, 16, 64]\n"
                            "  l1d.reuse.latency: [0, 20, 100]\n"
                            "  l2.ways: [4, 8]\n" /* not read at this depth */
                            "set: {l1d.index: linear}\n";

static void cross_study(const char *columns, struct study *study)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s", cross, columns);
    study_from_text(text, study);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    struct study study;
    cross_study(all_columns, &study);
    check_threads(&study);
    study_free(&study);
}

static void a_stopped_sweep_resumes(void **state)
{
    (void)state;
    struct study study;
    struct sweep_progress progress;
    cross_study(all_columns, &study);
    const char *whole = scratch_store(), *path = scratch_store();
    sweep_into(&study, whole, 2, NULL);
    struct stopper stopper = {.cancel = true};
    struct sweep_options options = {.store = path, .threads = 1, .cancel = &stopper.cancel};
    assert_int_equal(sweep_run(&study, &options, &progress, NULL), STATUS_CANCELLED);
    options.progress = stop_after;
    options.argument = &stopper;
    enum status status = STATUS_CANCELLED;
    for (int round = 0; round < 100 && status; round++) {
        stopper.after = progress.done;
        atomic_store(&stopper.cancel, false);
        status = sweep_run(&study, &options, &progress, NULL);
        assert_int_equal(progress.resumed, stopper.after);
    }
    assert_int_equal(status, STATUS_OK);
    check_equal_stores(whole, path);
    study_free(&study);
}

/* Two sizes x 3 MSHRs x 3 latencies; the ways of the L2 change nothing. */
static void the_plan_counts_settings(void **state)
{
    (void)state;
    struct study study;
    struct sweep_plan plan;
    cross_study(all_columns, &study);
    const struct sweep_options options = {.threads = 2};
    assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
    assert_int_equal(plan.points, 2 * 36);
    assert_int_equal(plan.stages[0], 2);
    for (size_t s = 1; s < READER_COUNT; s++)
        assert_int_equal(plan.stages[s], 1u << s == AT_REUSE ? 2 * 18 : 0);
    assert_true(plan.passes > 0 && plan.seconds > 0);
    sweep_plan_free(&plan);
    study_free(&study);
}

/* A second study takes what the first has found, and only that. */
static void results_are_remembered(void **state)
{
    (void)state;
    struct study study;
    const char *cache = scratch_store(), *first = scratch_store(), *second = scratch_store();
    cross_study(all_columns, &study);
    struct sweep_options options = {.store = first, .cache = cache, .threads = 2};
    assert_int_equal(sweep_run(&study, &options, NULL, NULL), STATUS_OK);
    options.store = second;
    struct sweep_plan plan;
    assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
    assert_int_equal(plan.passes, 0);
    sweep_plan_free(&plan);
    assert_int_equal(sweep_run(&study, &options, NULL, NULL), STATUS_OK);
    check_equal_stores(first, second);
    /* At the functional depth none of it is an answer. */
    study_free(&study);
    cross_study("metrics: [l1d.misses]\n", &study);
    study.depth = DEPTH_FUNCTIONAL;
    options.store = scratch_store();
    assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
    assert_true(plan.passes > 0);
    sweep_plan_free(&plan);
    study_free(&study);
}

/* One run of four answers what needs no classes, and the cache knows the difference. */
static void classes_are_made_where_asked(void **state)
{
    (void)state;
    struct study study;
    const char *cache = scratch_store();
    cross_study("metrics: [l1d.misses, l1d.reuse.ticks]\n", &study);
    struct sweep_options options = {.store = scratch_store(), .cache = cache, .threads = 2};
    assert_int_equal(sweep_run(&study, &options, NULL, NULL), STATUS_OK);
    study_free(&study);
    cross_study("metrics: [l1d.misses, l1d.miss.mshr]\n", &study);
    struct sweep_plan plan;
    options.store = scratch_store();
    assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
    assert_true(plan.passes > 0);
    sweep_plan_free(&plan);
    study_free(&study);
}

static void other_depths_are_other_studies(void **state)
{
    (void)state;
    struct study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const char *path = scratch_store();
    cross_study("metrics: [l1d.misses]\n", &study);
    sweep_into(&study, path, 2, NULL);
    study.depth = DEPTH_FUNCTIONAL;
    const struct sweep_options options = {.store = path, .threads = 1};
    assert_int_equal(sweep_run(&study, &options, NULL, &diagnostics), STATUS_CONFLICT);
    assert_true(diagnostics_mention(&diagnostics, "depth reuse there and functional here"));
    diagnostics_free(&diagnostics);
    study_free(&study);
}

static void searches(void **state)
{
    (void)state;
    struct study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct sweep_options options = {.store = scratch_store(), .threads = 2};
    cross_study("objectives: [l1d.miss_rate, l1d.area]\nsearch: halving\n", &study);
    assert_int_equal(sweep_run(&study, &options, NULL, &diagnostics), STATUS_UNSUPPORTED);
    assert_true(diagnostics_mention(&diagnostics, "cannot be estimated"));
    diagnostics_free(&diagnostics);
    study_free(&study);
    /* A sample has the rows of the whole. */
    cross_study("objectives: [l1d.miss_rate, l1d.area]\nsearch: {random: {points: 20}}\n", &study);
    struct sweep_verification verification;
    assert_int_equal(sweep_run(&study, &options, NULL, NULL), STATUS_OK);
    assert_int_equal(sweep_verify(&study, &options, 1, &verification, NULL), STATUS_OK);
    assert_int_equal(verification.checked, 20);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_evaluations),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(a_stopped_sweep_resumes),
        cmocka_unit_test(the_plan_counts_settings),
        cmocka_unit_test(results_are_remembered),
        cmocka_unit_test(classes_are_made_where_asked),
        cmocka_unit_test(other_depths_are_other_studies),
        cmocka_unit_test(searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
