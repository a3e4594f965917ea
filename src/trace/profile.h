/* Profiles of real GPUs: what Nsight Compute, Nsight Systems and nvprof print about the kernels
 * that they watched.
 *
 * Read are, plain or compressed, with whatever the program itself printed in between:
 * - `ncu --csv`: a row for each counter (page details, or --metrics), or a column (page raw), and
 *   the summaries of --print-summary;
 * - `ncu` as text: the tables of the pages details and raw and the summaries, of all versions since
 *   2019;
 * - `nvprof --metrics --events`, `--print-gpu-summary` and `--print-gpu-trace`, as text or with
 *   --csv, alone or together;
 * - `nsys stats`: the reports cuda_gpu_kern_sum, cuda_gpu_kern_gb_sum, cuda_gpu_sum and
 *   cuda_gpu_trace, as text or CSV.
 *
 * Invariant: values are in base units (bytes, seconds, ratios, counts) and nothing is guessed: a
 * number whose style contradicts that of another number of the file is an error. All problems of a
 * file are reported. Where several tables tell of one launch it is one, and no launch has a counter
 * twice. Cost: one pass over the file; names once, 16 bytes a value and the text of the values. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "schema/counters.h"
#include "trace/profile_number.h"

struct profile_counter {
    enum profile_tool tool;
    char *name;
    char unit[UNIT_WORD]; /* the base unit, as unit_read writes it; may be "" */
};

struct profile_value {
    uint32_t counter;
    unsigned line; /* where it stands */
    double value;  /* in the base unit; of several invocations the mean */
};

/* One launch, or in a summary all invocations of a kernel. */
struct profile_launch {
    char *kernel; /* as printed: with its arguments, if the profiler shows them */
    uint64_t invocations;
    uint64_t grid[3], block[3]; /* 0: not known */
    struct profile_value *values;
    size_t count, capacity;
};

struct profile {
    char *device; /* "CC 8.6", "Tesla V100-PCIE-16GB (0)"; NULL: not known */
    struct profile_counter *counters;
    size_t counter_count, counter_capacity;
    struct profile_launch *launches; /* at least one after reading */
    size_t launch_count, launch_capacity;
};

/* Reads a file. STATUS_IO if it cannot be read, STATUS_INVALID if it holds no profile or wrong
 * numbers, STATUS_UNSUPPORTED beyond PROFILE_VALUES_MAX. *profile is empty after a failure. */
enum { PROFILE_VALUES_MAX = 1 << 22, PROFILE_LAUNCHES_MAX = 1 << 20 };
enum status profile_read(const char *path, struct profile *profile,
                         struct diagnostics *diagnostics);
void profile_free(struct profile *profile);
