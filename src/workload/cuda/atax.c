/* ATAX: y += A^T (A x). Kernel 1 makes tmp += A x with one thread a row, so that the lanes of a
 * warp lie a whole row apart; kernel 2 makes y += A^T tmp with one thread a column. As in
 * release 1.0 neither sum is cleared first. The kernel and its order are in vector.c. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/vector.h"

enum { N, NX, NY, BLOCK_X };

static const struct workload_parameter parameters_atax[] = {
    MATRIX_PARAMETERS,
    BLOCK_1D_PARAMETER,
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static enum status open_atax(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    struct affine_program *program = affine_create(&workload_atax, values);
    if (!program)
        return STATUS_MEMORY;
    int64_t nx = size_or(values[NX], values[N]), ny = size_or(values[NY], values[N]);
    uint32_t a = vector_array(program, "A", nx * ny);
    uint32_t x = vector_array(program, "x", ny);
    uint32_t y = vector_array(program, "y", ny);
    uint32_t tmp = vector_array(program, "tmp", nx);
    struct vector_product rows = {.matrix = a, .in = x, .out = tmp, .rows = nx, .columns = ny};
    struct vector_product columns = rows;
    columns.in = tmp;
    columns.out = y;
    columns.transposed = true;
    vector_launch(program, "atax_kernel1", &rows, values[BLOCK_X]);
    vector_launch(program, "atax_kernel2", &columns, values[BLOCK_X]);
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    atax, "ATAX", POLYBENCH_SUITE,
    .help = "y += A^T (A x); its first kernel touches 32 lines per load, one for each lane's row");
