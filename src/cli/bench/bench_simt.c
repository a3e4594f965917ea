/* Measures programs of the SIMT processor in instructions per second, of warps and of their lanes:
 * executed, and through the instruction and the data cache of a machine at the functional depth. A
 * program that the user chose runs on the machine that was; else the nine of the paper run on the
 * paper's. */
#include "cli/bench/bench.h"
#include "cli/shared/options.h"
#include "config/machine_file.h"
#include "model/evaluate.h"
#include "workload/simt/simt_profile.h"
#include "workload/simt/simt_source.h"
#include "workload/workload.h"

/* Sizes at which a run takes some milliseconds. */
static const char *const programs[] = {
    "simt-sort:n=4096",       "simt-maximum:n=65536", "simt-matmul:n=64",
    "simt-convolution:n=128", "simt-loop:n=20000",    "simt-solve:n=64",
    "simt-line:n=2048",       "simt-vertex:n=16384",  "simt-fft:n=4096",
};

static enum status time_source(struct bench *bench, const struct machine *machine,
                               const struct trace_source *source, struct diagnostics *diagnostics)
{
    const struct evaluate_options options = {.cancel = interrupt_flag()};
    struct simt_profile profile;
    struct metrics metrics;
    struct stopwatch watch;
    double count = 0;
    enum status status = simt_profile_run(simt_source_program(source), NULL, interrupt_flag(),
                                          &profile, diagnostics);
    if (status)
        return status;
    const double lanes = profile.issued ? (double)profile.lanes / (double)profile.issued : 0;
    simt_profile_free(&profile);
    stopwatch_start(&watch);
    do {
        status = evaluate(machine, source, &options, &metrics, diagnostics);
        if (status)
            return status;
        count += metrics.stream_warp_instructions;
    } while (stopwatch_seconds(&watch) < bench->seconds);
    char how[200];
    snprintf(how, sizeof how, "%.100s: %.0f warp instructions of %.2f lanes", source->name,
             metrics.stream_warp_instructions, lanes);
    struct bench_result result = {
        .what = "simt", .how = how, .threads = 1, .count = count, .unit = "warp instructions"};
    bench_row(bench, &result, &watch);
    result.count *= lanes;
    result.unit = "lane instructions";
    bench_row(bench, &result, &watch);
    return STATUS_OK;
}

enum status bench_simt(struct bench *bench, struct diagnostics *diagnostics)
{
    struct machine machine;
    if (bench->chosen)
        return simt_source_program(bench->source)
                   ? time_source(bench, &bench->machine, bench->source, diagnostics)
                   : STATUS_OK;
    enum status status = machine_load("simt-processor", NULL, &machine, NULL, diagnostics);
    for (size_t i = 0; i < sizeof programs / sizeof *programs && !status; i++) {
        struct trace_source *source = NULL;
        status = workload_open(programs[i], &source, diagnostics);
        if (!status)
            status = time_source(bench, &machine, source, diagnostics);
        trace_source_free(source);
    }
    return status;
}
