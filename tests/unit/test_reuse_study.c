/* The reproduction of the reuse-distance paper: its settings, its sums, and what it makes of them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/papers/reuse_study.h"
#include "report/experiments/reuse_figures.h"
#include "report/experiments/reuse_numbers.h"
#include "report/experiments/reuse_report.h"
#include "support/paper_rows.h"
#include "workload/workload.h"

static const char *const subject = "3dconv";

static struct reuse_study run_study(int threads)
{
    struct reuse_study study;
    assert_int_equal(reuse_study_run(false, subject, threads, NULL, &study, NULL), STATUS_OK);
    assert_int_equal(study.subjects, 1);
    assert_string_equal(study.names[0]->name, subject);
    return study;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    struct reuse_study one = run_study(1), four = run_study(4);
    for (size_t i = 0; i < one.settings; i++) {
        const struct reuse_result *a = reuse_study_at(&one, 0, i), *b = reuse_study_at(&four, 0, i);
        assert_int_equal(a->status, STATUS_OK);
        assert_memory_equal(&a->metrics.l1d_misses, &b->metrics.l1d_misses, sizeof(double));
        assert_memory_equal(&a->metrics.l1d_reuse_ticks, &b->metrics.l1d_reuse_ticks,
                            sizeof(double));
    }
    reuse_study_free(&one);
    reuse_study_free(&four);
}

static double misses(const struct reuse_study *study, enum reuse_experiment experiment, int mode,
                     const char *value)
{
    size_t setting = reuse_setting_find(experiment, mode, NULL, value);
    assert_true(setting < study->settings);
    return reuse_study_at(study, 0, setting)->metrics.l1d_misses;
}

/* Experiments meet in the machine that they start from. */
static void axes_meet(void **state)
{
    (void)state;
    struct reuse_study study = run_study(0);
    double small = misses(&study, REUSE_BASE, REUSE_TEXTBOOK, "16KiB");
    assert_true(misses(&study, REUSE_MSHRS, REUSE_TEXTBOOK, "64") == small);
    assert_true(misses(&study, REUSE_LATENCY, REUSE_TEXTBOOK, "100") == small);
    assert_true(misses(&study, REUSE_LATENCY, REUSE_TEXTBOOK, "0") ==
                misses(&study, REUSE_ABLATION, REUSE_TEXTBOOK, "latency"));
    assert_true(misses(&study, REUSE_MSHRS, REUSE_PUBLISHED, "64") ==
                misses(&study, REUSE_BASE, REUSE_PUBLISHED, "16KiB"));
    double hashed = misses(&study, REUSE_WAYS, REUSE_TEXTBOOK, "4");
    assert_true(misses(&study, REUSE_SIZE, REUSE_TEXTBOOK, "16KiB") == hashed);
    assert_true(misses(&study, REUSE_LINE, REUSE_TEXTBOOK, "128B") == hashed);
    assert_true(misses(&study, REUSE_WAYS, REUSE_TEXTBOOK, "128") ==
                misses(&study, REUSE_ABLATION, REUSE_TEXTBOOK, "associativity"));
    reuse_study_free(&study);
}

static void the_settings_are_legal(void **state)
{
    (void)state;
    assert_int_equal(reuse_setting_find(REUSE_WAYS, REUSE_TEXTBOOK, NULL, "5"),
                     reuse_setting_count());
    for (size_t i = 0; reuse_settings[i].value; i++)
        for (size_t k = 0; k < i; k++) /* none twice */
            assert_false(reuse_settings[i].experiment == reuse_settings[k].experiment &&
                         reuse_settings[i].mode == reuse_settings[k].mode &&
                         !strcmp(reuse_settings[i].machine, reuse_settings[k].machine) &&
                         !strcmp(reuse_settings[i].value, reuse_settings[k].value));
    for (size_t i = 0; reuse_subjects[i].name; i++) {
        struct trace_source *source;
        assert_int_equal(workload_open(reuse_subjects[i].full, &source, NULL), STATUS_OK);
        trace_source_free(source);
        assert_int_equal(workload_open(reuse_subjects[i].quick, &source, NULL), STATUS_OK);
        trace_source_free(source);
    }
}

static void unknown_workload(void **state)
{
    (void)state;
    struct reuse_study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(reuse_study_run(false, "gemn", 1, NULL, &study, &diagnostics),
                     STATUS_NOT_FOUND);
    assert_non_null(strstr(diagnostics.items[0].message, "'gemm'"));
    diagnostics_free(&diagnostics);
}

static void stop_is_obeyed(void **state)
{
    (void)state;
    struct reuse_study study;
    const atomic_bool stop = true;
    const struct evaluate_options options = {.cancel = &stop};
    assert_int_equal(reuse_study_run(false, "gesummv", 2, &options, &study, NULL),
                     STATUS_CANCELLED);
    assert_null(study.results);
}

/* A study made by hand: three workloads, each setting the rate that it is given. */
enum { SUBJECTS = 3 };

static struct reuse_study made_up(double rate)
{
    static const struct paper_subject *names[SUBJECTS];
    struct reuse_study study = {
        .settings = reuse_setting_count(), .subjects = SUBJECTS, .names = names};
    study.results = calloc(study.settings * SUBJECTS, sizeof *study.results);
    assert_non_null(study.results);
    for (size_t i = 0; i < SUBJECTS; i++)
        names[i] = &reuse_subjects[i];
    for (size_t i = 0; i < study.settings * SUBJECTS; i++) {
        struct metrics *metrics = &study.results[i].metrics;
        metrics->l1d_accesses = 1000;
        metrics->l1d_misses = 1000 * rate;
        metrics->l1d_miss_rate = rate;
    }
    return study;
}

static void set_rate(struct reuse_study *study, size_t workload, size_t setting, double rate)
{
    study->results[workload * study->settings + setting].metrics.l1d_miss_rate = rate;
}

static void changes_and_means(void **state)
{
    (void)state;
    struct reuse_study study = made_up(0.5);
    set_rate(&study, 0, 1, 0.4);
    set_rate(&study, 1, 1, 0.5003); /* too little to be seen */
    set_rate(&study, 2, 1, 0.52);
    struct figure_change change = figure_change(&study, 0, 1, 5);
    assert_int_equal(change.count, 3);
    assert_int_equal(change.lower, 1);
    assert_int_equal(change.higher, 1);
    assert_int_equal(change.large, 1);
    assert_int_equal(change.most_subject, 0);
    assert_true(fabs(change.most - 10) < 1e-9);
    assert_true(fabs(change.mean - (-10 + 0.03 + 2) / 3) < 1e-9);
    assert_true(fabs(change.mean_absolute - (10 + 0.03 + 2) / 3) < 1e-9);
    assert_true(fabs(figure_mean(&study, 1, false) - (40 + 50.03 + 52) / 3) < 1e-9);
    /* Refused workloads are left out, of the complete ones with all their settings. */
    study.results[1].status = STATUS_UNSUPPORTED;
    assert_true(isnan(figure_rate(&study, 0, 1)));
    assert_int_equal(figure_change(&study, 0, 1, 5).count, 2);
    assert_true(fabs(figure_mean(&study, 1, false) - (50.03 + 52) / 2) < 1e-9);
    assert_true(fabs(figure_mean(&study, 0, true) - 50) < 1e-9);
    set_rate(&study, 0, 0, 0.9);
    assert_true(fabs(figure_mean(&study, 0, true) - 50) < 1e-9);
    assert_true(figure_mean(&study, 0, false) > 60);
    free(study.results);
}

/* Verdicts follow the numbers. */
static void verdicts(void **state)
{
    (void)state;
    struct reuse_study study = made_up(0.5);
    struct probe *probe = calloc(1, sizeof *probe); /* found nothing */
    assert_non_null(probe);
    const struct reuse_report report = {&study, probe, probe, GLYPHS_ASCII};
    struct paper_numbers numbers = {0};
    size_t few = reuse_setting_find(REUSE_MSHRS, REUSE_PUBLISHED, NULL, "8");
    reuse_numbers(&report, &numbers);
    assert_int_equal(paper_row(&numbers, "16 KB L1D")->verdict, VERDICT_DIFFERS);
    assert_int_equal(paper_row(&numbers, "MSHRs, by")->verdict, VERDICT_DIFFERS);
    assert_int_equal(paper_row(&numbers, "associativity")->verdict, VERDICT_AGREES);
    assert_int_equal(paper_row(&numbers, "memory latency")->verdict, VERDICT_DIFFERS);
    assert_int_equal(paper_row(&numbers, "line size")->verdict, VERDICT_DIFFERS);
    assert_int_equal(paper_row(&numbers, "mean error")->verdict, VERDICT_INCOMPARABLE);
    assert_int_equal(paper_row(&numbers, "fewer MSHRs, the")->verdict, VERDICT_DIFFERS);
    set_rate(&study, 0, few, 0.3);
    set_rate(&study, 1, few, 0.4);
    numbers.count = 0;
    reuse_numbers(&report, &numbers);
    assert_int_equal(paper_row(&numbers, "fewer MSHRs, the")->verdict, VERDICT_MOSTLY);
    assert_int_equal(paper_row(&numbers, "fewer MSHRs, a")->verdict, VERDICT_DIFFERS);
    set_rate(&study, 2, few, 0.4);
    numbers.count = 0;
    reuse_numbers(&report, &numbers);
    assert_int_equal(paper_row(&numbers, "fewer MSHRs, the")->verdict, VERDICT_AGREES);
    for (size_t i = 0; i < numbers.count; i++) {
        assert_true(*numbers.items[i].ours && *numbers.items[i].paper);
        assert_non_null(number_mark_name(numbers.items[i].mark));
    }
    free(probe);
    free(study.results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(axes_meet),
        cmocka_unit_test(the_settings_are_legal),
        cmocka_unit_test(unknown_workload),
        cmocka_unit_test(stop_is_obeyed),
        cmocka_unit_test(changes_and_means),
        cmocka_unit_test(verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
