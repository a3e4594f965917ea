/* Measures the timing depth in warp instructions per second, from opening the workload to the last
 * cycle: on the workload that the user chose, or on built-in programs of several kinds and, where
 * the reference data are (cli/run/accelsim_traces.h), on the traces that Accel-Sim's own speed is
 * known for. */
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/run/accelsim_traces.h"
#include "cli/shared/options.h"
#include "config/machine_file.h"
#include "model/evaluate.h"
#include "workload/workload.h"

static enum status run_once(const struct machine *machine, const char *workload, int threads,
                            struct metrics *metrics, struct diagnostics *diagnostics)
{
    const struct evaluate_options options = {
        .depth = DEPTH_TIMING, .threads = threads, .cancel = interrupt_flag()};
    struct trace_source *source = NULL;
    enum status status = workload_open(workload, &source, diagnostics);
    if (!status)
        status = evaluate(machine, source, &options, metrics, diagnostics);
    trace_source_free(source);
    return status;
}

static void timing_add_row(struct bench *bench, const char *how, int threads, double instructions,
                           const struct stopwatch *watch)
{
    const struct bench_result result = {.what = "timing",
                                        .how = how,
                                        .threads = threads,
                                        .count = instructions,
                                        .unit = "warp instructions"};
    bench_row(bench, &result, watch);
}

/* The threads share the SMs and channels of each run. */
static enum status time_runs(struct bench *bench, const struct machine *machine, const char *name,
                             const char *workload, int threads, struct diagnostics *diagnostics)
{
    struct metrics metrics;
    struct stopwatch watch;
    double instructions = 0;
    stopwatch_start(&watch);
    do {
        const enum status status = run_once(machine, workload, threads, &metrics, diagnostics);
        if (status)
            return status;
        instructions += metrics.stream_warp_instructions;
    } while (stopwatch_seconds(&watch) < bench->seconds);
    char how[200];
    snprintf(how, sizeof how, "%.100s: %.0f cycles, %.0f warp instructions", name,
             metrics.core_cycles, metrics.stream_warp_instructions);
    timing_add_row(bench, how, threads, instructions, &watch);
    return STATUS_OK;
}

/* Each thread has runs of its own, as in a sweep: what the computer gives to threads that share
 * nothing, and so the most that threads of one run can reach. */
static enum status time_separate_runs(struct bench *bench, const struct machine *machine,
                                      const char *name, const char *workload,
                                      struct diagnostics *diagnostics)
{
    const int threads = bench->threads;
    enum status status = STATUS_OK;
    struct stopwatch watch;
    double instructions = 0;
    stopwatch_start(&watch);
#pragma omp parallel num_threads(threads) reduction(+ : instructions)
    do {
        struct metrics metrics;
        const enum status one = run_once(machine, workload, 1, &metrics, NULL);
        if (one) {
#pragma omp atomic write
            status = one;
            break;
        }
        instructions += metrics.stream_warp_instructions;
    } while (stopwatch_seconds(&watch) < bench->seconds);
    if (status) {
        struct metrics metrics;
        return run_once(machine, workload, 1, &metrics, diagnostics); /* says why */
    }
    char how[200];
    snprintf(how, sizeof how, "%.100s: a run for each thread", name);
    timing_add_row(bench, how, threads, instructions, &watch);
    return STATUS_OK;
}

static enum status time_workload(struct bench *bench, const struct machine *machine,
                                 const char *name, const char *workload,
                                 struct diagnostics *diagnostics)
{
    const int threads = bench->threads;
    enum status status = time_runs(bench, machine, name, workload, 1, diagnostics);
    if (!status && threads > 1)
        status = time_runs(bench, machine, name, workload, threads, diagnostics);
    if (!status && threads > 1)
        status = time_separate_runs(bench, machine, name, workload, diagnostics);
    return status;
}

/* Without the reference data, or python3 where a trace must be made, such a row is left out. */
static enum status time_reference(struct bench *bench, const char *machine_name, const char *name,
                                  const char *trace, struct diagnostics *diagnostics)
{
    struct accelsim_traces traces;
    struct machine machine;
    char *path = NULL;
    enum status status = machine_load(machine_name, NULL, &machine, NULL, diagnostics);
    if (!status && !accelsim_traces_init(&traces, NULL, NULL)) {
        if (!accelsim_traces_path(&traces, trace, &path, NULL))
            status = time_workload(bench, &machine, name, path, diagnostics);
        accelsim_traces_free(&traces);
    }
    free(path);
    return status;
}

/* Kernels of each kind: what a warp instruction costs differs by a factor of ten between them. */
static const struct {
    const char *machine, *workload, *kind;
    int bypass; /* enum bypass_policy */
} programs[] = {
    {"gtx480-accelsim", "GEMM:n=128", "product", BYPASS_NEVER},
    {"gtx480-accelsim", "MRI-Q:voxels=2048,samples=256", "arithmetic", BYPASS_NEVER},
    {"gtx480-accelsim", "BFS:nodes=4096", "graph", BYPASS_NEVER},
    {"gtx480-accelsim", "SPMV:rows=2048,calls=2", "sparse product", BYPASS_NEVER},
    {"gtx480-accelsim", "GATHER:n=65536", "bound by memory", BYPASS_NEVER},
    {"a100", "GEMM:n=128", "modern machine", BYPASS_NEVER},
    {"bypass-gtx480", "2DCONV:ni=34,nj=1024", "bypass policy", BYPASS_SAMPLED},
};

static enum status time_programs(struct bench *bench, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof programs / sizeof *programs && !status; i++) {
        struct machine machine;
        char name[120];
        snprintf(name, sizeof name, "%s: %s on %s", programs[i].kind, programs[i].workload,
                 programs[i].machine);
        status = machine_load(programs[i].machine, NULL, &machine, NULL, diagnostics);
        machine.l1d.bypass.policy = programs[i].bypass;
        if (!status)
            status = time_workload(bench, &machine, name, programs[i].workload, diagnostics);
    }
    return status;
}

enum status bench_timing(struct bench *bench, struct diagnostics *diagnostics)
{
    if (bench->chosen)
        return time_workload(bench, &bench->machine, bench->workload, bench->workload, diagnostics);
    enum status status = time_programs(bench, diagnostics);
    if (!status)
        status = time_reference(bench, "gtx480-accelsim", "trace of gemm 128 on gtx480-accelsim",
                                "python3 gen_traceg.py gemm 128 OUT --bin 35", diagnostics);
    if (!status)
        status = time_reference(bench, "rtx3070-accelsim", "trace of bfs on rtx3070-accelsim",
                                "shared/traces/accelsim/bfs/kernelslist.g", diagnostics);
    return status;
}
