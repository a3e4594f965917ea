/* HISTOGRAM: values counted in bins, first those of a block in shared memory, then all of them in
 * global memory, one atomic a bin and block. A thread counts one value. Which value it has is
 * decided by `seed` alone: random ones below `values`; 1 puts all into one bin. Counting is
 * ATOMS.POPC.INC since Maxwell, which adds up the lanes of one word at once: lanes wait for each
 * other only where their words are different ones of a bank. */
#include <string.h>

#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N, VALUES, SEED };
enum { BINS = 256 };
enum { ARRAY_DATA, ARRAY_BINS };
enum { SITE_DATA, SITE_BIN };

static const struct workload_parameter parameters_bins[] = {
    {"n", 1048576, 1, UINT64_C(1) << 32, "values"},
    {"values", BINS, 1, BINS, "distinct values there are, all equally likely"},
    {"seed", 1, 0, UINT32_MAX, "decides the values"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct bins {
    struct staged_program staged; /* first */
    uint64_t n, values, seed;
};

static uint32_t bins_draw(const struct bins *bins, uint64_t index)
{
    return (uint32_t)random_below(random_at(bins->seed, index), bins->values);
}

static void bins_upload(const struct staged_program *program, struct device *device)
{
    const struct bins *bins = (const struct bins *)program;
    uint32_t *data = device_at(device, program->program.arrays[ARRAY_DATA].base, 4 * bins->n);
    for (uint64_t i = 0; data && i < bins->n; i++)
        data[i] = bins_draw(bins, i);
}

static void count_values(struct stage *stage, const struct bins *bins)
{
    const uint64_t first = stage_thread(stage);
    const uint32_t mask = lanes_below(first, bins->n) & stage->lanes;
    uint32_t values[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        values[lane] = bins_draw(bins, first + lane);
    stage_work(stage, 3);
    stage_load_row(stage, word_site(SITE_DATA), mask, array_base(stage, ARRAY_DATA) + 4 * first, 4,
                   values);
    stage_mix(stage, mask ? 1 : 0,
              (struct work){.integers = 1, .stores = 1, .banks = shared_banks(mask, values)});
    for (uint32_t left = stage->device ? mask : 0; left; left &= left - 1)
        ((uint32_t *)(void *)stage->device->shared)[values[__builtin_ctz(left)]]++;
    stage_barrier(stage);
}

/* Stages: zeroes, values, and the bins' way to memory. A thread has one bin. */
static enum stage_end run_bins(struct stage *stage)
{
    const struct bins *bins = (const struct bins *)stage->program;
    uint32_t *shared = stage->device ? (void *)stage->device->shared : NULL;
    uint64_t addresses[WARP_SIZE];
    uint32_t counts[WARP_SIZE] = {0};
    if (stage->number == 0) {
        stage_mix(stage, 1, (struct work){.stores = 1});
        if (shared)
            memset(shared + stage->first_thread, 0, sizeof counts);
        stage_barrier(stage);
        return STAGE_TURN;
    }
    if (stage->number == 1) {
        count_values(stage, bins);
        return STAGE_TURN;
    }
    if (shared)
        memcpy(counts, shared + stage->first_thread, sizeof counts);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, ARRAY_BINS) + 4 * (stage->first_thread + lane);
    stage_mix(stage, 1, (struct work){.loads = 1});
    stage_atomic(stage, word_site(SITE_BIN), ATOMIC_ADD, stage->lanes, addresses, counts);
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "histogram_kernel",
    .shared_bytes = 4 * BINS,
    .code = {.sites = "L A", .prologue = 6},
    .run = run_bins,
};

static enum status open_bins(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    struct bins *bins = staged_create(sizeof *bins, &workload_bins, values);
    if (!bins)
        return STATUS_MEMORY;
    bins->n = values[N];
    bins->values = values[VALUES];
    bins->seed = values[SEED];
    bins->staged.upload = bins_upload;
    program_array(&bins->staged.program, "data", 4 * bins->n);
    program_array(&bins->staged.program, "bins", 4 * BINS);
    staged_launch(&bins->staged, &kernel, (bins->n + BINS - 1) / BINS, 1, BINS, 1, 0);
    return staged_finish(&bins->staged, source, diagnostics);
}

CUDA_PROGRAM(bins, "HISTOGRAM", PROFILED_SUITE,
             .help = "values counted in shared memory, then by atomics in global memory");
