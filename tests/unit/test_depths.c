/* The depth table, and what metrics and parameters say of depths; metrics that follow from others.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/depth_models.h"
#include "model/evaluate.h"
#include "schema/metrics.h"
#include "support/list_source.h"
#include "support/study_builder.h"
#include "support/sweep_twin.h"

static void names_find_their_depth_and_nothing_else(void **state)
{
    (void)state;
    enum depth depth;
    for (int i = 0; i < DEPTH_COUNT; i++) {
        assert_true(depth_find(depth_table[i].name, &depth));
        assert_int_equal(depth, i);
        assert_string_equal(depth_words[i], depth_name(depth));
        assert_non_null(depth_models[i].evaluate);
        assert_non_null(depth_models[i].notes);
    }
    assert_null(depth_words[DEPTH_COUNT]);
    depth = DEPTH_REUSE; /* stays: no unknown depth becomes another one silently */
    assert_false(depth_find("function", &depth));
    assert_false(depth_find("", &depth));
    assert_int_equal(depth, DEPTH_REUSE);
    char text[DEPTH_NAMES];
    assert_string_equal(depth_names(text), "functional, reuse or timing");
}

/* No warps issue on a machine that draws. */
static void notes_of_schedulers_are_for_machines_with_warps(void **state)
{
    (void)state;
    const char *notes[NOTES_MAX];
    struct machine machine;
    machine_defaults(&machine);
    machine.scheduler.policy = SCHEDULER_GTO;
    const size_t count = depth_models[DEPTH_FUNCTIONAL].notes(&machine, notes);
    assert_true(count > 0);
    machine.kind = KIND_GRAPHICS;
    assert_int_equal(depth_models[DEPTH_FUNCTIONAL].notes(&machine, notes), count - 1);
}

static void results_are_stages_or_the_whole(void **state)
{
    (void)state;
    assert_int_equal(depth_results(DEPTH_FUNCTIONAL, STAGE_EVERY), stages_simulated());
    assert_int_equal(depth_results(DEPTH_FUNCTIONAL, STAGE_L2 | STAGE_AREA), STAGE_L2);
    assert_int_equal(depth_results(DEPTH_REUSE, STAGE_EVERY), AT_REUSE);
    assert_int_equal(depth_results(DEPTH_REUSE, STAGE_L1D), AT_REUSE);
    assert_int_equal(depth_results(DEPTH_REUSE, STAGE_AREA | STAGE_TLB), 0);
    assert_string_equal(reader_name(STAGE_TLB), "tlb");
    assert_string_equal(reader_name(AT_REUSE), "reuse");
    assert_string_equal(reader_label(AT_REUSE), "timed L1D");
}

/* Some depth answers every metric, or a comparison at it, and none answers for a stage that it does
 * not simulate. */
static void every_metric_has_a_depth(void **state)
{
    (void)state;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        bool answered = false;
        for (int d = 0; d < DEPTH_COUNT; d++) {
            const bool compared = metric_compared(metric, (enum depth)d);
            const bool own = metric_answered(metric, (enum depth)d) || compared;
            answered |= own;
            assert_true(!compared || metric_answered(metric_compares(metric), (enum depth)d));
            if (metric->stage == STAGE_AREA)
                assert_true(own);
            else if (own)
                assert_true(depth_table[d].stages & metric->stage);
        }
        assert_true(answered);
    }
}

/* A depth that answers a metric answers what it is derived from, but for the accesses of structures
 * in a sum: a machine may lack what is not counted there. What is counted for it is counted itself,
 * and belongs to its stages. */
static void what_is_derived_has_counted_inputs(void **state)
{
    (void)state;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        struct derivation derivation, deeper;
        const struct metric *metric = &metric_table[i], *counted[METRIC_COUNT];
        const size_t count = metrics_counted(&metric, 1, counted);
        unsigned stages = 0;
        for (size_t k = 0; k < count; k++) {
            assert_false(metric_derivation(counted[k], &deeper));
            stages |= (unsigned)counted[k]->stage;
        }
        assert_int_equal(metric_stages(metric), stages);
        if (!metric_derivation(metric, &derivation)) {
            assert_true(count == 1 && counted[0] == metric);
            continue;
        }
        for (int d = 0; d < DEPTH_COUNT; d++)
            for (size_t k = 0; k < derivation.count; k++)
                assert_true(derivation.kind == DERIVE_PRODUCTS ||
                            !metric_answered(metric, (enum depth)d) ||
                            metric_answered(derivation.inputs[k], (enum depth)d));
    }
}

static void rates_are_those_of_their_inputs(void **state)
{
    (void)state;
    struct metrics metrics;
    metrics_clear(&metrics);
    metrics.l1d_misses = 30;
    metrics.l1d_accesses = 120;
    metrics.stream_warp_instructions = 4000;
    metrics.tlb_misses = 5;
    metrics.tlb_accesses = 50;
    metrics.walk_memory_accesses = 0;
    metrics.walk_count = 0; /* no walk: no rate */
    metrics_derive(&metrics);
    assert_true(metrics.l1d_miss_rate == 0.25);
    assert_true(metrics.l1d_mpki == 7.5);
    assert_true(metrics.tlb_hit_rate == 0.9);
    assert_true(isnan(metrics.l2_miss_rate) && isnan(metrics.walk_accesses_per_walk));
}

/* 70 instead of 100 accesses of the L2, after 12 of 40 tag reads were saved; without a machine to
 * compare with there is nothing to say, and nothing of what another depth counts. */
static void what_is_saved_is_a_difference(void **state)
{
    (void)state;
    struct metrics metrics, with;
    metrics_clear(&metrics);
    metrics_clear(&with);
    metrics.l2_accesses = 70;
    with.l2_accesses = 100;
    metrics.l1d_misses = with.l1d_misses = 1;
    metrics.l1i_accesses = 40;
    metrics.l1i_tag_reads = 28;
    metrics_derive(&metrics);
    assert_true(metrics.saved_l1i_tag_reads == 12 && isnan(metrics.saved_l2_accesses));
    metrics_compare(&metrics, &with, DEPTH_FUNCTIONAL);
    assert_true(metrics.saved_l2_accesses == 30 && isnan(metrics.saved_walk_reads));
    assert_true(isnan(metrics.saved_l1d_misses));
    metrics_compare(&metrics, &with, DEPTH_REUSE);
    assert_true(metrics.saved_l1d_misses == 0 && isnan(metrics.saved_l2_accesses));
    metrics_compare(&metrics, NULL, DEPTH_REUSE);
    assert_true(isnan(metrics.saved_l1d_misses));
    const struct metric *saved = metric_find("saved.l2_accesses");
    char why[METRIC_UNANSWERED];
    assert_true(metric_saves(metric_compares(saved)) && !metric_saves(saved));
    assert_string_equal(metric_unanswered(saved, DEPTH_TIMING, why),
                        "compares two machines: of one it is l2.accesses");
}

/* An L1D and an L2, of which 100 and 20 accesses take 1 and 3 J, for 2 s at 5 W. */
static void energies_are_of_what_exists(void **state)
{
    (void)state;
    struct metrics metrics;
    metrics_clear(&metrics);
    metrics.l1d_read_energy = 1;
    metrics.l1d_accesses = 100;
    metrics.l2_read_energy = 3;
    metrics_derive(&metrics);
    assert_true(metrics.l1d_energy == 100 && isnan(metrics.l2_energy));
    assert_true(isnan(metrics.energy_accesses)); /* there is an L2, and nobody counted */
    metrics.l2_accesses = 20;
    metrics_derive(&metrics);
    assert_true(metrics.energy_accesses == 160 && isnan(metrics.energy_total));
    metrics.core_time = 2;
    metrics.total_leakage = 5;
    metrics_derive(&metrics);
    assert_true(metrics.energy_leakage == 10 && metrics.energy_total == 170);
    assert_true(metrics.energy_delay == 340 && isnan(metrics.tlb_energy));
}

/* A metric whose inputs are of two stages, and of two parts of the plan: the same from a sweep,
 * alone and beside others, and from a stage cache that has the stages but never had the metric. */
static void metrics_may_cross_stages(void **state)
{
    (void)state;
    static const char *const asked[] = {
        "metrics: [l1d.mpki]\n",
        "metrics: [tlb.mpki, l2.mpki]\n",
        "metrics: [l1d.misses, tlb.mpki, stream.warp_instructions]\n",
        "metrics: [energy.accesses, l1d.energy]\n",
        "depth: timing\nmetrics: [energy.delay]\n",
        "depth: reuse\nmetrics: [l1d.mpki, l1d.miss_rate]\n"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        char text[1024];
        struct study study;
        snprintf(text, sizeof text,
                 "machine: gtx480\nworkloads: ['ATAX:n=96']\n"
                 "axes: {l1d.size: [8KiB, 16KiB], tlb.entries: [16, 64]}\n%s",
                 asked[i]);
        study_from_text(text, &study);
        check_rows(&study, scratch_store(), &(struct evaluate_options){.depth = study.depth});
        study_free(&study);
    }
    const char *cache = scratch_store();
    char *rows[2];
    for (size_t i = 0; i < 2; i++) {
        struct study study;
        const char *store = scratch_store();
        struct sweep_progress progress;
        study_from_text("machine: gtx480\nworkloads: ['ATAX:n=96']\n"
                        "axes: {l1d.size: [8KiB, 16KiB]}\nmetrics: [l1d.mpki]\n",
                        &study);
        const struct sweep_options options = {.store = store, .cache = cache, .threads = 1};
        assert_int_equal(sweep_run(&study, &options, &progress, NULL), STATUS_OK);
        rows[i] = store_dump(store);
        study_free(&study);
    }
    assert_string_equal(rows[0], rows[1]);
    assert_null(strstr(rows[1], "nan"));
    free(rows[0]);
    free(rows[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_find_their_depth_and_nothing_else),
        cmocka_unit_test(notes_of_schedulers_are_for_machines_with_warps),
        cmocka_unit_test(results_are_stages_or_the_whole),
        cmocka_unit_test(every_metric_has_a_depth),
        cmocka_unit_test(what_is_derived_has_counted_inputs),
        cmocka_unit_test(rates_are_those_of_their_inputs),
        cmocka_unit_test(what_is_saved_is_a_difference),
        cmocka_unit_test(energies_are_of_what_exists),
        cmocka_unit_test(metrics_may_cross_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
