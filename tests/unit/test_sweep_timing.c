/* Sweeps at depth timing: every row is what evaluate says of that machine alone, whatever the
 * threads and caches; sources that cannot be timed are refused before anything runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "explore/store/store.h"
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

/* Under an assumption a list of accesses is swept, and a store is of one assumption. */
static void what_is_assumed_is_part_of_the_study(void **state)
{
    (void)state;
    const char *store = scratch_store();
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct sweep_progress progress;
    double cycles[ASSUMED_COUNT] = {0};
    for (int assumed = ASSUMED_SERIAL; assumed < ASSUMED_COUNT; assumed++) {
        const struct sweep_options options = {.threads = 1, .store = store};
        char text[300];
        struct study study;
        snprintf(text, sizeof text,
                 "machine: gtx480\ndepth: timing\nassume: %s\nworkloads: [cpwc-example.addr]\n"
                 "axes: {scheduler.policy: [lrr]}\nobjectives: [core.cycles]\n",
                 assumed_table[assumed].name);
        study_from_text(text, &study);
        if (assumed > ASSUMED_SERIAL) {
            assert_int_equal(sweep_run(&study, &options, &progress, &diagnostics), STATUS_CONFLICT);
            assert_string_equal(diagnostics.items[0].message + strlen(store),
                                " was made by another study: instructions are assumed to be serial "
                                "there and independent here");
            diagnostics_free(&diagnostics);
            remove(store);
        }
        assert_int_equal(sweep_run(&study, &options, &progress, NULL), STATUS_OK);
        struct store *kept;
        const struct study *read;
        bool found;
        assert_int_equal(store_open(store, &kept, &read, NULL), STATUS_OK);
        assert_int_equal(read->assumed, assumed);
        assert_int_equal(store_get(kept, 0, &cycles[assumed], &found, NULL), STATUS_OK);
        store_close(kept);
        study_free(&study);
    }
    assert_true(cycles[ASSUMED_SERIAL] > cycles[ASSUMED_INDEPENDENT]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_evaluations),
        cmocka_unit_test(the_plan_counts_settings),
        cmocka_unit_test(what_has_no_instructions_is_refused),
        cmocka_unit_test(what_is_assumed_is_part_of_the_study),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
