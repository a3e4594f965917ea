/* MB2: the second micro-benchmark of Nugteren et al., HPCA 2014: how many misses can be in flight
 * at once? A warp of the model waits for each of its loads. So what one thread requests in a row
 * there, the lanes of one load request here: `per_warp` distinct lines a warp, each by 32 /
 * per_warp lanes, and `lines` lines in all. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { LINES, PER_WARP, STRIDE };

static const struct workload_parameter parameters_mb2[] = {
    {"lines", 64, 1, BLOCK_THREADS_MAX, "lines that the block asks for"},
    {"per_warp", 4, 1, WARP_SIZE, "lines of one load of a warp, a power of two"},
    {"stride", 128, 4, 1 << 20, "bytes from one line to the next, a multiple of 4"},
    PROGRAM_DEVICE_PARAMETERS,
};

static enum status open_mb2(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    uint64_t lines = values[LINES], per_warp = values[PER_WARP], stride = values[STRIDE];
    if (WARP_SIZE % per_warp || stride % 4)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "MB2: per_warp must be a power of two, and stride a multiple "
                                 "of 4");
    enum status status = program_check_block(WARP_SIZE / per_warp, lines, diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_mb2, values);
    if (!program)
        return STATUS_MEMORY;
    uint32_t mem = program_array(&program->program, "mem", lines * stride);
    struct kernel *kernel = affine_kernel(program, "mb2", 6);
    kernel_load(kernel, 0, (struct element){.array = mem, .y = (int64_t)stride / 4});
    kernel_finish(kernel);
    affine_launch(program, kernel, WARP_SIZE / per_warp, lines, WARP_SIZE / per_warp, lines, 0,
                  (struct guard){0, (int64_t)(WARP_SIZE / per_warp), 0, (int64_t)lines});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(mb2, "MB2", MICRO_SUITE,
             .help = "warps that ask for many lines at once: how many may be in flight?",
             .sizes = 1u << 2);
