/* Timed sweeps that take runs for those of other machines: every row is what its own run gives, and
 * a study that comes later profits.
 *
 * cost: 10
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "explore/sweep/sweep.h"
#include "support/study_builder.h"

static const char limits[] =
    "machine: gtx480\n"
    "depth: timing\n"
    "workloads: ['GEMM:n=32', '2DCONV:n=48']\n"
    "axes:\n"
    "  l1d.mshr.entries: [2, 16, 64, 128]\n"
    "  l1d.mshr.merge: [2, 8, 32]\n"
    "  dram.queue: [4, 64]\n"
    "  l2.size: [96KiB, 768KiB, 1536KiB]\n"
    "objectives: [core.cycles, total.area]\n"
    "metrics: [l1d.fails, l2.fails, l2.misses, memory.latency.p99, dram.busy]\n";

static struct sweep_options options_of(const char *store, const char *cache)
{
    return (struct sweep_options){.store = store, .cache = cache, .threads = 2};
}

static void test_rows_are_their_own(void **state)
{
    (void)state;
    struct study study;
    struct sweep_progress progress;
    struct sweep_verification checked;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const char *store = scratch_store();
    study_from_text(limits, &study);
    const struct sweep_options options = options_of(store, NULL);
    assert_int_equal(sweep_run(&study, &options, &progress, &diagnostics), STATUS_OK);
    assert_int_equal(progress.done, 144);
    assert_int_equal(progress.simulated + progress.proved, 144);
    assert_true(progress.proved > 72);
    assert_int_equal(sweep_verify(&study, &options, 1, &checked, &diagnostics), STATUS_OK);
    assert_int_equal(checked.checked, 144);
    assert_int_equal(checked.different, 0);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

static void test_later_study(void **state)
{
    (void)state;
    struct study study;
    struct sweep_progress progress;
    struct sweep_plan plan;
    const char *cache = scratch_store();
    study_from_text(limits, &study);
    const struct sweep_options first = options_of(scratch_store(), cache);
    assert_int_equal(sweep_run(&study, &first, &progress, NULL), STATUS_OK);
    /* 64 entries were never all in use, so 100 are the same. */
    study.axes[0].values[2].uint = 100;
    const struct sweep_options later = options_of(scratch_store(), cache);
    assert_int_equal(sweep_plan(&study, &later, &plan, NULL), STATUS_OK);
    assert_int_equal(plan.passes, 0);
    const struct axis_proof *proof = &plan.proofs[0];
    assert_true(proof->limit);
    assert_int_equal(proof->equal, 3);
    assert_true(proof->interval.least > 2 && proof->interval.least <= 16);
    assert_int_equal(proof->interval.most, UINT32_MAX);
    assert_false(plan.proofs[3].limit); /* l2.size */
    assert_true(plan.proofs[3].equal > 1);
    sweep_plan_free(&plan);
    assert_int_equal(sweep_run(&study, &later, &progress, NULL), STATUS_OK);
    assert_int_equal(progress.simulated, 0);
    assert_true(progress.proved > 0);
    study_free(&study);
}

/* Nothing is said of axes that no proof is about, and bypass policies are told apart. */
static void test_policies(void **state)
{
    (void)state;
    struct study study;
    struct sweep_progress progress;
    struct sweep_plan plan;
    struct sweep_verification checked;
    study_from_text("machine: gtx480\n"
                    "depth: timing\n"
                    "set: {l1d.size: 128KiB, l1d.ways: 16, l1d.index: linear}\n"
                    "workloads: ['2DCONV:n=48']\n"
                    "axes:\n"
                    "  l1d.latency: [20, 24]\n"
                    "  l1d.bypass.policy: [never, on_fail, sampled, list]\n"
                    "  l1d.bypass.loads: [1, 2, 7]\n"
                    "objectives: [core.cycles]\n"
                    "metrics: [l1d.bypass.accesses, l1d.misses]\n",
                    &study);
    const char *store = scratch_store(), *cache = scratch_store();
    const struct sweep_options options = options_of(store, cache);
    assert_int_equal(sweep_run(&study, &options, &progress, NULL), STATUS_OK);
    assert_true(progress.proved > 0);
    assert_int_equal(sweep_verify(&study, &options, 1, &checked, NULL), STATUS_OK);
    assert_int_equal(checked.different, 0);
    assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
    assert_true(plan.proofs[0].equal <= 1);
    assert_int_equal(plan.proofs[1].equal, 3); /* `list` does bypass */
    sweep_plan_free(&plan);
    study_free(&study);
}

/* Two warps of a block go to a scheduler each, so there is nothing to pick. */
static void test_schedulers(void **state)
{
    (void)state;
    struct study study;
    struct sweep_progress progress;
    struct sweep_plan plan;
    struct sweep_verification checked;
    study_from_text("machine: gtx480\n"
                    "depth: timing\n"
                    "workloads: ['ATAX:n=32']\n"
                    "axes:\n"
                    "  scheduler.policy: [lrr, gto, old, tb_first, rrr, two_level]\n"
                    "objectives: [core.cycles]\n",
                    &study);
    const char *store = scratch_store(), *cache = scratch_store();
    const struct sweep_options options = options_of(store, cache);
    assert_int_equal(sweep_run(&study, &options, &progress, NULL), STATUS_OK);
    assert_int_equal(progress.proved, 3);
    assert_int_equal(sweep_verify(&study, &options, 1, &checked, NULL), STATUS_OK);
    assert_int_equal(checked.different, 0);
    assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
    assert_int_equal(plan.proofs[0].equal, 4);
    assert_true(plan.proofs[0].picks);
    sweep_plan_free(&plan);
    study_free(&study);
}

/* Threads that begin together wait for the first of them where its run may answer for all. */
static void test_many_threads(void **state)
{
    (void)state;
    struct study study;
    struct sweep_progress progress;
    study_from_text("machine: gtx480\n"
                    "depth: timing\n"
                    "workloads: ['GEMM:n=32']\n"
                    "axes:\n"
                    "  l1d.mshr.entries: [256, 512, 1024]\n"
                    "  l1d.mshr.merge: [256, 512, 1024]\n"
                    "objectives: [core.cycles]\n",
                    &study);
    struct sweep_options options = options_of(scratch_store(), NULL);
    options.threads = 8;
    assert_int_equal(sweep_run(&study, &options, &progress, NULL), STATUS_OK);
    assert_int_equal(progress.simulated, 1);
    assert_int_equal(progress.proved, 8);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_their_own), cmocka_unit_test(test_later_study),
        cmocka_unit_test(test_policies),           cmocka_unit_test(test_schedulers),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
