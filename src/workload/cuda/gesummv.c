/* GESUMMV: y = beta (y + B x) + alpha (tmp + A x), one thread a row of both matrices, so that the
 * lanes of a warp lie a whole row apart in each.
 *
 * PTX order: in each step the vector, A, tmp and the store of tmp; then the vector again, B, y and
 * the store of y, because either sum may alias what is read. As in release 1.0 neither sum is
 * cleared first. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/vector.h"

enum { N, BLOCK_X };

static const struct workload_parameter parameters_gesummv[] = {
    {"n", 4096, 1, MATRIX_EDGE_MAX, "rows and columns of A and B"},
    BLOCK_1D_PARAMETER,
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static void add_product(struct kernel *kernel, uint32_t matrix, uint32_t x, uint32_t sum, int64_t n)
{
    enum { SUM, MATRIX, VECTOR };
    kernel_load(kernel, VECTOR, (struct element){x, .i = 1});
    kernel_load(kernel, MATRIX, (struct element){matrix, .x = n, .i = 1});
    kernel_load(kernel, SUM, (struct element){sum, .x = 1});
    kernel_compute(kernel, KERNEL_FMA, SUM, MATRIX, VECTOR);
    kernel_store(kernel, SUM, (struct element){sum, .x = 1});
}

static enum status open_gesummv(const uint64_t *values, struct trace_source **source,
                                struct diagnostics *diagnostics)
{
    enum { SUM, TMP };
    const float alpha = 43532.0f, beta = 12313.0f;
    struct affine_program *program = affine_create(&workload_gesummv, values);
    if (!program)
        return STATUS_MEMORY;
    int64_t n = (int64_t)values[N];
    uint32_t a = vector_array(program, "A", n * n);
    uint32_t b = vector_array(program, "B", n * n);
    uint32_t x = vector_array(program, "x", n);
    uint32_t y = vector_array(program, "y", n);
    uint32_t tmp = vector_array(program, "tmp", n);
    struct kernel *kernel = affine_kernel(program, "gesummv_kernel", 6);
    kernel_work(kernel, 8);
    kernel_loop(kernel, n, 0);
    kernel_unroll(kernel, 8);
    add_product(kernel, a, x, tmp, n);
    add_product(kernel, b, x, y, n);
    kernel_end(kernel, 6); /* three pointers, the counter, compare, branch */
    kernel_load(kernel, TMP, (struct element){tmp, .x = 1});
    kernel_compute_value(kernel, KERNEL_SCALE, SUM, SUM, beta);
    kernel_compute_value(kernel, KERNEL_MADD, SUM, TMP, alpha);
    kernel_store(kernel, SUM, (struct element){y, .x = 1});
    kernel_finish(kernel);
    affine_launch(program, kernel, values[N], 1, values[BLOCK_X], 1, 0, (struct guard){0, n, 0, 1});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(gesummv, "GESUMMV", POLYBENCH_SUITE,
             .help = "sum of two matrix-vector products; 32 lines per load in either matrix");
