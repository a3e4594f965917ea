/* BICG: the two products of the biconjugate gradient method. Kernel 1 makes s = A^T r with one
 * thread a column, kernel 2 makes q = A p with one thread a row; both clear their sum first. The
 * kernel and its order are in vector.c. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/vector.h"

enum { N, NX, NY, BLOCK_X };

static const struct workload_parameter parameters_bicg[] = {
    MATRIX_PARAMETERS,
    BLOCK_1D_PARAMETER,
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static enum status open_bicg(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    struct affine_program *program = affine_create(&workload_bicg, values);
    if (!program)
        return STATUS_MEMORY;
    int64_t nx = size_or(values[NX], values[N]), ny = size_or(values[NY], values[N]);
    uint32_t a = vector_array(program, "A", nx * ny);
    uint32_t r = vector_array(program, "r", nx);
    uint32_t s = vector_array(program, "s", ny);
    uint32_t p = vector_array(program, "p", ny);
    uint32_t q = vector_array(program, "q", nx);
    const struct vector_product columns = {.matrix = a,
                                           .in = r,
                                           .out = s,
                                           .rows = nx,
                                           .columns = ny,
                                           .transposed = true,
                                           .cleared = true};
    const struct vector_product rows = {
        .matrix = a, .in = p, .out = q, .rows = nx, .columns = ny, .cleared = true};
    vector_launch(program, "bicg_kernel1", &columns, values[BLOCK_X]);
    vector_launch(program, "bicg_kernel2", &rows, values[BLOCK_X]);
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(bicg, "BICG", POLYBENCH_SUITE,
             .help = "s = A^T r and q = A p; one kernel streams, the other strides by rows");
