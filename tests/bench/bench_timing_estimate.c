/* Estimates of depth timing beside exact runs, on GTX 480: for each program the cycles, the
 * estimate with its error, and how many of all its estimated metrics the stated intervals miss.
 * Arguments are other workloads to try. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "model/evaluate.h"
#include "schema/parameters.h"
#include "workload/workload.h"

struct tally {
    unsigned given, outside;
};

static struct tally compare(const struct metrics *exact, const struct metrics *estimate,
                            const struct metrics *error)
{
    struct tally tally = {0};
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const double value = metric_get(&metric_table[i], estimate);
        const double reach = metric_get(&metric_table[i], error);
        if (isnan(value) || !(reach > 0))
            continue;
        tally.given++;
        tally.outside += fabs(value - metric_get(&metric_table[i], exact)) > reach;
    }
    return tally;
}

struct seconds {
    double whole, parts;
};

static void print_row(const char *name, const struct metrics *exact, const struct metrics *estimate,
                      const struct metrics *error, const struct seconds *took, struct tally *all,
                      struct tally *cycles)
{
    const struct tally tally = compare(exact, estimate, error);
    const double off = estimate->core_cycles - exact->core_cycles;
    const bool inside = fabs(off) <= error->core_cycles;
    printf("%-38s %10.0f %10.0f %8.1f %8.1f  %-7s %4u %8u %8.2f %8.2f\n", name, exact->core_cycles,
           estimate->core_cycles, 100 * error->core_cycles / estimate->core_cycles,
           100 * off / exact->core_cycles, inside ? "inside" : "OUTSIDE", tally.given,
           tally.outside, took->whole, took->parts);
    fflush(stdout);
    all->given += tally.given;
    all->outside += tally.outside;
    cycles->given++;
    cycles->outside += !inside;
}

/* False if the workload cannot be run. */
static bool try_workload(const char *name, struct tally *all, struct tally *cycles)
{
    const struct evaluate_options options = {.depth = DEPTH_TIMING};
    struct trace_source *source = NULL;
    struct machine machine;
    struct metrics exact, estimate, error;
    struct seconds took;
    bool whole = true;
    machine_defaults(&machine);
    machine.tlb.enabled = 0;
    double begun = clock_seconds();
    bool ran = !workload_open(name, &source, NULL) &&
               !evaluate_sampled(&machine, source, 0.1, &options, &estimate, &error, &whole, NULL);
    took.parts = clock_seconds() - begun;
    begun = clock_seconds();
    if (ran && !whole)
        ran = !evaluate(&machine, source, &options, &exact, NULL);
    took.whole = clock_seconds() - begun;
    trace_source_free(source);
    if (!ran)
        printf("%-38s cannot be run\n", name);
    else if (whole)
        printf("%-38s too short for an estimate: run whole in %.2f s\n", name, took.parts);
    else
        print_row(name, &exact, &estimate, &error, &took, all, cycles);
    return ran;
}

int main(int argc, char **argv)
{
    static const char *const programs[] = {"2DCONV:n=512",
                                           "2DCONV:n=1024",
                                           "FDTD-2D:n=1024,steps=1",
                                           "HOTSPOT",
                                           "STENCIL:nx=1024,ny=1024,nz=4,steps=1",
                                           "LBM",
                                           "BACKPROP:n=32768",
                                           "MRI-Q:voxels=524288,samples=16",
                                           "HISTOGRAM",
                                           "FILTER",
                                           "MATADD",
                                           "VECTORS:n=1048576",
                                           "TRANSPOSE:n=1024",
                                           "TRANSPOSE:n=1024,tile=1",
                                           "MATMUL:n=512,nk=64",
                                           "GATHER:n=524288",
                                           "REDUCE:n=1048576",
                                           "GEMM:n=512,nk=64",
                                           "SYRK:n=512,nj=32",
                                           "AES",
                                           "STO",
                                           "SPMV",
                                           "RAY"};
    struct tally all = {0}, cycles = {0};
    bool ran = true;
    printf("%-38s %10s %10s %8s %8s  %-7s %4s %8s %8s %8s\n", "workload", "exact", "estimate",
           "error %", "off %", "cycles", "all", "outside", "whole s", "parts s");
    for (int i = 1; i < argc; i++)
        ran &= try_workload(argv[i], &all, &cycles);
    for (size_t i = 0; argc == 1 && i < sizeof programs / sizeof *programs; i++)
        ran &= try_workload(programs[i], &all, &cycles);
    printf("cycles: %u of %u outside of their interval; all metrics: %u of %u (%.1f %% inside)\n",
           cycles.outside, cycles.given, all.outside, all.given,
           100 - 100. * all.outside / (all.given ? all.given : 1));
    return !ran;
}
