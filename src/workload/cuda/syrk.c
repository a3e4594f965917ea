/* SYRK: C = beta C + alpha A A^T, one thread an element of C.
 *
 * Both factors are rows of A: that of the thread's row is a broadcast, that of its column puts the
 * lanes of a warp a whole row apart. PTX order: C is scaled and stored, then each k loads the row's
 * factor, the column's, and stores C, whose value stays in a register. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/product.h"

enum { N, NI, NJ, BLOCK_X, BLOCK_Y };

static const struct workload_parameter parameters_syrk[] = {
    {"n", 1024, 1, MATRIX_EDGE_MAX, "edge of square matrices"},
    {"ni", 0, 0, MATRIX_EDGE_MAX, "rows of A, edge of C; 0 takes n"},
    {"nj", 0, 0, MATRIX_EDGE_MAX, "columns of A; 0 takes n"},
    BLOCK_2D_PARAMETERS,
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static enum status open_syrk(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    enum { SUM, ROW, COLUMN };
    const float alpha = 12435.0f, beta = 4546.0f;
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_syrk, values);
    if (!program)
        return STATUS_MEMORY;
    int64_t ni = size_or(values[NI], values[N]), nj = size_or(values[NJ], values[N]);
    struct matrix a = product_matrix(program, "A", ni, nj);
    struct matrix c = product_matrix(program, "C", ni, ni);
    const struct element out = {c.array, .x = 1, .y = ni};
    struct kernel *kernel = affine_kernel(program, "syrk_kernel", 12);
    kernel_work(kernel, 4);
    kernel_load(kernel, SUM, out);
    kernel_compute_value(kernel, KERNEL_SCALE, SUM, SUM, beta);
    kernel_store(kernel, SUM, out);
    kernel_work(kernel, 6);
    kernel_loop(kernel, nj, 0);
    kernel_unroll(kernel, 32);
    kernel_load(kernel, ROW, (struct element){a.array, .y = nj, .i = 1});
    kernel_compute_value(kernel, KERNEL_SCALE, ROW, ROW, alpha);
    kernel_load(kernel, COLUMN, (struct element){a.array, .x = nj, .i = 1});
    kernel_compute(kernel, KERNEL_FMA, SUM, ROW, COLUMN);
    kernel_store(kernel, SUM, out);
    kernel_end(kernel, 5); /* two pointers, the counter, compare, branch */
    kernel_finish(kernel);
    affine_launch(program, kernel, (uint64_t)ni, (uint64_t)ni, values[BLOCK_X], values[BLOCK_Y], 0,
                  (struct guard){0, ni, 0, ni});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(syrk, "SYRK", POLYBENCH_SUITE,
             .help = "C = beta C + alpha A A^T; one factor broadcast, the other 32 lines per load");
