/* Whatever allocation fails, the program says that there is no memory: it neither crashes nor leaks
 * (run it with the sanitizers), nor blames the machine or the file, nor gives other numbers.
 *
 * A scenario runs once to count its allocations, and then again and again, each time with another
 * one that fails. WARPSCAPE_EVERY=1 tries all of them, otherwise it is some of each scenario. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/output_file.h"
#include "base/rng.h"
#include "base/text_stream.h"
#include "config/machine_file.h"
#include "config/study_file.h"
#include "explore/store/store_merge.h"
#include "explore/sweep/sweep.h"
#include "model/cache/shadow.h"
#include "model/evaluate.h"
#include "report/experiments/experiment_report.h"
#include "support/failing_allocations.h"
#include "support/same_metrics.h"
#include "support/study_builder.h"
#include "support/temporary.h"
#include "trace/trace_file.h"
#include "ui/session/session.h"
#include "workload/workload.h"

/* ---- one scenario ---- */

struct result { /* of a run that succeeds; all runs that do must agree */
    struct metrics metrics;
    uint64_t number;
};

typedef enum status scenario(const void *what, struct result *result,
                             struct diagnostics *diagnostics);

static enum status run(scenario *what, const void *argument, uint64_t k, struct result *result,
                       struct diagnostics *diagnostics)
{
    memset(result, 0, sizeof *result);
    allocation_fails(k);
    const enum status status = what(argument, result, diagnostics);
    allocation_fails(0);
    return status;
}

static bool same(const struct result *a, const struct result *b)
{
    return !metrics_differ(&a->metrics, &b->metrics, ~0u) && a->number == b->number;
}

/* The last ones are all tried: what a run counts when it has ended is easily forgotten. */
static uint64_t next_try(uint64_t k, uint64_t count, uint64_t step)
{
    enum { LAST = 8 };
    const uint64_t last = count > LAST ? count - LAST : 1, next = k + step;
    return k >= last ? k + 1 : next < last ? next : last;
}

static void try_all(const char *name, scenario *what, const void *argument, uint64_t tries)
{
    struct result whole, result;
    struct diagnostics none = DIAGNOSTICS_INIT;
    const enum status before = run(what, argument, 0, &whole, &none);
    if (before)
        fail_msg("%s: %s", name, diagnostics_first(&none, before));
    diagnostics_free(&none);
    const uint64_t count = allocations_made();
    const uint64_t step = getenv("WARPSCAPE_EVERY") || count < tries ? 1 : count / tries + 1;
    uint64_t refused = 0;
    for (uint64_t k = 1; k <= count; k = next_try(k, count, step)) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        const enum status status = run(what, argument, k, &result, &diagnostics);
        const char *text = allocation_blame(&diagnostics);
        if (status && status != STATUS_MEMORY)
            fail_msg("%s, allocation %u of %u: %s (%s)", name, (unsigned)k, (unsigned)count,
                     status_text(status), diagnostics_first(&diagnostics, status));
        if (status && text)
            fail_msg("%s, allocation %u of %u: '%s'", name, (unsigned)k, (unsigned)count, text);
        if (!status && !same(&result, &whole))
            fail_msg("%s, allocation %u of %u: other numbers", name, (unsigned)k, (unsigned)count);
        refused += status != STATUS_OK;
        diagnostics_free(&diagnostics);
    }
    printf("%s: %u allocations, %u fatal\n", name, (unsigned)count, (unsigned)refused);
    assert_true(refused > 0);
}

/* ---- the models ---- */

struct evaluation {
    enum depth depth;
    const char *machine, *workload;
    const char *settings[4];
};

static enum status evaluates(const void *what, struct result *result,
                             struct diagnostics *diagnostics)
{
    const struct evaluation *wanted = what;
    struct trace_source *source = NULL;
    struct machine machine;
    enum status status = machine_load(wanted->machine, NULL, &machine, NULL, diagnostics);
    for (size_t i = 0; !status && wanted->settings[i]; i++)
        status = machine_set_text(&machine, wanted->settings[i], diagnostics);
    if (!status)
        status = workload_open(wanted->workload, &source, diagnostics);
    const struct evaluate_options how = {.depth = wanted->depth, .needs = NEED_REPORT};
    if (!status)
        status = evaluate(&machine, source, &how, &result->metrics, diagnostics);
    trace_source_free(source);
    return status;
}

static void test_depths(void **state)
{
    (void)state;
    static const struct evaluation wanted[] = {
        {DEPTH_FUNCTIONAL, "gtx480", "ATAX:n=32", {NULL}},
        {DEPTH_FUNCTIONAL, "a100", "2DCONV:n=32", {"gpu.sms=4"}},
        {DEPTH_REUSE, "gtx480", "ATAX:n=32", {NULL}},
        {DEPTH_TIMING, "gtx480", "ATAX:n=32", {NULL}},
        {DEPTH_TIMING, "gtx480", "ATAX:n=32", {"l1d.bypass.policy=always"}},
        {DEPTH_TIMING, "rtx3070", "2DCONV:n=32", {"gpu.sms=4"}},
        {DEPTH_TIMING, "rtx2060-accelsim", "ATAX:n=32", {"gpu.sms=4"}},
        {DEPTH_TIMING, "cpwc-gtx480", "ATAX:n=32", {NULL}},
        {DEPTH_TIMING, "tile-gpu", "raster-effect2d:width=32,height=32", {NULL}},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s, %s at depth %s", wanted[i].machine, wanted[i].workload,
                 depth_name(wanted[i].depth));
        try_all(name, evaluates, &wanted[i], 60);
    }
}

/* A cache in time goes on to the end of its cycle after a failure, so what it classifies misses
 * with must stand that. */
static enum status classifies(const void *what, struct result *result,
                              struct diagnostics *diagnostics)
{
    (void)what, (void)diagnostics;
    const struct cache_config config = {.enabled = 1,
                                        .slices = 1,
                                        .interleave = 1024,
                                        .line = 128,
                                        .sector = 32,
                                        .ways = 4,
                                        .size = 4096,
                                        .write = WRITE_BACK,
                                        .write_allocate = WRITE_ALLOCATE_LAZY};
    struct shadow *shadow = NULL;
    struct cache_counts counts = {0};
    enum status status = shadow_create(&config, 1, 0, &shadow), failed = status;
    for (uint64_t i = 0; !status && i < 4000; i++) {
        const uint64_t address = random_below(random_at(3, i / 2), 256) * 32;
        const struct request request = {.address = address + 4 * (i % 8),
                                        .bytes = 4,
                                        .touched = 1,
                                        .op = i / 2 % 3 ? OP_STORE : OP_LOAD};
        const uint32_t *lost;
        const enum status ran = shadow_run(shadow, &request, 1, &counts, &lost);
        failed = failed ? failed : ran;
    }
    result->number = failed ? 0 : counts.compulsory + 7 * counts.store + 13 * counts.flush;
    shadow_free(shadow);
    return failed;
}

static void test_classes(void **state)
{
    (void)state;
    try_all("classes of misses", classifies, NULL, 200);
}

/* ---- files ---- */

static enum status imports(const void *what, struct result *result, struct diagnostics *diagnostics)
{
    char output[TEMPORARY_PATH];
    const char *const *names = what;
    struct trace_source *source = NULL;
    temporary_path(temporary_folder, "imported.wtr", output);
    const struct trace_part part = {.format = names[1]};
    enum status status = trace_import(names[0], &part, output, OUTPUT_REPLACE, diagnostics);
    if (!status)
        status = trace_open(output, NULL, &source, diagnostics);
    if (!status)
        result->number = source->launch_count;
    trace_source_free(source);
    return status;
}

static void test_traces(void **state)
{
    (void)state;
    char din[TEMPORARY_PATH], csv[TEMPORARY_PATH];
    const char *const dinero[] = {
        temporary_file(temporary_folder, "a.din", "0 100\n1 200\n2 300\n0 104\n", 0, din), "din"};
    const char *const table[] = {
        temporary_file(temporary_folder, "a.csv",
                       "address,block,warp,pc\n256,0,0,8\n512,0,1,8\n768,1,0,16\n", 0, csv),
        "csv"};
    try_all("import of din", imports, dinero, 200);
    try_all("import of csv", imports, table, 200);
}

static enum status loads(const void *what, struct result *result, struct diagnostics *diagnostics)
{
    struct session *session = NULL;
    enum status status = session_create(what, &session, diagnostics);
    char text[SESSION_TEXT] = "";
    if (!status)
        status = session_set_text(session, "l1d.size=32KiB", text);
    if (!status)
        status = session_mark(session, parameter_find("l1d.ways"), "2 4", text);
    if (*text)
        diagnostics_error(diagnostics, status, "%s", text);
    session_free(session);
    result->number = 0;
    return status;
}

static enum status studies(const void *what, struct result *result, struct diagnostics *diagnostics)
{
    struct study study = {0};
    enum status status = study_load(what, &study, diagnostics);
    result->number = study.axis_count;
    study_free(&study);
    return status;
}

static void test_machines_and_studies(void **state)
{
    (void)state;
    try_all("a session", loads, "gtx480", 150);
    try_all("a study", studies, "quick", 150);
}

/* ---- sweeps ---- */

static enum status sweeps(const void *what, struct result *result, struct diagnostics *diagnostics)
{
    char first[TEMPORARY_PATH], second[TEMPORARY_PATH];
    const char *const inputs[] = {temporary_path(temporary_folder, "a.db", first)};
    struct merge_result merged = {0};
    struct sweep_progress progress;
    const struct sweep_options options = {.store = first, .threads = 1};
    unlink(first);
    unlink(temporary_path(temporary_folder, "b.db", second));
    enum status status = sweep_run(what, &options, &progress, diagnostics);
    if (!status)
        status = store_merge(second, inputs, 1, &merged, diagnostics);
    result->number = merged.points;
    return status;
}

static void test_sweeps(void **state)
{
    (void)state;
    struct study study;
    study_from_text("machine: gtx480\nworkloads: ATAX:n=32\n"
                    "axes: {l1d.ways: [2, 4], tlb.entries: [16, 32]}\n"
                    "objectives: [l1d.miss_rate, tlb.hit_rate]\n",
                    &study);
    try_all("a sweep", sweeps, &study, 100);
    study_free(&study);
}

/* ---- experiments ---- */

/* Runs an experiment and judges its claims; the number is a hash of what is printed. */
static enum status reproduces(const void *what, struct result *result,
                              struct diagnostics *diagnostics)
{
    const struct experiment_options options = {.threads = 1};
    struct document *document = NULL;
    struct experiment experiment = {0};
    struct experiment_runs runs = {0};
    struct experiment_terms *terms = NULL;
    struct experiment_report *report = NULL;
    char *text = NULL;
    struct text_stream stream;
    enum status status = document_parse(what, strlen(what), "experiment", &document, diagnostics);
    if (!status)
        status = experiment_from_document(document, &experiment, diagnostics);
    else
        document_free(document);
    if (!status)
        status = experiment_runs_open(&experiment, &options, &runs, diagnostics);
    if (!status)
        status = experiment_terms_create(&runs, &terms, diagnostics);
    if (!status)
        status =
            experiment_report_create(&experiment, &runs, terms, "numbers", &report, diagnostics);
    if (!status)
        status = experiment_runs_make(&runs, experiment_asked(terms), &options, diagnostics);
    if (!status)
        status = experiment_values(terms, diagnostics);
    FILE *out = status ? NULL : text_stream_open(&stream);
    if (out)
        status = text_stream_finish(
            &stream, experiment_report_table(report, TABLE_CSV, out, diagnostics), &text);
    else
        status = status ? status : STATUS_MEMORY;
    for (const char *at = text; at && *at; at++)
        result->number = 31 * result->number + (unsigned char)*at;
    free(text);
    experiment_report_free(report);
    experiment_terms_free(terms);
    experiment_runs_free(&runs);
    experiment_free(&experiment);
    return status;
}

static void test_experiments(void **state)
{
    static const char text[] =
        "paper: p\nmachine: gtx480\nsubjects: {a: {workload: \"GATHER:n=512\", loads: {1: {}}}}\n"
        "variants: {base: {}, f: {over: {l1d.ways: [4, 3]}, set: {l1d.size: 16KiB}, best: "
        "l1d.bits}}\n"
        "claims:\n"
        "- {what: w, paper: p, value: sum(l1d.ways@base), number: 4, within: 1}\n"
        "- {what: w, paper: p, holds: l1d.accesses@f > 0, ours: \"{subject}: {max(l1d.ways@f)}\"}\n"
        "- {what: w, paper: p, loads: yes, agrees: sum(load.accesses@base) > 0}\n";
    (void)state;
    try_all("an experiment", reproduces, text, 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depths), cmocka_unit_test(test_classes),
        cmocka_unit_test(test_traces), cmocka_unit_test(test_machines_and_studies),
        cmocka_unit_test(test_sweeps), cmocka_unit_test(test_experiments),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
