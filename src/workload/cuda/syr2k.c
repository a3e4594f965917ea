/* SYR2K: C = beta C + alpha (A B^T + B A^T), one thread an element of C.
 *
 * PTX order: C is scaled and stored, then each k loads B of the row, A of the column, A of the row,
 * B of the column, and stores C. (The source names the product A B^T first.) */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/product.h"

enum { N, NI, NJ, BLOCK_X, BLOCK_Y };

static const struct workload_parameter parameters_syr2k[] = {
    {"n", 2048, 1, MATRIX_EDGE_MAX, "edge of square matrices"},
    {"ni", 0, 0, MATRIX_EDGE_MAX, "rows of A and B, edge of C; 0 takes n"},
    {"nj", 0, 0, MATRIX_EDGE_MAX, "columns of A and B; 0 takes n"},
    BLOCK_2D_PARAMETERS,
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static void syr2k_kernel(struct kernel *kernel, uint32_t a, uint32_t b, struct matrix c, int64_t nj)
{
    enum { SUM, LEFT, RIGHT, LEFT_TOO, RIGHT_TOO };
    const float alpha = 12435.0f, beta = 4546.0f;
    const struct element out = {c.array, .x = 1, .y = c.columns};
    kernel_work(kernel, 4);
    kernel_load(kernel, SUM, out);
    kernel_compute_value(kernel, KERNEL_SCALE, SUM, SUM, beta);
    kernel_store(kernel, SUM, out);
    kernel_work(kernel, 8);
    kernel_loop(kernel, nj, 0);
    kernel_unroll(kernel, 8);
    kernel_load(kernel, LEFT, (struct element){b, .y = nj, .i = 1});
    kernel_compute_value(kernel, KERNEL_SCALE, LEFT, LEFT, alpha);
    kernel_load(kernel, RIGHT, (struct element){a, .x = nj, .i = 1});
    kernel_load(kernel, LEFT_TOO, (struct element){a, .y = nj, .i = 1});
    kernel_compute_value(kernel, KERNEL_SCALE, LEFT_TOO, LEFT_TOO, alpha);
    kernel_load(kernel, RIGHT_TOO, (struct element){b, .x = nj, .i = 1});
    kernel_compute(kernel, KERNEL_MUL, LEFT_TOO, LEFT_TOO, RIGHT_TOO);
    kernel_compute(kernel, KERNEL_FMA, LEFT_TOO, LEFT, RIGHT);
    kernel_compute(kernel, KERNEL_ADD, SUM, SUM, LEFT_TOO);
    kernel_store(kernel, SUM, out);
    kernel_end(kernel, 7); /* four pointers, the counter, compare, branch */
    kernel_finish(kernel);
}

static enum status open_syr2k(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_syr2k, values);
    if (!program)
        return STATUS_MEMORY;
    int64_t ni = size_or(values[NI], values[N]), nj = size_or(values[NJ], values[N]);
    struct matrix a = product_matrix(program, "A", ni, nj);
    struct matrix b = product_matrix(program, "B", ni, nj);
    struct matrix c = product_matrix(program, "C", ni, ni);
    struct kernel *kernel = affine_kernel(program, "syr2k_kernel", 12);
    syr2k_kernel(kernel, a.array, b.array, c, nj);
    affine_launch(program, kernel, (uint64_t)ni, (uint64_t)ni, values[BLOCK_X], values[BLOCK_Y], 0,
                  (struct guard){0, ni, 0, ni});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(syr2k, "SYR2K", POLYBENCH_SUITE,
             .help = "C = beta C + alpha (A B^T + B A^T); two broadcasts, two loads of 32 lines");
