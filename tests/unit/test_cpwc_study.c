/* The reproduction of the CPWC paper: recipes in their classes, equal bits, the worked example, the
 * sums, and what it makes of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/gpu/stream_stats.h"
#include "report/experiments/cpwc_figures.h"
#include "report/experiments/cpwc_numbers.h"
#include "support/paper_rows.h"
#include "workload/workload.h"

/* Each recipe has as many distinct indices as the class that it was chosen for. */
static void recipes_are_in_their_classes(void **state)
{
    (void)state;
    size_t members[CPWC_CLASSES + 1] = {0};
    for (const struct paper_subject *subject = cpwc_subjects; subject->name; subject++) {
        char *text = cpwc_study_workload(subject, false, CPWC_SPREAD);
        struct trace_source *source;
        struct stream_stats stats;
        assert_int_equal(workload_open(text, &source, NULL), STATUS_OK);
        assert_int_equal(stream_stats(source, &stats, NULL, NULL), STATUS_OK);
        assert_true(stats.distinct[0] <= 2);
        assert_true(stats.distinct[1] <= 4);
        assert_int_equal(cpwc_class_of(stats.distinct[2]), subject->group);
        if (!strcmp(subject->name, "STO"))
            assert_int_equal(stats.distinct[2], 409);
        members[subject->group]++;
        trace_source_free(source);
        free(text);
    }
    assert_int_equal(members[CPWC_CLASS_I], 1);
    assert_int_equal(members[CPWC_CLASS_II], 5);
    assert_int_equal(members[CPWC_CLASS_III], 11);
}

static void all_workloads_open(void **state)
{
    (void)state;
    for (const struct paper_subject *subject = cpwc_subjects; subject->name; subject++)
        for (int layout = 0; layout < CPWC_LAYOUTS; layout++) {
            /* The suite's size is the same program in both layouts. */
            char *text =
                cpwc_study_workload(subject, layout == CPWC_SPREAD, (enum cpwc_layout)layout);
            struct trace_source *source;
            assert_int_equal(workload_open(text, &source, NULL), STATUS_OK);
            trace_source_free(source);
            free(text);
        }
}

static void classes_have_borders(void **state)
{
    (void)state;
    assert_int_equal(cpwc_class_of(24), CPWC_CLASS_I);
    assert_int_equal(cpwc_class_of(25), CPWC_CLASS_III);
    assert_int_equal(cpwc_class_of(62), CPWC_CLASS_III);
    assert_int_equal(cpwc_class_of(63), 0);
    assert_int_equal(cpwc_class_of(150), 0);
    assert_int_equal(cpwc_class_of(151), CPWC_CLASS_II);
}

static struct pwc_config paper_config(void)
{
    struct machine machine;
    assert_int_equal(paper_machine("cpwc-gtx480", "", &machine, NULL), STATUS_OK);
    return machine.pwc;
}

static void equal_bits(void **state)
{
    (void)state;
    const struct pwc_config config = paper_config();
    assert_int_equal(cpwc_entries_in(&config, PWC_TPC, 5280), 24);
    assert_int_equal(cpwc_entries_in(&config, PWC_CPWC, 5280), 62);
    assert_int_equal(cpwc_entries_in(&config, PWC_STC, 5280), 52);
    assert_int_equal(cpwc_entries_in(&config, PWC_UPTC, 5280), 41);
    assert_int_equal(cpwc_entries_in(&config, PWC_TPC, 219), 0);
    for (uint64_t entries = 4; entries <= 600; entries += 7) {
        assert_int_equal(cpwc_bits_of(&config, PWC_TPC, entries), 220 * entries);
        assert_int_equal(cpwc_bits_of(&config, PWC_CPWC, entries), 78 * entries + 444);
    }
}

static void the_example_is_the_papers(void **state)
{
    (void)state;
    struct cpwc_example_step steps[CPWC_EXAMPLE_STEPS];
    assert_int_equal(cpwc_example_run(steps, NULL), STATUS_OK);
    unsigned total = 0;
    for (size_t i = 0; i < CPWC_EXAMPLE_STEPS; i++) {
        assert_int_equal(steps[i].hit, cpwc_example_addresses[i].hit);
        assert_int_equal(steps[i].accesses, cpwc_example_addresses[i].accesses);
        total += steps[i].accesses;
    }
    assert_int_equal(total, 17);
    assert_int_equal(steps[2].indices.l4, 255);
    assert_int_equal(steps[2].indices.l3, 459);
    assert_int_equal(steps[2].indices.l2, 481);
    assert_non_null(strstr(steps[2].contents, "L3[3] 459 mask 0100"));
    assert_non_null(strstr(steps[6].contents, "L3[1] 459 mask 0010"));
}

static struct cpwc_study run_study(const char *only, int threads)
{
    struct cpwc_study study;
    assert_int_equal(cpwc_study_run(false, only, threads, NULL, &study, NULL), STATUS_OK);
    return study;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    struct cpwc_study one = run_study("hotspot", 1), two = run_study("hotspot", 2);
    assert_int_equal(one.subjects, 1);
    assert_memory_equal(one.entries, two.entries, sizeof one.entries);
    for (int layout = 0; layout < CPWC_LAYOUTS; layout++) {
        const struct cpwc_result *a = cpwc_study_at(&one, 0, (enum cpwc_layout)layout);
        const struct cpwc_result *b = cpwc_study_at(&two, 0, (enum cpwc_layout)layout);
        assert_int_equal(a->status, STATUS_OK);
        assert_memory_equal(a->distinct, b->distinct, sizeof a->distinct);
        for (size_t i = 0; i < CPWC_MACHINES; i++)
            assert_true(a->metrics[i].walk_memory_accesses == b->metrics[i].walk_memory_accesses);
    }
    /* What the study divides is what the run itself says against a TPC of equal bits. */
    const struct metrics *metrics = cpwc_study_at(&one, 0, CPWC_SPREAD)->metrics;
    assert_true(fabs(cpwc_reduction(&one, 0, CPWC_SPREAD, CPWC_COMPRESSED) -
                     100 * metrics[CPWC_COMPRESSED].walk_reduction) < 1e-9);
    assert_true(metrics[CPWC_TPC_SHARED].walk_count < metrics[CPWC_TPC].walk_count);
    cpwc_study_free(&one);
    cpwc_study_free(&two);
}

static void unknown_workload_and_stop(void **state)
{
    (void)state;
    struct cpwc_study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(cpwc_study_run(false, "gemn", 1, NULL, &study, &diagnostics),
                     STATUS_NOT_FOUND);
    assert_non_null(strstr(diagnostics.items[0].message, "'gemm'"));
    diagnostics_free(&diagnostics);
    const atomic_bool stop = true;
    const struct evaluate_options options = {.cancel = &stop};
    assert_int_equal(cpwc_study_run(false, NULL, 2, &options, &study, NULL), STATUS_CANCELLED);
    assert_null(study.results);
}

/* A study made by hand: in every program the CPWC saves what the paper says of its class. */
static struct cpwc_study made_up(void)
{
    static const double saved[] = {0, 0.0218, 0.1511, 0.322};
    struct cpwc_study study = {.subjects = paper_subject_count(cpwc_subjects)};
    study.results = calloc(study.subjects * CPWC_LAYOUTS, sizeof *study.results);
    study.names = calloc(study.subjects, sizeof *study.names);
    assert_true(study.results && study.names);
    for (size_t i = 0; i < study.subjects; i++) {
        study.names[i] = &cpwc_subjects[i];
        for (size_t k = 0; k < CPWC_LAYOUTS; k++) {
            struct cpwc_result *result = &study.results[i * CPWC_LAYOUTS + k];
            for (size_t m = 0; m < CPWC_MACHINES; m++) {
                struct metrics *metrics = &result->metrics[m];
                bool compressed = m == CPWC_COMPRESSED || m == CPWC_COMPRESSED_SHARED ||
                                  m == CPWC_COMPRESSED_MERGED || m == CPWC_COMPRESSED_SMALL;
                metrics->walk_memory_accesses =
                    (i ? 1000 : 1e6) * (compressed ? 1 - saved[cpwc_subjects[i].group] : 1);
                metrics->pwc_l4_hit_rate = metrics->pwc_l3_hit_rate = 1;
                metrics->pwc_l2_hit_rate = compressed ? 0.865 : 0.465;
                metrics->pwc_redundancy = compressed ? 0 : 0.6;
                metrics->tlb_hit_rate = m == CPWC_SMALL_TLB ? 0.0081 : 0.0154;
            }
        }
    }
    return study;
}

static void sums(void **state)
{
    (void)state;
    struct cpwc_study study = made_up();
    double mean = cpwc_mean(&study, 0, cpwc_reduction, CPWC_SPREAD, CPWC_COMPRESSED);
    assert_true(fabs(mean - (2.18 + 5 * 15.11 + 11 * 32.2) / 17) < 1e-9);
    assert_true(
        fabs(cpwc_mean(&study, CPWC_CLASS_II, cpwc_reduction, CPWC_SPREAD, CPWC_COMPRESSED) -
             15.11) < 1e-9);
    double total = cpwc_total_reduction(&study, CPWC_SPREAD, CPWC_COMPRESSED);
    assert_true(fabs(total - (1e4 * 2.18 + 10 * (5 * 15.11 + 11 * 32.2)) / 10160) < 1e-9);
    assert_true(cpwc_reduction(&study, 0, CPWC_SPREAD, CPWC_TPC) == 0);
    study.results[0].status = STATUS_INVALID; /* the only one of its class */
    assert_true(isnan(cpwc_reduction(&study, 0, CPWC_SPREAD, CPWC_COMPRESSED)));
    assert_true(isnan(cpwc_mean(&study, CPWC_CLASS_I, cpwc_l2_hits, CPWC_SPREAD, CPWC_TPC)));
    assert_false(isnan(cpwc_mean(&study, 0, cpwc_l2_hits, CPWC_SPREAD, CPWC_TPC)));
    cpwc_study_free(&study);
}

/* Verdicts follow the numbers. */
static void verdicts(void **state)
{
    (void)state;
    struct cpwc_study study = made_up();
    struct cpwc_example_step steps[CPWC_EXAMPLE_STEPS];
    assert_int_equal(cpwc_example_run(steps, NULL), STATUS_OK);
    const struct pwc_config config = paper_config();
    const struct cpwc_report report = {&study, steps, &config, GLYPHS_ASCII};
    static const char *const follow[] = {"mean L2 hit rate, PWC of 24, TLBs",
                                         "mean L2 hit rate, CPWC of 62, shared",
                                         "accesses saved, class I, TLBs",
                                         "accesses saved, class II, shared",
                                         "accesses saved, class III, TLBs",
                                         "accesses saved, mean, TLBs",
                                         "classes by what is saved, shared",
                                         "redundancy measured",
                                         "L4 and L3 hit rates",
                                         "all programs gain",
                                         "2mm, hit rate of a TLB of 32",
                                         "example, accesses"};
    struct paper_numbers numbers = {0};
    cpwc_numbers(&report, &numbers);
    for (size_t i = 0; i < sizeof follow / sizeof *follow; i++)
        assert_int_equal(paper_row(&numbers, follow[i])->verdict, VERDICT_AGREES);
    for (size_t i = 0; i < numbers.count; i++)
        assert_true(*numbers.items[i].ours && *numbers.items[i].paper);
    for (size_t i = 0; i < study.subjects * CPWC_LAYOUTS; i++)
        for (size_t m = 0; m < CPWC_MACHINES; m++) {
            struct metrics *metrics = &study.results[i].metrics[m];
            metrics->walk_memory_accesses = 1000 + (double)m;
            metrics->pwc_l3_hit_rate = 0.5;
            metrics->pwc_l2_hit_rate = 0.7 - 0.1 * (double)m;
            metrics->pwc_redundancy = 0.1;
            metrics->tlb_hit_rate = 0.9;
        }
    steps[1].accesses = 3;
    numbers.count = 0;
    cpwc_numbers(&report, &numbers);
    for (size_t i = 0; i < sizeof follow / sizeof *follow; i++)
        assert_int_equal(paper_row(&numbers, follow[i])->verdict, VERDICT_DIFFERS);
    for (size_t i = 0; i < study.subjects * CPWC_LAYOUTS; i++)
        study.results[i].status = STATUS_INVALID;
    numbers.count = 0;
    cpwc_numbers(&report, &numbers);
    assert_int_equal(paper_row(&numbers, follow[0])->verdict, VERDICT_INCOMPARABLE);
    assert_int_equal(paper_row(&numbers, follow[10])->verdict, VERDICT_INCOMPARABLE);
    cpwc_study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recipes_are_in_their_classes),
        cmocka_unit_test(all_workloads_open),
        cmocka_unit_test(classes_have_borders),
        cmocka_unit_test(equal_bits),
        cmocka_unit_test(the_example_is_the_papers),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(unknown_workload_and_stop),
        cmocka_unit_test(sums),
        cmocka_unit_test(verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
