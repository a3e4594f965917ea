/* LANES: the micro-benchmark that measures coalescing (tests/hardware, lanes_kernel). One block;
 * lane k of every warp reads word `offset + k * stride` again and again, 16 loads at once, and adds
 * up what it reads. All of it stays in an L1, so the time is what the lanes' places cost there. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { STRIDE, OFFSET, LOADS, WARPS };
enum { LANE_COUNT = 32, WORD = 4, UNROLL = 16 };

static const struct workload_parameter parameters_lanes[] = {
    {"stride", 1, 0, 1 << 16, "words from one lane to the next"},
    {"offset", 0, 0, 1 << 16, "words before that of the first lane"},
    {"loads", 64, 1, 1 << 24, "of a thread"},
    {"warps", 32, 1, 32, "of the block"},
    PROGRAM_DEVICE_PARAMETERS,
};

static enum status open_lanes(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    enum { SUM, READ };
    const int64_t stride = (int64_t)values[STRIDE], offset = (int64_t)values[OFFSET];
    const int64_t warps = (int64_t)values[WARPS];
    struct affine_program *program = affine_create(&workload_lanes, values);
    if (!program)
        return STATUS_MEMORY;
    const uint32_t array = program_array(&program->program, "array",
                                         WORD * (uint64_t)(offset + stride * (LANE_COUNT - 1) + 1));
    const uint32_t sums =
        program_array(&program->program, "sums", WORD * LANE_COUNT * values[WARPS]);
    struct kernel *kernel = affine_kernel(program, "lanes_kernel", 8);
    kernel_set(kernel, SUM, 0);
    kernel_loop(kernel, (int64_t)values[LOADS], 0);
    kernel_unroll(kernel, UNROLL);
    kernel_load(kernel, READ, (struct element){.array = array, .at = offset, .x = stride});
    kernel_compute(kernel, KERNEL_ADD, SUM, SUM, READ);
    kernel_end(kernel, 3);
    kernel_store(kernel, SUM, (struct element){.array = sums, .x = 1, .y = LANE_COUNT});
    kernel_finish(kernel);
    affine_launch(program, kernel, LANE_COUNT, values[WARPS], LANE_COUNT, values[WARPS], 0,
                  (struct guard){0, LANE_COUNT, 0, warps});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    lanes, "LANES", PROBING_SUITE,
    .help = "a warp's lanes that lie a stride apart from an offset on: what do their loads cost?");
