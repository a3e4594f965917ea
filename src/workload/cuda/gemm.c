/* GEMM: C = beta C + alpha A B, one thread an element of C, straight from memory.
 *
 * PTX order: C is scaled and stored, then each k loads A, loads B and stores C, whose value stays
 * in a register. The literal order of the source would load C again before each of those stores. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { N, NI, NJ, NK, BLOCK_X, BLOCK_Y };

static const struct workload_parameter parameters_gemm[] = {
    {"n", 512, 1, MATRIX_EDGE_MAX, "edge of square matrices"},
    {"ni", 0, 0, MATRIX_EDGE_MAX, "rows of A and C; 0 takes n"},
    {"nj", 0, 0, MATRIX_EDGE_MAX, "columns of B and C; 0 takes n"},
    {"nk", 0, 0, MATRIX_EDGE_MAX, "columns of A, rows of B; 0 takes n"},
    BLOCK_2D_PARAMETERS,
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static void gemm_kernel(struct kernel *kernel, const uint32_t arrays[3], int64_t nj, int64_t nk)
{
    enum { SUM, LEFT, RIGHT };
    const float alpha = 32412.0f, beta = 2123.0f;
    const struct element out = {arrays[2], .x = 1, .y = nj};
    kernel_work(kernel, 4);
    kernel_load(kernel, SUM, out);
    kernel_compute_value(kernel, KERNEL_SCALE, SUM, SUM, beta);
    kernel_store(kernel, SUM, out);
    kernel_work(kernel, 5);
    kernel_loop(kernel, nk, 0);
    kernel_unroll(kernel, 32);
    kernel_load(kernel, LEFT, (struct element){arrays[0], .y = nk, .i = 1});
    kernel_compute_value(kernel, KERNEL_SCALE, LEFT, LEFT, alpha);
    kernel_load(kernel, RIGHT, (struct element){arrays[1], .x = 1, .i = nj});
    kernel_compute(kernel, KERNEL_FMA, SUM, LEFT, RIGHT);
    kernel_store(kernel, SUM, out);
    kernel_end(kernel, 5); /* two pointers, the counter, compare, branch */
    kernel_finish(kernel);
}

static enum status open_gemm(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_gemm, values);
    if (!program)
        return STATUS_MEMORY;
    int64_t ni = size_or(values[NI], values[N]), nj = size_or(values[NJ], values[N]),
            nk = size_or(values[NK], values[N]);
    const uint32_t arrays[3] = {
        program_array(&program->program, "A", 4 * (uint64_t)(ni * nk)),
        program_array(&program->program, "B", 4 * (uint64_t)(nk * nj)),
        program_array(&program->program, "C", 4 * (uint64_t)(ni * nj)),
    };
    struct kernel *kernel = affine_kernel(program, "gemm_kernel", 12);
    gemm_kernel(kernel, arrays, nj, nk);
    affine_launch(program, kernel, (uint64_t)nj, (uint64_t)ni, values[BLOCK_X], values[BLOCK_Y], 0,
                  (struct guard){0, nj, 0, ni});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    gemm, "GEMM", POLYBENCH_SUITE,
    .help = "C = beta C + alpha A B without tiling; rows of A broadcast, columns of B stream");
