/* GATHER: B[i] = A[index[i]], one thread an element. The indices are random ones below `span`, by
 * `seed` alone; with a span of 1 all threads read one word. */
#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N, SPAN, SEED, BLOCK_X };
enum { ARRAY_INDEX, ARRAY_A, ARRAY_B };
enum { SITE_INDEX, SITE_A, SITE_B };

static const struct workload_parameter parameters_gather[] = {
    {"n", 1048576, 1, UINT64_C(1) << 31, "elements of index and B"},
    {"span", 1048576, 1, UINT64_C(1) << 31, "elements of A"},
    {"seed", 1, 0, UINT32_MAX, "decides the indices"},
    BLOCK_1D_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

struct gather {
    struct staged_program staged; /* first */
    uint64_t n, span, seed;
};

static uint32_t gather_draw(const struct gather *gather, uint64_t i)
{
    return (uint32_t)random_below(random_at(gather->seed, i), gather->span);
}

static void gather_upload(const struct staged_program *program, struct device *device)
{
    const struct gather *gather = (const struct gather *)program;
    const struct trace_array *arrays = program->program.arrays;
    uint32_t *index = device_at(device, arrays[ARRAY_INDEX].base, 4 * gather->n);
    uint32_t *a = device_at(device, arrays[ARRAY_A].base, 4 * gather->span);
    for (uint64_t i = 0; index && i < gather->n; i++)
        index[i] = gather_draw(gather, i);
    for (uint64_t i = 0; a && i < gather->span; i++)
        a[i] = (uint32_t)(3 * i + 1);
}

static enum stage_end run_gather(struct stage *stage)
{
    const struct gather *gather = (const struct gather *)stage->program;
    const uint64_t first = stage_thread(stage);
    const uint32_t mask = lanes_below(first, gather->n) & stage->lanes;
    uint64_t addresses[WARP_SIZE];
    uint32_t values[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        values[lane] = gather_draw(gather, first + lane);
    stage_work(stage, 2);
    stage_load_row(stage, word_site(SITE_INDEX), mask, array_base(stage, ARRAY_INDEX) + 4 * first,
                   4, values);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, ARRAY_A) + 4 * (uint64_t)values[lane];
    stage_work(stage, mask ? 1 : 0);
    stage_load(stage, word_site(SITE_A), mask, addresses, values);
    stage_work(stage, mask ? 1 : 0);
    stage_store_row(stage, word_site(SITE_B), mask, array_base(stage, ARRAY_B) + 4 * first, 4,
                    values);
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "gather_kernel",
    .code = {.sites = "L L S", .prologue = 8},
    .run = run_gather,
};

static enum status open_gather(const uint64_t *values, struct trace_source **source,
                               struct diagnostics *diagnostics)
{
    struct gather *gather = staged_create(sizeof *gather, &workload_gather, values);
    if (!gather)
        return STATUS_MEMORY;
    gather->n = values[N];
    gather->span = values[SPAN];
    gather->seed = values[SEED];
    gather->staged.upload = gather_upload;
    program_array(&gather->staged.program, "index", 4 * gather->n);
    program_array(&gather->staged.program, "A", 4 * gather->span);
    program_array(&gather->staged.program, "B", 4 * gather->n);
    staged_launch(&gather->staged, &kernel, (gather->n + values[BLOCK_X] - 1) / values[BLOCK_X], 1,
                  values[BLOCK_X], 1, 0);
    return staged_finish(&gather->staged, source, diagnostics);
}

CUDA_PROGRAM(gather, "GATHER", PROFILED_SUITE,
             .help = "B[i] = A[index[i]] with random indices: a load that waits for another");
