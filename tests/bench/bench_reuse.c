/* The published reuse-distance model: from text, in memory, and cycles of the time-stamp counter
 * for each line request. The published program needs 2.18 s (gemmrow_1m), 4.59 s (gemmcol_1m) and
 * 13.91 s (atax1_1m) of one thread for the same four runs. Nobody measured it on rand_1m. It looks
 * "now" up in an ordered map for each set at every tick, idle ones too, so its time goes with the
 * ticks of the four runs: rand_1m is compared with its ticks times the least time a tick that the
 * other three show, which is a lower bound as far as that holds. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

#include "model/reuse/published.h"
#include "schema/parameters.h"
#include "tests/support/temporary.h"
#include "tests/support/trc_traces.h"
#include "trace/trace_file.h"

enum { REPEATS = 5 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct measured {
    double open, prepare, simulate;
    uint64_t requests, ticks; /* ticks: of all runs */
};

/* Cycles of the time-stamp counter in a second. */
static double clock_rate(void)
{
    struct timespec begin, now;
    double passed;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    unsigned long long clock = __rdtsc();
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
        passed = (double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec);
    } while (passed < 0.05);
    return (double)(__rdtsc() - clock) / passed;
}

static int measure(const char *path, const struct reuse_config *config, struct measured *best)
{
    struct trace_source *source;
    struct published_loads *loads;
    struct reuse_run runs[REUSE_RUNS];
    double start = seconds();
    if (trace_open(path, NULL, &source, NULL))
        return 1;
    double opened = seconds();
    if (published_prepare(source, 0, config->line, UINT32_MAX, &loads, NULL))
        return 1;
    double prepared = seconds();
    if (published_simulate(loads, config, 15, runs, NULL, NULL))
        return 1;
    double simulated = seconds();
    best->open = fmin(best->open, opened - start);
    best->prepare = fmin(best->prepare, prepared - opened);
    best->simulate = fmin(best->simulate, simulated - prepared);
    best->requests = runs[0].accesses;
    best->ticks = 0;
    for (unsigned i = 0; i < REUSE_RUNS; i++)
        best->ticks += runs[i].ticks;
    published_free(loads);
    trace_source_free(source);
    return 0;
}

int main(void)
{
    static const struct {
        const char *name;
        double published; /* seconds; 0: not measured */
    } traces[] = {{"gemmrow_1m", 2.18}, {"gemmcol_1m", 4.59}, {"atax1_1m", 13.91}, {"rand_1m", 0}};
    char folder[TEMPORARY_PATH], path[TEMPORARY_PATH];
    temporary_create(folder);
    struct machine machine;
    machine_defaults(&machine);
    struct reuse_config config;
    reuse_configure(&machine, &config);
    double rate = clock_rate(), least = INFINITY; /* least: seconds of the program for a tick */
    int failed = 0;
    for (size_t i = 0; i < sizeof traces / sizeof *traces && !failed; i++) {
        FILE *out = fopen(temporary_path(folder, "bench.trc", path), "w");
        failed = !out || !trc_trace_write(traces[i].name, out) || fclose(out);
        struct measured best = {1e9, 1e9, 1e9, 0, 0};
        for (int repeat = 0; repeat < REPEATS && !failed; repeat++)
            failed = measure(path, &config, &best);
        double memory = best.prepare + best.simulate, text = memory + best.open;
        printf("%-11s read %6.1f ms, coalesce %5.1f ms, four runs %6.1f ms: %4.0f cycles a request "
               "and run",
               traces[i].name, 1e3 * best.open, 1e3 * best.prepare, 1e3 * best.simulate,
               rate * best.simulate / (double)best.requests / REUSE_RUNS);
        bool measured = traces[i].published > 0;
        double published = measured ? traces[i].published : least * (double)best.ticks;
        if (measured)
            least = fmin(least, published / (double)best.ticks);
        printf("; %.0fx the published program in memory, %.0fx from text%s\n", published / memory,
               published / text, measured ? "" : " (its time estimated from ticks)");
    }
    temporary_remove(folder);
    return failed;
}
