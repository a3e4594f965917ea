/* 2MM: C += A B, then E += C D; two launches. The kernel and its order are in product.c.
 *
 * This is release 1.0 with matrices of 2048; later headers of the suite use 1024 and clear the
 * intermediate matrix first. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/product.h"

enum { N, NI, NJ, NK, NL, BLOCK_X, BLOCK_Y };

static const struct workload_parameter parameters_mm2[] = {
    {"n", 2048, 1, MATRIX_EDGE_MAX, "edge of square matrices"},
    {"ni", 0, 0, MATRIX_EDGE_MAX, "rows of A, C and E; 0 takes n"},
    {"nj", 0, 0, MATRIX_EDGE_MAX, "columns of B and C, rows of D; 0 takes n"},
    {"nk", 0, 0, MATRIX_EDGE_MAX, "columns of A, rows of B; 0 takes n"},
    {"nl", 0, 0, MATRIX_EDGE_MAX, "columns of D and E; 0 takes n"},
    BLOCK_2D_PARAMETERS,
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static enum status open_mm2(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_mm2, values);
    if (!program)
        return STATUS_MEMORY;
    int64_t ni = size_or(values[NI], values[N]), nj = size_or(values[NJ], values[N]),
            nk = size_or(values[NK], values[N]), nl = size_or(values[NL], values[N]);
    struct matrix a = product_matrix(program, "A", ni, nk);
    struct matrix b = product_matrix(program, "B", nk, nj);
    struct matrix c = product_matrix(program, "C", ni, nj);
    struct matrix d = product_matrix(program, "D", nj, nl);
    struct matrix e = product_matrix(program, "E", ni, nl);
    product_launch(program, "mm2_kernel1", a, b, c, 40, values[BLOCK_X], values[BLOCK_Y]);
    product_launch(program, "mm2_kernel2", c, d, e, 40, values[BLOCK_X], values[BLOCK_Y]);
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(mm2, "2MM", POLYBENCH_SUITE,
             .help = "two matrix products in a row, C += A B and E += C D, without tiling");
