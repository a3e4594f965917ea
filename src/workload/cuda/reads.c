/* READS: the micro-benchmark that measures bandwidths (tests/hardware, read_kernel). The threads of
 * a grid stride over an array, word by word, `rounds` times; four loads of a thread are on their
 * way at once, and what they bring is added up. Threads of one column read the same words, so that
 * a small array has enough warps, too. One block reads what an L1 holds; a grid that fills all SMs,
 * whose loads go past the L1 (`l1d.skip`), reads what an L2 holds, or more. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { BYTES, ROUNDS, BLOCKS, BLOCK_X, BLOCK_Y };
enum { WORD = 4, AT_ONCE = 4 };

static const struct workload_parameter parameters_reads[] = {
    {"bytes", 65536, WORD *AT_ONCE, UINT64_C(1) << 32,
     "of the array, a multiple of 16 for every column of threads"},
    {"rounds", 4, 1, 1 << 20, "times that it is read"},
    {"blocks", 1, 1, 1 << 16, "of the grid"},
    BLOCK_1D_PARAMETER,
    {"block_y", 1, 1, 1024, "threads of a block that read the same"},
    PROGRAM_DEVICE_PARAMETERS,
};

static void reads_kernel(struct kernel *kernel, const uint64_t *values, uint32_t array,
                         uint32_t sums)
{
    enum { SUM = AT_ONCE };
    const int64_t columns = (int64_t)(values[BLOCKS] * values[BLOCK_X]);
    kernel_set(kernel, SUM, 0);
    kernel_loop(kernel, (int64_t)values[ROUNDS], 0);
    kernel_loop(kernel, (int64_t)values[BYTES] / (WORD * AT_ONCE * columns), 0);
    for (uint8_t i = 0; i < AT_ONCE; i++)
        kernel_load(
            kernel, i,
            (struct element){.array = array, .at = i * columns, .x = 1, .j = AT_ONCE * columns});
    kernel_compute(kernel, KERNEL_ADD, 0, 0, 1);
    kernel_compute(kernel, KERNEL_ADD, 2, 2, 3);
    kernel_compute(kernel, KERNEL_ADD, 0, 0, 2);
    kernel_compute(kernel, KERNEL_ADD, SUM, SUM, 0);
    kernel_end(kernel, 3);
    kernel_end(kernel, 3);
    kernel_store(kernel, SUM, (struct element){.array = sums, .x = 1, .y = columns});
    kernel_finish(kernel);
}

static enum status open_reads(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    const uint64_t columns = values[BLOCKS] * values[BLOCK_X];
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    if (values[BYTES] % (WORD * AT_ONCE * columns))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "READS: bytes must be a multiple of 16 * blocks * block_x");
    struct affine_program *program = affine_create(&workload_reads, values);
    if (!program)
        return STATUS_MEMORY;
    const uint32_t array = program_array(&program->program, "array", values[BYTES]);
    const uint32_t sums =
        program_array(&program->program, "sums", WORD * columns * values[BLOCK_Y]);
    struct kernel *kernel = affine_kernel(program, "read_kernel", 8);
    reads_kernel(kernel, values, array, sums);
    affine_launch(program, kernel, columns, values[BLOCK_Y], values[BLOCK_X], values[BLOCK_Y], 0,
                  (struct guard){0, (int64_t)columns, 0, (int64_t)values[BLOCK_Y]});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    reads, "READS", PROBING_SUITE,
    .help = "a grid that reads an array again and again: which bandwidth does a level have?");
