/* RESIDUAL: out = a + b, element by element, as a layer of a network adds its input to its output:
 * `width` floats of each vector a thread, with one load and one store of 4 to 16 bytes (float,
 * float2, float4). `in_place` stores the sums where `a` was. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N, WIDTH, IN_PLACE, BLOCK_X };
enum { ARRAY_A, ARRAY_B, ARRAY_OUT };
enum { SITE_A, SITE_B, SITE_OUT };
enum { WIDTH_MAX = 4 };

static const struct workload_parameter parameters_residual[] = {
    {"n", 4194304, 1, UINT64_C(1) << 32, "floats of a vector, a multiple of width"},
    {"width", 4, 1, WIDTH_MAX, "floats that a thread loads at once: 1, 2 or 4"},
    {"in_place", 0, 0, 1, "1 stores the sums in a"},
    BLOCK_1D_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

struct residual {
    struct staged_program staged; /* first */
    uint64_t n, width, out;       /* out: the array */
};

static enum stage_end run_residual(struct stage *stage)
{
    const struct residual *r = (const struct residual *)stage->program;
    const uint64_t thread = stage_thread(stage), bytes = 4 * r->width, at = bytes * thread;
    const uint32_t mask = lanes_below(thread, r->n / r->width) & stage->lanes;
    float a[WARP_SIZE * WIDTH_MAX] = {0}, b[WARP_SIZE * WIDTH_MAX] = {0};
    stage_work(stage, 3);
    stage_load_row(stage, (struct site){SITE_A, SPACE_GLOBAL, (uint8_t)bytes}, mask,
                   array_base(stage, ARRAY_A) + at, (int32_t)bytes, a);
    stage_load_row(stage, (struct site){SITE_B, SPACE_GLOBAL, (uint8_t)bytes}, mask,
                   array_base(stage, ARRAY_B) + at, (int32_t)bytes, b);
    for (uint64_t i = 0; i < WARP_SIZE * r->width; i++)
        a[i] += b[i];
    stage_mix(stage, mask ? 1 : 0, (struct work){.singles = (uint32_t)r->width});
    stage_store_row(stage, (struct site){SITE_OUT, SPACE_GLOBAL, (uint8_t)bytes}, mask,
                    array_base(stage, (uint32_t)r->out) + at, (int32_t)bytes, a);
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "residual_add",
    .code = {.sites = "LL S", .prologue = 8},
    .run = run_residual,
};

static enum status open_residual(const uint64_t *values, struct trace_source **source,
                                 struct diagnostics *diagnostics)
{
    const uint64_t n = values[N], width = values[WIDTH];
    if (width == 3 || n % width)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "RESIDUAL: width must be 1, 2 or 4, and n a multiple of it");
    struct residual *residual = staged_create(sizeof *residual, &workload_residual, values);
    if (!residual)
        return STATUS_MEMORY;
    residual->n = n;
    residual->width = width;
    residual->out = values[IN_PLACE] ? ARRAY_A : ARRAY_OUT;
    program_array(&residual->staged.program, "A", 4 * n);
    program_array(&residual->staged.program, "B", 4 * n);
    if (!values[IN_PLACE])
        program_array(&residual->staged.program, "out", 4 * n);
    staged_launch(&residual->staged, &kernel, (n / width + values[BLOCK_X] - 1) / values[BLOCK_X],
                  1, values[BLOCK_X], 1, 0);
    return staged_finish(&residual->staged, source, diagnostics);
}

CUDA_PROGRAM(residual, "RESIDUAL", NETWORK_SUITE,
             .help = "vectors added, one to four floats per thread with one load: pure streaming");
