/* A study through the planner, and the same study one point after the other. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench.h"
#include "config/study_file.h"
#include "explore/sweep.h"
#include "model/evaluate.h"

/* 6 x 5 x 2 x 2 L1Ds. The workload is put in afterwards: its name may hold anything. */
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
    char *workload = strdup(bench->workload);
    if (!workload) {
        study_free(study);
        return STATUS_MEMORY;
    }
    free(study->workloads[0]);
    study->workloads[0] = workload;
    return STATUS_OK;
}

static enum status time_sweep(struct bench *bench, const struct study *study, const char *path,
                              int threads, double requests, struct diagnostics *diagnostics)
{
    const struct sweep_options options = {.store = path, .threads = threads};
    struct bench_result result = {.what = "planner",
                                  .how = "a sweep over L1Ds of all sizes, ways, indices, LRU and "
                                         "FIFO, stored",
                                  .threads = threads,
                                  .unit = "requests"};
    struct sweep_progress progress;
    struct stopwatch watch;
    unlink(path);
    stopwatch_start(&watch);
    enum status status = sweep_run(study, &options, &progress, diagnostics);
    result.count = requests;
    result.configurations = (double)progress.done;
    if (!status)
        bench_row(bench, &result, &watch);
    return status;
}

/* Every value of the store once more, by an evaluation of its machine alone. */
static enum status time_points(struct bench *bench, const struct study *study, const char *path,
                               int threads, double requests, struct diagnostics *diagnostics)
{
    const struct sweep_options options = {.store = path, .threads = threads};
    struct bench_result result = {.what = "one by one",
                                  .how = "each point of the same study evaluated alone; every "
                                         "value is the planner's",
                                  .threads = threads,
                                  .unit = "requests"};
    struct sweep_verification found;
    struct stopwatch watch;
    stopwatch_start(&watch);
    enum status status = sweep_verify(study, &options, 1, &found, diagnostics);
    result.count = requests;
    result.configurations = (double)found.checked;
    if (!status)
        bench_row(bench, &result, &watch);
    return status;
}

static enum status compare(struct bench *bench, const struct study *study, const char *path,
                           struct diagnostics *diagnostics)
{
    struct metrics metrics;
    enum status status = evaluate(&study->machine, bench->source, NULL, &metrics, diagnostics);
    double requests = metrics.stream_transactions;
    for (int more = 0; more < 2 && !status; more++) {
        int threads = more ? bench->threads : 1;
        if (more && threads == 1)
            break;
        status = time_sweep(bench, study, path, threads, requests, diagnostics);
        if (!status)
            status = time_points(bench, study, path, threads, requests, diagnostics);
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
        status = compare(bench, &study, path, diagnostics);
        study_free(&study);
    }
    bench_scratch_remove(path);
    return status;
}
