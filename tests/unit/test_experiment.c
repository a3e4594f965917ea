/* Experiments as data: what their reader says of errors, the rule of verdicts, readings and their
 * ranks, expressions over variants, and models that refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "report/experiments/experiment_report.h"
#include "workload/workload.h"

/* Reads a file; what is wrong goes to *messages, one a line. */
static enum status load(const char *text, struct experiment *experiment, char **messages)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct document *document;
    size_t size;
    assert_int_equal(document_parse(text, strlen(text), "x.yaml", &document, &found), STATUS_OK);
    const enum status status = experiment_from_document(document, experiment, &found);
    FILE *out = open_memstream(messages, &size);
    diagnostics_print(&found, out);
    fclose(out);
    diagnostics_free(&found);
    return status;
}

struct trial {
    struct experiment experiment;
    struct experiment_runs runs;
    struct experiment_terms *terms;
    struct experiment_report *report;
    struct diagnostics found;
};

static enum status trial_run(struct trial *trial, const char *text, const char *table, char **out)
{
    const struct experiment_options options = {.threads = 2};
    struct experiment *experiment = &trial->experiment;
    char *messages;
    size_t size;
    *trial = (struct trial){.found = DIAGNOSTICS_INIT};
    assert_int_equal(load(text, experiment, &messages), STATUS_OK);
    free(messages);
    *out = NULL;
    enum status status = experiment_runs_open(experiment, &options, &trial->runs, &trial->found);
    if (!status)
        status = experiment_terms_create(&trial->runs, &trial->terms, &trial->found);
    if (!status)
        status = experiment_report_create(experiment, &trial->runs, trial->terms, table,
                                          &trial->report, &trial->found);
    if (!status)
        status = experiment_runs_make(&trial->runs, experiment_asked(trial->terms), &options,
                                      &trial->found);
    if (!status)
        status = experiment_values(trial->terms, &trial->found);
    if (!status) {
        FILE *file = open_memstream(out, &size);
        status = experiment_report_table(trial->report, TABLE_CSV, file, &trial->found);
        fclose(file);
    }
    return status;
}

static void trial_free(struct trial *trial, char *out)
{
    free(out);
    experiment_report_free(trial->report);
    experiment_terms_free(trial->terms);
    experiment_runs_free(&trial->runs);
    experiment_free(&trial->experiment);
    diagnostics_free(&trial->found);
}

static void all_errors_are_reported_with_their_lines(void **state)
{
    static const char text[] = "machine: gtx48\n"
                               "depth: timming\n"
                               "subjets: {}\n"
                               "subjects:\n"
                               "  a: {work: GEMM}\n"
                               "variants:\n"
                               "  1st: {}\n"
                               "  one: {set: {l1d.sise: 16KiB}, machin: gtx480}\n"
                               "claims:\n"
                               "- {what: x, value: 1}\n"
                               "- {what: x, paper: y, holds: 1, agrees: 1}\n";
    static const char *const expected[] = {
        "x.yaml:1:1: an experiment needs the key 'paper'\n",
        "x.yaml:1:10: machine: no machine and no file 'gtx48'; did you mean 'gtx480'?\n",
        "x.yaml:2:8: depth: expected ",
        "x.yaml:3:1: unknown key 'subjets' of an experiment; did you mean 'subjects'?\n",
        "x.yaml:5:6: a: expected the fields of a subject, such as 'workload'\n",
        "x.yaml:7:8: '1st' is no name: expected a letter",
        "x.yaml:8:33: unknown key 'machin' of a variant; did you mean 'machine'?\n",
        "x.yaml:10:3: a claim needs the key 'paper'\n",
        "x.yaml:11:3: a claim has one of value, holds and agrees\n",
    };
    struct experiment experiment;
    char *messages;
    (void)state;
    assert_int_equal(load(text, &experiment, &messages), STATUS_INVALID);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!strstr(messages, expected[i]))
            fail_msg("no '%s' in\n%s", expected[i], messages);
    free(messages);
}

/* What has no runs, or more than anybody wants, is refused before anything is made of it. */
static void empty_and_huge_lists_are_refused(void **state)
{
    enum { ROLES = 40 }; /* and as many readings */
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"subjects: {}\nvariants: {base: {}}\n", "x.yaml:3:11: an experiment needs subjects\n"},
        {"subjects: {a: {workload: GEMM}}\nvariants: {base: {}}\nroles: {one: {}}\nreadings: {}\n",
         "x.yaml:5:8: roles and readings belong together\n"},
    };
    struct experiment experiment;
    char *messages, text[4096];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, "paper: p\nmachine: gtx480\n%sclaims: []\n", rows[i].text);
        assert_int_equal(load(text, &experiment, &messages), STATUS_INVALID);
        assert_non_null(strstr(messages, rows[i].message));
        free(messages);
    }
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "paper: p\nmachine: gtx480\nsubjects: {a: {workload: GEMM}}\n"
                                   "claims: []\nroles:\n");
    for (unsigned i = 0; i < 2 * ROLES; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s  %c%u: {}\n",
                                 i == ROLES ? "readings:\n" : "", i < ROLES ? 'r' : 'q', i);
    assert_int_equal(load(text, &experiment, &messages), STATUS_INVALID);
    assert_non_null(
        strstr(messages, "x.yaml:47:3: more than 1024 variants, with those of readings\n"));
    free(messages);
}

static void too_many_bars_are_refused(void **state)
{
    enum { BARS = 1025, LINE = 16 };
    struct experiment experiment;
    char *messages, text[512 + BARS * LINE];
    (void)state;
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "paper: p\nmachine: gtx480\nsubjects: {a: {workload: GEMM}}\n"
                                   "variants: {base: {}}\nclaims: []\n"
                                   "figures:\n  f:\n    title: t\n    bars:\n");
    for (unsigned i = 0; i < BARS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "      b%u: 1\n", i);
    assert_int_equal(load(text, &experiment, &messages), STATUS_INVALID);
    assert_non_null(strstr(messages, "x.yaml:10:7: more than 1024 bars\n"));
    free(messages);
}

#define HEAD                                                                                       \
    "paper: p\nmachine: gtx480\n"                                                                  \
    "subjects: {a: {workload: \"GATHER:n=1024\", kind: x}, b: {workload: "                         \
    "\"GATHER:n=2048\"}}\n"
/* The L1D of the machine has 131072 bits of data. */
#define AREA HEAD "variants: {base: {}, half: {set: {l1d.size: 8KiB, l1d.ways: 2}}}\n"

static void verdicts_follow_the_rule(void **state)
{
    static const struct {
        const char *claim, *verdict;
    } rows[] = {
        {"value: 10, number: 11, within: 1", "agrees"},
        {"value: 10, number: 11, within: 0.5", "differs"},
        {"value: 10, number: 11, within: 10%", "agrees"},
        {"value: 0.1, number: -0.1, within: 5", "differs"},
        {"value: 0.1, number: +0.2, within: 5", "agrees"},
        {"value: -0.1, number: 0.1, within: 5", "agrees"},
        {"value: l1d.miss.flush@base * 0 + 1 / 0, number: 1, within: 1", "cannot be compared"},
        {"holds: l1d.size@half < l1d.size@base", "agrees"},
        {"holds: subject = 'a'", "differs"},
        {"holds: subject = 'a' or kind = 'x', where: subject = 'a'", "agrees"},
        {"holds: kind = 'x'", "agrees"}, /* b has no kind and cannot tell */
        {"holds: subject = 'z', where: subject = 'z'", "cannot be compared"},
        {"agrees: sum(l1d.ways@half) = 4 and count(l1d.ways@base) = 2", "agrees"},
        {"agrees: 1 > 2", "differs"},
        {"ours: \"{l1d.size@base / 1024:0} KiB\"", "cannot be compared"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trial trial;
        char text[1024], *out;
        snprintf(text, sizeof text, AREA "claims: [{what: w, paper: p, %s}]\n", rows[i].claim);
        if (trial_run(&trial, text, "numbers", &out)) {
            diagnostics_print(&trial.found, stderr);
            fail_msg("%s", rows[i].claim);
        }
        assert_non_null(out);
        if (!strstr(out, rows[i].verdict))
            fail_msg("%s: not '%s' but %s", rows[i].claim, rows[i].verdict, out);
        trial_free(&trial, out);
    }
}

static void wrong_expressions_are_reported_together(void **state)
{
    struct trial trial;
    char *out;
    (void)state;
    assert_int_equal(trial_run(&trial,
                               AREA "values: {bits: l1d.bits}\n"
                                    "claims:\n"
                                    "- {what: a, paper: p, agrees: bits > 1}\n"
                                    "- {what: b, paper: p, agrees: bits@bas > 1}\n"
                                    "- {what: c, paper: p, agrees: l1d.bit@base > 1}\n"
                                    "- {what: d, paper: p, agrees: l1d.bits > 1}\n"
                                    "- {what: e, paper: p, ours: \"{1:q}\"}\n",
                               NULL, &out),
                     STATUS_INVALID);
    assert_int_equal(trial.found.errors, 5);
    trial_free(&trial, out);
}

static void readings_are_ranked_by_all_numbers(void **state)
{
    struct trial trial;
    char *out;
    (void)state;
    assert_int_equal(
        trial_run(&trial,
                  HEAD
                  "roles: {one: {set: {l1d.ways: 4}}}\n"
                  "readings:\n"
                  "  far: {set: {l1d.size: 64KiB, l1d.ways: 16}, why: too much}\n"
                  "  near: {name: the near one, one: {set: {l1d.size: 16KiB}}}\n"
                  "claims:\n"
                  "- {what: size, paper: p, readings: yes, value: l1d.size@one / 1024, number: "
                  "17, within: 2}\n"
                  "- {what: ways, paper: p, readings: yes, value: l1d.ways@one, number: 4, "
                  "within: 1}\n",
                  "readings", &out),
        STATUS_OK);
    assert_non_null(out);
    const char *near = strstr(out, "the near one,0.353"), *far = strstr(out, "far,18.6");
    assert_non_null(near);
    assert_non_null(far);
    assert_true(near < far);
    trial_free(&trial, out);
}

static void runs_of_all_variants_fill_a_table(void **state)
{
    static const char text[] =
        AREA "values: {rate: l1d.miss_rate, twice: 2 * rate}\n"
             "claims: [{what: w, paper: p, agrees: 1}]\n"
             "tables:\n"
             "  t:\n"
             "    title: t\n"
             "    rows: [base, half]\n"
             "    means: all\n"
             "    columns: {s: \"{subject}\", v: \"{variant}\", n: \"{l1d.accesses:0}\", "
             "r: \"{twice / rate@base:1}\"}\n";
    struct trial trial;
    char *out;
    (void)state;
    assert_int_equal(trial_run(&trial, text, "t", &out), STATUS_OK);
    assert_non_null(out);
    assert_non_null(strstr(out, "s,v,n,r\n"));
    assert_non_null(strstr(out, "a,base,"));
    assert_non_null(strstr(out, "b,half,"));
    assert_non_null(strstr(out, "mean,base,"));
    assert_non_null(strstr(out, ",2\n"));
    trial_free(&trial, out);
}

static void means_over_a_field_that_no_subject_has_are_refused(void **state)
{
    static const char text[] = AREA "claims: [{what: w, paper: p, agrees: 1}]\n"
                                    "tables:\n"
                                    "  t: {title: t, means: klass, columns: {s: \"{subject}\"}}\n";
    struct trial trial;
    char *out;
    (void)state;
    assert_int_equal(trial_run(&trial, text, "t", &out), STATUS_INVALID);
    assert_int_equal(trial.found.errors, 1);
    trial_free(&trial, out);
}

/* Values of values on several variants: what each needs is found once, although the ways to it
 * double with each step. */
static void chains_of_values_are_followed_once(void **state)
{
    enum { STEPS = 60 };
    struct trial trial;
    char text[8192], *out;
    (void)state;
    size_t used = (size_t)snprintf(text, sizeof text,
                                   HEAD "variants: {v: {}, w: {}, x: {}}\nvalues:\n"
                                        "  s0: l1d.ways\n");
    for (unsigned i = 1; i <= STEPS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  s%u: (s%u@v + s%u@w + s%u@x) / 3\n", i, i - 1, i - 1, i - 1);
    snprintf(
        text + used, sizeof text - used,
        "claims: [{what: w, paper: p, value: avg(s%d@v - l1d.ways@v), number: 0, within: 1}]\n",
        STEPS);
    assert_int_equal(trial_run(&trial, text, "numbers", &out), STATUS_OK);
    assert_non_null(strstr(out, "agrees"));
    trial_free(&trial, out);
}

static void opens(const char *text)
{
    struct trace_source *source;
    if (workload_open(text, &source, NULL))
        fail_msg("%s", text);
    trace_source_free(source);
}

/* Those that come with the program read, with all their expressions, and what they run opens. */
static void experiments_that_come_with_the_program_are_whole(void **state)
{
    (void)state;
    for (const struct embedded_file *file = embedded_experiments; file->name; file++) {
        const struct experiment_options options = {.threads = 1};
        struct trial trial = {.found = DIAGNOSTICS_INIT};
        enum status status = experiment_load(file->name, &trial.experiment, &trial.found);
        if (!status)
            status = experiment_runs_open(&trial.experiment, &options, &trial.runs, &trial.found);
        if (!status)
            status = experiment_terms_create(&trial.runs, &trial.terms, &trial.found);
        if (!status)
            status = experiment_report_create(&trial.experiment, &trial.runs, trial.terms, NULL,
                                              &trial.report, &trial.found);
        diagnostics_print(&trial.found, stderr);
        assert_int_equal(status, STATUS_OK);
        for (size_t i = 0; i < trial.experiment.subject_count; i++) {
            const struct node *full = node_find(trial.experiment.subjects[i].fields, "full");
            opens(experiment_field(&trial.runs, &trial.experiment.subjects[i], "workload"));
            if (full)
                opens(node_text(full));
        }
        trial_free(&trial, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_errors_are_reported_with_their_lines),
        cmocka_unit_test(empty_and_huge_lists_are_refused),
        cmocka_unit_test(too_many_bars_are_refused),
        cmocka_unit_test(verdicts_follow_the_rule),
        cmocka_unit_test(chains_of_values_are_followed_once),
        cmocka_unit_test(wrong_expressions_are_reported_together),
        cmocka_unit_test(readings_are_ranked_by_all_numbers),
        cmocka_unit_test(runs_of_all_variants_fill_a_table),
        cmocka_unit_test(means_over_a_field_that_no_subject_has_are_refused),
        cmocka_unit_test(experiments_that_come_with_the_program_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
