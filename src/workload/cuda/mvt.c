/* MVT: x1 += A y1 with one thread a row, then x2 += A^T y2 with one thread a column. The kernel and
 * its order are in vector.c. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/vector.h"

enum { N, BLOCK_X };

static const struct workload_parameter parameters_mvt[] = {
    {"n", 4096, 1, MATRIX_EDGE_MAX, "rows and columns of A"},
    BLOCK_1D_PARAMETER,
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static enum status open_mvt(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    struct affine_program *program = affine_create(&workload_mvt, values);
    if (!program)
        return STATUS_MEMORY;
    int64_t n = (int64_t)values[N];
    uint32_t a = vector_array(program, "A", n * n);
    uint32_t x1 = vector_array(program, "x1", n);
    uint32_t x2 = vector_array(program, "x2", n);
    uint32_t y1 = vector_array(program, "y1", n);
    uint32_t y2 = vector_array(program, "y2", n);
    const struct vector_product rows = {.matrix = a, .in = y1, .out = x1, .rows = n, .columns = n};
    const struct vector_product columns = {
        .matrix = a, .in = y2, .out = x2, .rows = n, .columns = n, .transposed = true};
    vector_launch(program, "mvt_kernel1", &rows, values[BLOCK_X]);
    vector_launch(program, "mvt_kernel2", &columns, values[BLOCK_X]);
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(mvt, "MVT", POLYBENCH_SUITE,
             .help = "x1 += A y1 and x2 += A^T y2; one kernel strides by rows, the other streams");
