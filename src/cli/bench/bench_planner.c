/* Measures a study through the planner (explore/plan/planner.h), and the same study one machine at
 * a time. The second measurement also checks that every value is the same. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "config/study_file.h"
#include "explore/sweep/sweep.h"
#include "model/evaluate.h"

/* 6 x 5 x 2 x 2 L1Ds. The workload is set after parsing: its name may contain anything, also YAML.
 */
static const char text[] =
    "machine: gtx480\n"
    "set: {l1d.line: 128B, l1d.sector: 128B, l1d.write: write_back,\n"
    "      l1d.write_allocate: write_allocate, l1d.index: linear, l1d.unified: 0B}\n"
    "workloads: [conv2d-512]\n"
    "axes:\n"
    "  l1d.size: {from: 4KiB, to: 128KiB, factor: 2}\n"
    "  l1d.ways: [1, 2, 4, 8, 16]\n"
    "  l1d.index: [linear, xor]\n"
    "  l1d.replacement: [lru, fifo]\n"
    "objectives: [l1d.miss_rate, l1d.area]\n"
    "metrics: [l1d.misses, stream.transactions]\n";

static enum status make_study(const struct bench *bench, struct study *study,
                              struct diagnostics *diagnostics)
{
    struct document *document;
    enum status status = document_parse(text, strlen(text), "bench", &document, diagnostics);
    if (status)
        return status;
    status = study_from_document(document, NULL, study, diagnostics);
    document_free(document);
    if (status)
        return status;
    char *workload = strdup(bench->long_workload);
    if (!workload) {
        study_free(study);
        return STATUS_MEMORY;
    }
    free(study->workloads[0]);
    study->workloads[0] = workload;
    return STATUS_OK;
}

struct comparison {
    struct bench *bench;
    const struct study *study;
    const char *path;
    double requests, seconds; /* of the evaluation of one machine */
    uint64_t points;          /* of the study */
};

/* Repeats the sweep until the time is up, each time into a new store. */
static enum status time_sweeps(struct comparison *comparison, int threads,
                               struct diagnostics *diagnostics)
{
    const struct sweep_options options = {.store = comparison->path, .threads = threads};
    char how[128];
    snprintf(how, sizeof how,
             "a sweep of %s over L1Ds of all sizes, ways, indices, LRU and FIFO, stored",
             comparison->study->workloads[0]);
    struct bench_result result = {
        .what = "planner", .how = how, .threads = threads, .unit = "requests"};
    struct sweep_progress progress;
    struct stopwatch watch;
    stopwatch_start(&watch);
    do {
        unlink(comparison->path);
        enum status status = sweep_run(comparison->study, &options, &progress, diagnostics);
        if (status)
            return status;
        result.count += comparison->requests;
    } while (stopwatch_seconds(&watch) < comparison->bench->seconds);
    comparison->points = progress.done;
    result.configurations = (double)progress.done;
    bench_row(comparison->bench, &result, &watch);
    return STATUS_OK;
}

/* Evaluates machines of the store alone and compares. Only a sample of them: all would take many
 * times as long as every other measurement. */
static enum status time_points(const struct comparison *comparison, int threads,
                               struct diagnostics *diagnostics)
{
    enum { POINTS_A_THREAD = 4 }; /* at least, so that the threads end at about the same time */
    const struct sweep_options options = {.store = comparison->path, .threads = threads};
    double wanted = fmax(comparison->bench->seconds / comparison->seconds, POINTS_A_THREAD);
    double share = fmin(wanted * threads / (double)comparison->points, 1);
    char how[128];
    struct sweep_verification found;
    struct stopwatch watch;
    stopwatch_start(&watch);
    enum status status = sweep_verify(comparison->study, &options, share, &found, diagnostics);
    snprintf(how, sizeof how,
             "%" PRIu64 " of the %" PRIu64 " points evaluated alone; every value is the planner's",
             found.checked, comparison->points);
    const struct bench_result result = {.what = "one by one",
                                        .how = how,
                                        .threads = threads,
                                        .count = comparison->requests,
                                        .unit = "requests",
                                        .configurations = (double)found.checked};
    if (!status)
        bench_row(comparison->bench, &result, &watch);
    return status;
}

static enum status planner_compare(struct bench *bench, const struct study *study, const char *path,
                                   struct diagnostics *diagnostics)
{
    struct comparison comparison = {.bench = bench, .study = study, .path = path};
    struct metrics metrics;
    struct stopwatch watch;
    stopwatch_start(&watch);
    enum status status = evaluate(&study->machine, bench->long_source, NULL, &metrics, diagnostics);
    comparison.seconds = stopwatch_seconds(&watch);
    comparison.requests = metrics.stream_transactions;
    for (int more = 0; more < 2 && !status; more++) {
        int threads = more ? bench->threads : 1;
        if (more && threads == 1)
            break;
        status = time_sweeps(&comparison, threads, diagnostics);
        if (!status)
            status = time_points(&comparison, threads, diagnostics);
    }
    return status;
}

enum status bench_planner(struct bench *bench, struct diagnostics *diagnostics)
{
    struct study study;
    char path[BENCH_PATH];
    enum status status = bench_scratch_make(path, diagnostics);
    if (status)
        return status;
    status = make_study(bench, &study, diagnostics);
    if (!status) {
        status = planner_compare(bench, &study, path, diagnostics);
        study_free(&study);
    }
    bench_scratch_remove(path);
    return status;
}
