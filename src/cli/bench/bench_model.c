/* Measures the models: one machine through all of them, and many machines that share a pass, which
 * shows how much cheaper the next machine of a sweep is than the first. */
#include <math.h>
#include <stdlib.h>

#include "cli/bench/bench.h"
#include "explore/sweep/curve.h"
#include "model/area/area.h"

enum status bench_evaluate(struct bench *bench, struct diagnostics *diagnostics)
{
    static const struct {
        unsigned needs;
        const char *what, *how;
    } cases[] = {
        {0, "evaluate", "one machine: L1Ds, L2, TLBs, page walks"},
        {NEED_CLASSES(STAGE_L1D) | NEED_CLASSES(STAGE_L2), "evaluate with classes",
         "the same with compulsory, capacity and conflict misses"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct evaluate_options options = {.needs = cases[i].needs};
        struct metrics metrics;
        struct stopwatch watch;
        double accesses = 0;
        stopwatch_start(&watch);
        do {
            enum status status =
                evaluate(&bench->machine, bench->source, &options, &metrics, diagnostics);
            if (status)
                return status;
            accesses += metrics.stream_transactions;
        } while (stopwatch_seconds(&watch) < bench->seconds);
        const struct bench_result result = {.what = cases[i].what,
                                            .how = cases[i].how,
                                            .threads = 1,
                                            .count = accesses,
                                            .unit = "requests",
                                            .configurations = 1};
        bench_row(bench, &result, &watch);
    }
    return STATUS_OK;
}

/* Structures that the machine does not have cost nothing and do not count. */
enum status bench_area(struct bench *bench, struct diagnostics *diagnostics)
{
    enum { ROUNDS = 1000 };
    struct stopwatch watch;
    struct bench_result result = {.what = "area",
                                  .how = "every structure of one machine",
                                  .threads = 1,
                                  .unit = "structures"};
    double area = 0;
    (void)diagnostics;
    stopwatch_start(&watch);
    do {
        for (int i = 0; i < ROUNDS; i++)
            for (int id = 0; id < STRUCTURE_COUNT; id++) {
                struct area_structure found;
                area_describe(&bench->machine, (enum structure_id)id, &found);
                result.count += found.count > 0;
                area += found.area; /* so that the work is not optimised away */
            }
    } while (stopwatch_seconds(&watch) < bench->seconds);
    result.count = area > 0 || bench->machine.tech.target == TARGET_FPGA ? result.count : 0;
    bench_row(bench, &result, &watch);
    return STATUS_OK;
}

/* Times a curve over l1d.size from 1 KiB on: `count` L1Ds, each with an L2 of its own. Replaces the
 * hash of the GTX 480, which supports only two sizes. */
static enum status time_curve(struct bench *bench, size_t count, int threads, const char *what,
                              const char *how, struct diagnostics *diagnostics)
{
    enum { VALUES = 16 };
    const struct parameter *size = parameter_find("l1d.size");
    struct value values[VALUES];
    struct metrics metrics[VALUES];
    struct stopwatch watch;
    struct bench_result result = {.what = what, .how = how, .threads = threads, .unit = "requests"};
    struct machine machine = bench->machine;
    if (machine.l1d.index == INDEX_FERMI)
        machine.l1d.index = INDEX_XOR;
    if (count > VALUES)
        count = VALUES;
    count = curve_values(&machine, size, NULL, 1024, INFINITY, values, count);
    stopwatch_start(&watch);
    do {
        enum status status = curve_run(&machine, size, NULL, values, count, bench->long_source,
                                       NULL, threads, metrics, diagnostics);
        if (status)
            return status;
        result.count += metrics[0].stream_transactions;
    } while (stopwatch_seconds(&watch) < bench->seconds);
    result.configurations = (double)count;
    bench_row(bench, &result, &watch);
    return STATUS_OK;
}

enum status bench_share(struct bench *bench, struct diagnostics *diagnostics)
{
    enum status status =
        time_curve(bench, 1, 1, "machines alone", "one machine per pass", diagnostics);
    if (!status)
        status = time_curve(bench, 8, 1, "machines shared",
                            "L1Ds of one pass that differ in l1d.size", diagnostics);
    if (!status && bench->threads > 1)
        status = time_curve(bench, 8, bench->threads, "machines shared",
                            "the same, dealt to the threads", diagnostics);
    return status;
}
