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

/* `only`: this subject; NULL: all. */
static enum status trial_run_only(struct trial *trial, const char *text, const char *only,
                                  const char *table, char **out)
{
    const struct experiment_options options = {.threads = 2, .only = only};
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

static enum status trial_run(struct trial *trial, const char *text, const char *table, char **out)
{
    return trial_run_only(trial, text, NULL, table, out);
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

/* What has no runs, or more than there may be, is refused before anything is made of it. */
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

/* Of a part of the programs nothing is said of all: only claims that take none of the others, or
 * that are of machines alone, have verdicts. */
static void a_part_of_the_programs_has_few_verdicts(void **state)
{
    static const struct {
        const char *claim;
        bool judged;
    } rows[] = {
        {"holds: l1d.size@half < l1d.size@base", false},
        {"value: avg(l1d.ways@half), number: 2, within: 9", false},
        {"agrees: max(l1d.ways@half) > 0, where: subject >= 'a'", false},
        {"agrees: max(l1d.ways@half) > 0, where: l1d.ways@half > 0", false},
        {"agrees: max(l1d.ways@half) > 0, where: subject = 'b'", false},
        {"agrees: max(l1d.ways@half) > 0, where: subject = 'a'", true},
        {"holds: l1d.size@half < l1d.size@base, where: subject = 'a'", true},
        {"agrees: l1d.size@half < l1d.size@base", true},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const bool whole = i % 2;
        struct trial trial;
        char text[1024], *out;
        snprintf(text, sizeof text, AREA "claims: [{what: w, paper: p, %s}]\n", rows[i / 2].claim);
        assert_int_equal(trial_run_only(&trial, text, whole ? NULL : "a", "numbers", &out),
                         STATUS_OK);
        if (!strstr(out, "cannot be compared") != (whole || rows[i / 2].judged))
            fail_msg("%s: %s", rows[i / 2].claim, out);
        trial_free(&trial, out);
    }
}

static void readings_are_not_ranked_by_a_part(void **state)
{
    static const char text[] = AREA "roles: {one: {}}\n"
                                    "readings: {far: {set: {l1d.size: 64KiB, l1d.ways: 16}}}\n"
                                    "claims: [{what: w, paper: p, readings: yes, value: "
                                    "l1d.ways@one, number: 4, within: 1}]\n";
    struct trial trial;
    char *out;
    (void)state;
    assert_int_equal(trial_run_only(&trial, text, "a", "readings", &out), STATUS_UNSUPPORTED);
    trial_free(&trial, out);
}

/* What was chosen to fit is counted apart where it would agree, and differs where it does not. */
static void what_was_chosen_to_fit_never_agrees(void **state)
{
    static const char text[] =
        AREA "roles: {one: {}}\n"
             "readings: {free: {}, fit: {chosen: yes}}\n"
             "claims:\n"
             "- {what: a, paper: p, agrees: 1, chosen: yes}\n"
             "- {what: b, paper: p, agrees: 0, chosen: yes}\n"
             "- {what: c, paper: p, agrees: 1, chosen: no}\n"
             "- {what: \"d {reading}\", paper: p, readings: yes, agrees: 1}\n";
    static const char *const expected[] = {"a,p,,1,chosen to fit,", "b,p,,0,differs,",
                                           "c,p,,1,agrees,", "d free,p,,1,agrees,",
                                           "d fit,p,,1,chosen to fit,"};
    struct trial trial;
    char *out;
    (void)state;
    assert_int_equal(trial_run(&trial, text, "numbers", &out), STATUS_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!strstr(out, expected[i]))
            fail_msg("no '%s' in %s", expected[i], out);
    trial_free(&trial, out);
}

/* What one opens to see why: the variants that the claim names, and where it fails. */
static void a_claim_has_its_example(void **state)
{
    static const struct {
        const char *claim;
        size_t variant, rival, subject;
    } rows[] = {
        {"holds: l1d.size@half < l1d.size@base", 1, 0, 0},
        {"holds: l1d.size@base > 0 and subject = 'a'", 0, NO_VARIANT, 1},
        {"holds: l1d.size@half > 0, where: subject = 'b'", 1, NO_VARIANT, 1},
        {"value: sum(l1d.ways@half), number: 4, within: 1, ours: \"{max(l1d.ways@base)}\"", 1, 0,
         0},
        {"ours: \"{max(l1d.ways@half)}\"", 1, NO_VARIANT, 0},
        {"agrees: 1 > 2", NO_VARIANT, NO_VARIANT, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trial trial;
        struct experiment_claims *claims;
        struct experiment_example example;
        const struct experiment_result *results;
        char text[1024], *out;
        snprintf(text, sizeof text, AREA "claims: [{what: w, paper: p, %s}]\n", rows[i].claim);
        assert_int_equal(trial_run(&trial, text, "numbers", &out), STATUS_OK);
        assert_int_equal(experiment_claims_create(trial.terms, &trial.experiment, &claims, NULL),
                         STATUS_OK);
        assert_int_equal(experiment_claims_judge(claims, NULL), STATUS_OK);
        assert_int_equal(experiment_results(claims, &results), 1);
        assert_int_equal(experiment_example(claims, results, &example, NULL), STATUS_OK);
        assert_int_equal(example.variant, rows[i].variant);
        assert_int_equal(example.rival, rows[i].rival);
        assert_int_equal(example.subject, rows[i].subject);
        experiment_claims_free(claims);
        trial_free(&trial, out);
    }
}

static void a_load_by_a_field_that_no_subject_has_is_refused(void **state)
{
    struct trial trial;
    char *out;
    (void)state;
    assert_int_equal(trial_run(&trial,
                               HEAD "variants: {base: {load: \"{lode}\"}}\n"
                                    "claims: [{what: a, paper: p, agrees: 1}]\n",
                               NULL, &out),
                     STATUS_INVALID);
    assert_string_equal(trial.found.items[0].message, "no subject has a field 'lode'");
    trial_free(&trial, out);
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

/* ---- loads, families, groups ---- */

/* The two loads of a gather, an index and what it points at. */
#define LOADS                                                                                      \
    "paper: p\nmachine: bypass-gtx480\ndepth: timing\nsubjects:\n"                                 \
    "  a: {workload: \"GATHER:n=1024\", loads: {1: {kind: index}, 2: {kind: data, swap: 1}}}\n"    \
    "  b: {workload: \"GATHER:n=2048\", special: \"GATHER:n=512\"}\n"                              \
    "variants: {base: {}, swapped: {load: \"{swap}\"}, own: {workload: \"{special}\"}}\n"

static void counts_of_loads_are_those_of_their_program(void **state)
{
    static const char *const claims[] = {
        /* Both loads together are all reads of the program. */
        "loads: yes, agrees: sum(load.accesses@base) = max(l1d.reads@base)",
        "loads: yes, agrees: sum(load.misses@base) = max(l1d.read_misses@base)",
        "loads: yes, agrees: count(load.pc@base) = 2",
        "loads: yes, agrees: \"group_concat(kind, '+') = 'index+data'\"",
        "loads: yes, holds: load.miss_rate@base * load.accesses@base = load.misses@base",
        "loads: yes, where: load = '1', agrees: kind = 'index' and subject = 'a'",
        /* The second load asks for the counts of the first; the first has no such variant. */
        "loads: yes, agrees: sum(load.pc@swapped) = min(load.pc@base)",
        /* Programs are no loads. */
        "agrees: count(load.pc@base) = 0 and count(l1d.accesses@base) = 2",
    };
    (void)state;
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        struct trial trial;
        char text[2048], *out;
        snprintf(text, sizeof text, LOADS "claims: [{what: w, paper: p, %s}]\n", claims[i]);
        if (trial_run(&trial, text, "numbers", &out)) {
            diagnostics_print(&trial.found, stderr);
            fail_msg("%s", claims[i]);
        }
        if (!strstr(out, ",agrees,"))
            fail_msg("%s: %s", claims[i], out);
        trial_free(&trial, out);
    }
}

/* The counts that the stage cache remembers are those of a run. */
static void remembered_loads_are_those_of_a_run(void **state)
{
    struct experiment_loads loads[2];
    struct metrics metrics[2];
    struct machine machine;
    struct trace_source *source;
    struct stage_cache *cache;
    const struct evaluate_options options = {.depth = DEPTH_TIMING};
    (void)state;
    machine_defaults(&machine);
    machine.tlb.enabled = false;
    assert_int_equal(workload_open("GATHER:n=1024", &source, NULL), STATUS_OK);
    assert_int_equal(stage_cache_open(NULL, STAGE_CACHE_BYTES, &cache, NULL), STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            experiment_loads_run(&machine, source, &options, cache, &metrics[i], &loads[i], NULL),
            STATUS_OK);
    assert_memory_equal(&loads[0], &loads[1], sizeof *loads);
    assert_memory_equal(&metrics[0], &metrics[1], sizeof *metrics);
    assert_true(loads[0].counts[0][LOAD_accesses] > 0);
    assert_true(isnan(loads[0].counts[EXPERIMENT_LOADS_MAX - 1][LOAD_accesses]));
    /* What the metrics of the depth are kept under is another result. */
    struct stage_result other = {
        .detail = DETAIL_LOOKUPS, .values = (double *)metrics, .count = METRIC_COUNT};
    char identity[SOURCE_IDENTITY];
    evaluate_whole_identity(source, identity);
    other.key = stage_key(identity, &machine, DEPTH_BIT(DEPTH_TIMING));
    assert_false(stage_cache_get(cache, &other));
    stage_cache_close(cache, NULL);
    trace_source_free(source);
}

/* What was remembered without some needs does not answer a question that has them. */
static void remembered_loads_are_those_of_their_needs(void **state)
{
    struct machine machine;
    struct trace_source *source;
    struct stage_cache *cache;
    (void)state;
    machine_defaults(&machine);
    assert_int_equal(workload_open("GATHER:n=1024", &source, NULL), STATUS_OK);
    assert_int_equal(stage_cache_open(NULL, STAGE_CACHE_BYTES, &cache, NULL), STATUS_OK);
    for (unsigned needs = 0; needs <= NEED_ALL; needs = needs ? 2 * needs : 1) {
        const struct evaluate_options options = {.depth = DEPTH_FUNCTIONAL, .needs = needs};
        struct experiment_loads loads[2];
        struct metrics metrics[2];
        if (needs & ~NEED_ALL)
            continue;
        for (int i = 0; i < 2; i++)
            assert_int_equal(experiment_loads_run(&machine, source, &options, i ? cache : NULL,
                                                  &metrics[i], &loads[i], NULL),
                             STATUS_OK);
        if (memcmp(&metrics[0], &metrics[1], sizeof *metrics) != 0)
            fail_msg("needs %#x", needs);
    }
    stage_cache_close(cache, NULL);
    trace_source_free(source);
}

#define FAMILY                                                                                     \
    HEAD "variants:\n"                                                                             \
         "  base: {}\n"                                                                            \
         "  sizes: {over: {l1d.ways: [4, 2], l1d.size: [8KiB, 16KiB]}}\n"                          \
         "  best: {over: {l1d.size: [8KiB, 16KiB, 32KiB]}, set: {l1d.ways: 2}, best: l1d.bits}\n"  \
         "  broken: {over: {l1d.ways: [4, 3]}, set: {l1d.size: 16KiB}}\n"                          \
         "claims: [{what: w, paper: p, agrees: 1}]\n"

static void families_have_a_member_per_combination(void **state)
{
    static const struct {
        const char *rows, *expected;
    } tables[] = {
        {"sizes", "v,b,s\n\"4, 8KiB\",4,8192\n\"4, 16KiB\",4,16384\n\"2, 8KiB\",2,8192\n"
                  "\"2, 16KiB\",2,16384\n"},
        {"sizes.2.8KiB", "v,b,s\n\"2, 8KiB\",2,8192\n"},
        {"best", "v,b,s\nbest,2,8192\n"}, /* fewest bits */
    };
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct trial trial;
        char text[2048], *out;
        snprintf(text, sizeof text,
                 FAMILY "tables: {t: {title: t, rows: %s, subjects: no, columns: {v: "
                        "\"{variant}\", b: \"{l1d.ways}\", s: \"{l1d.size}\"}}}\n",
                 tables[i].rows);
        assert_int_equal(trial_run(&trial, text, "t", &out), STATUS_OK);
        assert_string_equal(out, tables[i].expected);
        trial_free(&trial, out);
    }
}

/* The axis that comes last may be the one that takes units away from the machine. */
static void members_have_what_their_kind_has(void **state)
{
    struct experiment experiment;
    char *messages;
    (void)state;
    assert_int_equal(
        load(HEAD "variants: {f: {over: {tlb.enabled: [yes], machine.kind: [compute, simt]}}}\n"
                  "claims: []\n",
             &experiment, &messages),
        STATUS_OK);
    free(messages);
    assert_int_equal(experiment.variant_count, 2);
    assert_true(experiment.variants[0].machine.tlb.enabled);
    assert_false(experiment.variants[1].machine.tlb.enabled);
    experiment_free(&experiment);
}

/* A member whose machine breaks a rule has the reason in the place of its numbers. */
static void members_that_break_a_rule_say_so(void **state)
{
    struct trial trial;
    char *out;
    (void)state;
    assert_int_equal(trial_run(&trial,
                               FAMILY "tables: {t: {title: t, rows: broken, columns: {s: "
                                      "\"{subject}\", m: \"{l1d.misses}\", b: \"{l1d.bits}\", "
                                      "w: \"{why}\"}}}\n",
                               "t", &out),
                     STATUS_OK);
    assert_non_null(strstr(out, "\na,,,"));
    assert_non_null(strstr(out, "\nb,,,"));
    assert_non_null(strstr(out, "not a multiple"));
    trial_free(&trial, out);
}

/* The best one of a family is that for each subject, whatever its members are asked for. */
static void the_best_is_the_best_of_its_family(void **state)
{
    static const char *const claims[] = {
        "l1d.misses@f = min(l1d.misses@f.2KiB, l1d.misses@f.16KiB, l1d.misses@f.4KiB)",
        "l1d.misses@f < l1d.misses@f.2KiB",
        "l1d.size@f = 16KiB and l1d.accesses@f = l1d.accesses@f.16KiB",
    };
    (void)state;
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        struct trial trial;
        char text[2048], *out;
        snprintf(text, sizeof text,
                 "paper: p\nmachine: gtx480\nset: {l1d.ways: 2, l1d.index: linear}\n"
                 "subjects: {a: {workload: \"GEMM:n=48\"}, b: {workload: \"GEMM:n=64\"}}\n"
                 "variants: {f: {over: {l1d.size: [2KiB, 16KiB, 4KiB]}, best: l1d.misses}}\n"
                 "claims: [{what: w, paper: p, holds: \"%s\"}]\n",
                 claims[i]);
        if (trial_run(&trial, text, "numbers", &out)) {
            diagnostics_print(&trial.found, stderr);
            fail_msg("%s", claims[i]);
        }
        if (!strstr(out, ",agrees,"))
            fail_msg("%s: %s", claims[i], out);
        trial_free(&trial, out);
    }
}

/* The first member is refused, by the model or by a rule, and would be the best by its area. */
static void a_refused_member_is_not_the_best(void **state)
{
    static const struct {
        const char *family, *rows;
    } tables[] = {
        {"over: {l1d.miss_queue: [1, 8]}", "\n1,1,\n"},
        {"over: {l1d.ways: [3, 2]}, set: {l1d.size: 16KiB, l1d.index: linear}", "\n1,1,\n"},
        {"over: {l1d.miss_queue: [1]}", ",,\"depth timing: l1d.miss_queue must be "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct trial trial;
        char text[2048], *out;
        snprintf(text, sizeof text,
                 "paper: p\nmachine: bypass-gtx480\ndepth: timing\n"
                 "subjects: {a: {workload: \"GATHER:n=1024\", loads: {1: {}}}}\n"
                 "variants: {f: {%s, best: l1d.bits}}\n"
                 "claims: [{what: w, paper: p, agrees: 1}]\n"
                 "tables: {t: {title: t, loads: yes, rows: f, columns: "
                 "{c: \"{load.accesses / load.accesses}\", b: \"{l1d.bits / l1d.bits}\", "
                 "w: \"{why}\"}}}\n",
                 tables[i].family);
        if (trial_run(&trial, text, "t", &out)) {
            diagnostics_print(&trial.found, stderr);
            fail_msg("%s", tables[i].family);
        }
        if (!strstr(out, tables[i].rows))
            fail_msg("%s: %s", tables[i].family, out);
        trial_free(&trial, out);
    }
}

/* Rows of a group are its subjects together; rows of variants that a subject lacks are left out. */
static void groups_and_missing_variants(void **state)
{
    struct trial trial;
    char *out;
    (void)state;
    assert_int_equal(trial_run(&trial,
                               LOADS "claims: [{what: w, paper: p, agrees: 1}]\n"
                                     "tables: {t: {title: t, rows: [base, own], columns: {s: "
                                     "\"{subject}\", v: \"{variant}\"}}}\n",
                               "t", &out),
                     STATUS_OK);
    assert_string_equal(out, "s,v\na,base\nb,base\nb,own\n");
    trial_free(&trial, out);
    assert_int_equal(trial_run(&trial,
                               LOADS "claims: [{what: w, paper: p, agrees: 1}]\n"
                                     "tables: {t: {title: t, loads: yes, group: subject, columns: "
                                     "{s: \"{subject}\", n: \"{count(load)}\", "
                                     "k: \"{group_concat(kind, ' ')}\"}}}\n",
                               "t", &out),
                     STATUS_OK);
    assert_string_equal(out, "s,n,k\na,2,index data\n");
    trial_free(&trial, out);
}

/* A name outside of aggregates is refused where the subjects differ in it, and only there. */
static void bare_values_must_agree(void **state)
{
    static const struct {
        const char *claim;
        enum status status;
    } rows[] = {
        {"agrees: l1d.ways@base = 4", STATUS_OK},
        {"agrees: l1d.accesses@base > 0", STATUS_INVALID},
        {"agrees: max(l1d.accesses@base) > 0", STATUS_OK},
        {"agrees: \"max(l1d.accesses@base, 0) > 0\"", STATUS_INVALID}, /* of two arguments */
        {"agrees: sum(abs(l1d.accesses@base - l1d.ways@base)) > 0", STATUS_OK},
        {"agrees: l1d.accesses@base > 0, where: subject = 'a'", STATUS_OK},
        {"holds: l1d.accesses@base > 0", STATUS_OK}, /* one subject at a time */
        {"agrees: avg(l1d.accesses@base) < l1d.accesses@base", STATUS_INVALID},
        {"agrees: kind = 'x'", STATUS_OK}, /* b has none */
        {"agrees: subject = 'a'", STATUS_INVALID},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trial trial;
        char text[1024], *out;
        snprintf(text, sizeof text, AREA "claims: [{what: w, paper: p, %s}]\n", rows[i].claim);
        if (trial_run(&trial, text, "numbers", &out) != rows[i].status)
            fail_msg("%s", rows[i].claim);
        assert_true(!rows[i].status || strstr(trial.found.items[0].message, "do not agree"));
        trial_free(&trial, out);
    }
}

/* "first" judges once, and all readings are ranked. */
static void the_first_reading_is_judged_and_all_are_ranked(void **state)
{
    static const char text[] =
        HEAD "roles: {one: {}}\n"
             "readings: {near: {set: {l1d.ways: 4}}, far: {set: {l1d.size: 32KiB, l1d.ways: 8}}}\n"
             "claims: [{what: w, paper: p, readings: first, value: l1d.ways@one, number: 4, "
             "within: 1}]\n";
    struct trial trial;
    char *out;
    (void)state;
    assert_int_equal(trial_run(&trial, text, "numbers", &out), STATUS_OK);
    assert_string_equal(out, "what,paper,mark,ours,verdict,remark\nw,p,,4,agrees,\n");
    trial_free(&trial, out);
    assert_int_equal(trial_run(&trial, text, "readings", &out), STATUS_OK);
    assert_non_null(strstr(out, "near,0,1,"));
    assert_non_null(strstr(out, "far,4,1,"));
    trial_free(&trial, out);
}

/* What a time limit stops says how far it came. */
static void a_time_limit_stops_the_runs(void **state)
{
    const struct experiment_options options = {.threads = 2, .time_limit = 1e-9};
    struct trial trial = {.found = DIAGNOSTICS_INIT};
    char *messages;
    (void)state;
    assert_int_equal(load(AREA "claims: [{what: w, paper: p, agrees: sum(l1d.misses@base) > 0}]\n",
                          &trial.experiment, &messages),
                     STATUS_OK);
    free(messages);
    assert_int_equal(experiment_runs_open(&trial.experiment, &options, &trial.runs, &trial.found),
                     STATUS_OK);
    assert_int_equal(experiment_terms_create(&trial.runs, &trial.terms, &trial.found), STATUS_OK);
    assert_int_equal(experiment_report_create(&trial.experiment, &trial.runs, trial.terms,
                                              "numbers", &trial.report, &trial.found),
                     STATUS_OK);
    assert_int_equal(
        experiment_runs_make(&trial.runs, experiment_asked(trial.terms), &options, &trial.found),
        STATUS_CANCELLED);
    assert_string_equal(trial.found.items[0].message,
                        "stopped by the time limit with 0 of 2 runs made");
    trial_free(&trial, NULL);
}

static void wrong_words_of_the_language_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"subjects: {a: {workload: GEMM, loads: {0: {}}}}\nvariants: {base: {}}\n",
         "loads: expected a number from 1 to 64 with fields, got '0'"},
        {"subjects: {a: {workload: GEMM, loads: {1: {}, 01: {}}}}\nvariants: {base: {}}\n",
         "loads: expected a number from 1 to 64 with fields, got '01'"},
        {"subjects: {a: {workload: GEMM, loads: {1: {}, 1.0: {}}}}\nvariants: {base: {}}\n",
         "loads: expected a number from 1 to 64 with fields, got '1.0'"},
        {"subjects: {a: {workload: GEMM, loads: {65: {}}}}\nvariants: {base: {}}\n",
         "loads: expected a number from 1 to 64 with fields, got '65'"},
        {"subjects: {a: {workload: GEMM, loads: 1}}\nvariants: {base: {}}\n",
         "loads: expected numbers of loads with their fields"},
        {"subjects: {a: {workload: GEMM}}\nvariants: {base: {best: core.ipc}}\n",
         "'best' needs 'over', the family that it chooses from"},
        {"subjects: {a: {workload: GEMM}}\nvariants: {f: {over: {l1d.sise: all}}}\n",
         "did you mean 'l1d.size'?"},
        {"subjects: {a: {workload: GEMM}}\n"
         "variants: {f: {over: {l1d.write: all}, best: l1d.accesses}}\n",
         "best: neither more nor less of l1d.accesses is better"},
        {"subjects: {a: {workload: GEMM}}\n"
         "variants: {f: {over: {l2.latency: {from: 1, to: 2000, step: 1}}}}\n",
         "more than 1024 variants, with those of families and readings"},
        {"subjects: {a: {workload: GEMM}}\nvariants: {base: {}}\n"
         "tables: {t: {title: t, loads: maybe, columns: {a: b}}}\n",
         "loads: expected yes or no"},
    };
    struct experiment experiment;
    char *messages, text[1024];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, "paper: p\nmachine: gtx480\n%sclaims: []\n", rows[i].text);
        assert_int_equal(load(text, &experiment, &messages), STATUS_INVALID);
        if (!strstr(messages, rows[i].message))
            fail_msg("no '%s' in\n%s", rows[i].message, messages);
        free(messages);
    }
}

/* More tables than can be named, and more numbers than EXPERIMENT_NUMBERS_MAX, are errors. */
static void huge_experiments_are_refused(void **state)
{
    enum { SUBJECTS = 1024, VALUES = 600, SIZE = 128 << 10 };
    struct experiment experiment;
    struct experiment_runs runs;
    struct experiment_terms *terms;
    struct diagnostics found = DIAGNOSTICS_INIT;
    char *messages, *text = malloc(SIZE);
    (void)state;
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, SIZE, HEAD "variants: {base: {}}\nclaims: []\ntables:\n");
    for (unsigned i = 0; i <= EXPERIMENT_TABLES_MAX; i++)
        used +=
            (size_t)snprintf(text + used, SIZE - used, "  t%u: {title: t, columns: {a: b}}\n", i);
    assert_int_equal(load(text, &experiment, &messages), STATUS_INVALID);
    assert_non_null(strstr(messages, "more than 64 tables"));
    free(messages);
    used = (size_t)snprintf(text, SIZE,
                            "paper: p\nmachine: gtx480\nclaims: []\nvariants: {f: {over: "
                            "{l1d.latency: {from: 1, to: 40, step: 1}}}}\nsubjects:\n");
    for (unsigned i = 0; i < SUBJECTS; i++)
        used += (size_t)snprintf(text + used, SIZE - used, "  s%u: {workload: GEMM}\n", i);
    used += (size_t)snprintf(text + used, SIZE - used, "values:\n");
    for (unsigned i = 0; i < VALUES; i++)
        used += (size_t)snprintf(text + used, SIZE - used, "  v%u: 1\n", i);
    const struct experiment_options options = {.threads = 1};
    assert_int_equal(load(text, &experiment, &messages), STATUS_OK);
    assert_int_equal(experiment_runs_open(&experiment, &options, &runs, &found), STATUS_OK);
    assert_int_equal(experiment_terms_create(&runs, &terms, &found), STATUS_INVALID);
    assert_non_null(strstr(found.items[0].message, "subjects x variants x values"));
    diagnostics_free(&found);
    experiment_runs_free(&runs);
    experiment_free(&experiment);
    free(messages);
    free(text);
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

/* In PTX the loads of the paper on bypassed convolutions stand at the pcs that its text names. */
static void loads_stand_at_the_pcs_of_the_paper(void **state)
{
    struct experiment experiment;
    struct trace_source *source = NULL;
    const struct trace_code *code = NULL;
    size_t named = 0;
    uint32_t at = 0;
    (void)state;
    assert_int_equal(experiment_load("bypass", &experiment, NULL), STATUS_OK);
    for (size_t i = 0; i < experiment.subject_count; i++) {
        const struct experiment_subject *subject = &experiment.subjects[i];
        const struct node *pc = subject->load ? node_find(subject->load, "pc") : NULL;
        if (!subject->load) {
            trace_source_free(source);
            assert_int_equal(
                workload_open(node_text(node_find(subject->fields, "workload")), &source, NULL),
                STATUS_OK);
            code = trace_launch_code(source, 0);
            at = 0;
            continue;
        }
        while (!(code->items[at].flags & INSTRUCTION_LOAD))
            at++;
        if (pc)
            assert_int_equal(code->items[at].pc, strtoul(node_text(pc), NULL, 16));
        named += pc != NULL;
        at++;
    }
    assert_int_equal(named, 18);
    trace_source_free(source);
    experiment_free(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_errors_are_reported_with_their_lines),
        cmocka_unit_test(empty_and_huge_lists_are_refused),
        cmocka_unit_test(too_many_bars_are_refused),
        cmocka_unit_test(verdicts_follow_the_rule),
        cmocka_unit_test(a_claim_has_its_example),
        cmocka_unit_test(chains_of_values_are_followed_once),
        cmocka_unit_test(wrong_expressions_are_reported_together),
        cmocka_unit_test(a_load_by_a_field_that_no_subject_has_is_refused),
        cmocka_unit_test(readings_are_ranked_by_all_numbers),
        cmocka_unit_test(a_part_of_the_programs_has_few_verdicts),
        cmocka_unit_test(readings_are_not_ranked_by_a_part),
        cmocka_unit_test(what_was_chosen_to_fit_never_agrees),
        cmocka_unit_test(runs_of_all_variants_fill_a_table),
        cmocka_unit_test(means_over_a_field_that_no_subject_has_are_refused),
        cmocka_unit_test(counts_of_loads_are_those_of_their_program),
        cmocka_unit_test(remembered_loads_are_those_of_a_run),
        cmocka_unit_test(remembered_loads_are_those_of_their_needs),
        cmocka_unit_test(families_have_a_member_per_combination),
        cmocka_unit_test(members_have_what_their_kind_has),
        cmocka_unit_test(members_that_break_a_rule_say_so),
        cmocka_unit_test(the_best_is_the_best_of_its_family),
        cmocka_unit_test(a_refused_member_is_not_the_best),
        cmocka_unit_test(groups_and_missing_variants),
        cmocka_unit_test(bare_values_must_agree),
        cmocka_unit_test(the_first_reading_is_judged_and_all_are_ranked),
        cmocka_unit_test(a_time_limit_stops_the_runs),
        cmocka_unit_test(wrong_words_of_the_language_are_refused),
        cmocka_unit_test(huge_experiments_are_refused),
        cmocka_unit_test(experiments_that_come_with_the_program_are_whole),
        cmocka_unit_test(loads_stand_at_the_pcs_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
