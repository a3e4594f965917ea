/* Sweeps at depth timing: every row is what evaluate says of that machine alone, whatever the
 * threads and caches; sources that cannot be timed are refused before anything runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "explore/sweep/sweep.h"
#include "model/evaluate.h"
#include "support/study_builder.h"
#include "support/sweep_twin.h"

static const char cross[] = "machine: gtx480\n"
                            "depth: timing\n"
                            "workloads: [\"GEMM:n=32\"]\n"
                            "axes:\n"
                            "  scheduler.policy: [lrr, gto, two_level]\n"
                            "  l1d.mshr.merge: [1, 8]\n"
                            "  dram.scheduler: [fifo, frfcfs]\n"
                            "  l1d.reuse.latency: [0, 100]\n" /* not read at this depth */
                            "objectives: [core.ipc, core.cycles]\n"
                            "metrics: [l1d.misses, l1d.fail.mshr_merge, core.stall.memory,\n"
                            "  memory.latency.p99, dram.reads]\n";

static void rows_are_evaluations(void **state)
{
    (void)state;
    const struct evaluate_options options = {.depth = DEPTH_TIMING};
    struct study study;
    study_from_text(cross, &study);
    assert_int_equal(study.depth, DEPTH_TIMING);
    check_rows(&study, scratch_store(), &options);
    check_threads(&study);
    study_free(&study);
}

/* One part of 3 x 2 x 2 settings; the latency of the reuse depth changes nothing. */
static void the_plan_counts_settings(void **state)
{
    (void)state;
    struct study study;
    struct sweep_plan plan;
    char why[VALUE_TEXT];
    study_from_text(cross, &study);
    const struct sweep_options options = {.threads = 2};
    assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
    assert_int_equal(plan.points, 24);
    assert_int_equal(plan.stages[stage_index(AT_TIMING)], 12);
    for (size_t i = 0; i < study.axis_count; i++)
        assert_int_equal(parameter_dead(study.axes[i].parameter, NULL, study.depth, why),
                         !strcmp(study.axes[i].parameter->path, "l1d.reuse.latency"));
    sweep_plan_free(&plan);
    study_free(&study);
}

static void what_has_no_instructions_is_refused(void **state)
{
    (void)state;
    struct study study;
    struct sweep_plan plan;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    study_from_text("machine: gtx480\ndepth: timing\nworkloads: [cpwc-example.addr]\n"
                    "axes: {scheduler.policy: [lrr, gto]}\nobjectives: [core.cycles]\n",
                    &study);
    const struct sweep_options options = {.threads = 1};
    assert_int_equal(sweep_plan(&study, &options, &plan, &diagnostics), STATUS_UNSUPPORTED);
    assert_int_equal(diagnostics.errors, 1);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_evaluations),
        cmocka_unit_test(the_plan_counts_settings),
        cmocka_unit_test(what_has_no_instructions_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
