/* 3MM: E += A B, F += C D, G += E F; three launches. The kernel and its order are in product.c. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/product.h"

enum { N, NI, NJ, NK, NL, NM, BLOCK_X, BLOCK_Y };

static const struct workload_parameter parameters_mm3[] = {
    {"n", 512, 1, MATRIX_EDGE_MAX, "edge of square matrices"},
    {"ni", 0, 0, MATRIX_EDGE_MAX, "rows of A, E and G; 0 takes n"},
    {"nj", 0, 0, MATRIX_EDGE_MAX, "columns of B and E, rows of C and F; 0 takes n"},
    {"nk", 0, 0, MATRIX_EDGE_MAX, "columns of A, rows of B; 0 takes n"},
    {"nl", 0, 0, MATRIX_EDGE_MAX, "columns of D, F and G; 0 takes n"},
    {"nm", 0, 0, MATRIX_EDGE_MAX, "columns of C, rows of D; 0 takes n"},
    BLOCK_2D_PARAMETERS,
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static enum status open_mm3(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_mm3, values);
    if (!program)
        return STATUS_MEMORY;
    int64_t ni = size_or(values[NI], values[N]), nj = size_or(values[NJ], values[N]),
            nk = size_or(values[NK], values[N]), nl = size_or(values[NL], values[N]),
            nm = size_or(values[NM], values[N]);
    struct matrix a = product_matrix(program, "A", ni, nk);
    struct matrix b = product_matrix(program, "B", nk, nj);
    struct matrix c = product_matrix(program, "C", nj, nm);
    struct matrix d = product_matrix(program, "D", nm, nl);
    struct matrix e = product_matrix(program, "E", ni, nj);
    struct matrix f = product_matrix(program, "F", nj, nl);
    struct matrix g = product_matrix(program, "G", ni, nl);
    product_launch(program, "mm3_kernel1", a, b, e, 32, values[BLOCK_X], values[BLOCK_Y]);
    product_launch(program, "mm3_kernel2", c, d, f, 32, values[BLOCK_X], values[BLOCK_Y]);
    product_launch(program, "mm3_kernel3", e, f, g, 32, values[BLOCK_X], values[BLOCK_Y]);
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(mm3, "3MM", POLYBENCH_SUITE,
             .help = "three matrix products, E += A B, F += C D, G += E F, without tiling");
