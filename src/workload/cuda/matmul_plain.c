/* MATMUL: C = A B, one thread an element, the loop that every course on products begins with.
 *
 * The sum stays in a register; nvcc unrolls the loop by 16: 32 loads, then 16 multiply-adds.
 * `order` says how threads lie over C: 0 x along its rows, so that loads of B are coalesced; 1 x
 * down its columns, so that lanes lie a row of A apart; 2 as 0, but consecutive blocks follow each
 * other down the columns of C instead of along its rows. Which elements a warp asks for is the same
 * in 0 and 2: what differs is what the blocks that run at one time share. `update` reads C in the
 * end, as alpha A B + beta C does. `bytes` 8 makes the elements doubles. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { N, NI, NJ, NK, ORDER, UPDATE, BYTES, UNROLL, BLOCK_X, BLOCK_Y };
enum { ORDER_ROWS, ORDER_COLUMNS, ORDER_DOWN };

static const struct workload_parameter parameters_matmul[] = {
    {"n", 1024, 1, MATRIX_EDGE_MAX, "edge of square matrices"},
    {"ni", 0, 0, MATRIX_EDGE_MAX, "rows of A and C; 0 takes n"},
    {"nj", 0, 0, MATRIX_EDGE_MAX, "columns of B and C; 0 takes n"},
    {"nk", 0, 0, MATRIX_EDGE_MAX, "columns of A, rows of B; 0 takes n"},
    {"order", 0, 0, 2, "of threads: 0 along rows of C, 1 down columns, 2 blocks down columns"},
    {"update", 0, 0, 1, "1 adds to what C holds"},
    {"bytes", 4, 4, 8, "of an element, 4 or 8"},
    UNROLL_PARAMETER,
    {"block_x", 16, 1, 1024, "threads of a block in x"},
    {"block_y", 16, 1, 1024, "threads of a block in y"},
    PROGRAM_DEVICE_PARAMETERS,
};

static void matmul_kernel(struct kernel *kernel, struct element left, struct element right,
                          struct element out, const uint64_t *values, int64_t nk)
{
    enum { SUM, LEFT, RIGHT };
    if (values[BYTES] == sizeof(double))
        kernel_doubles(kernel);
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 6);
    kernel_loop(kernel, nk, 0);
    kernel_unroll(kernel, 16);
    kernel_load(kernel, LEFT, left);
    kernel_load(kernel, RIGHT, right);
    kernel_compute(kernel, KERNEL_FMA, SUM, LEFT, RIGHT);
    kernel_end(kernel, 5); /* two pointers, the counter, compare, branch */
    kernel_work(kernel, 2);
    if (values[UPDATE]) {
        kernel_load(kernel, LEFT, out);
        kernel_compute(kernel, KERNEL_ADD, SUM, SUM, LEFT);
    }
    kernel_store(kernel, SUM, out);
    kernel_finish(kernel);
}

static enum status open_matmul(const uint64_t *values, struct trace_source **source,
                               struct diagnostics *diagnostics)
{
    const int64_t ni = size_or(values[NI], values[N]), nj = size_or(values[NJ], values[N]),
                  nk = size_or(values[NK], values[N]);
    const bool columns = values[ORDER] == ORDER_COLUMNS;
    const int64_t width = columns ? ni : nj, height = columns ? nj : ni;
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    if (values[BYTES] != sizeof(float) && values[BYTES] != sizeof(double))
        return diagnostics_error(diagnostics, STATUS_INVALID, "MATMUL: bytes must be 4 or 8");
    struct affine_program *program = affine_create(&workload_matmul, values);
    if (!program)
        return STATUS_MEMORY;
    const uint32_t arrays[3] = {
        program_array(&program->program, "A", values[BYTES] * (uint64_t)(ni * nk)),
        program_array(&program->program, "B", values[BYTES] * (uint64_t)(nk * nj)),
        program_array(&program->program, "C", values[BYTES] * (uint64_t)(ni * nj)),
    };
    const struct element left = {arrays[0], .x = columns ? nk : 0, .y = columns ? 0 : nk, .i = 1};
    const struct element right = {arrays[1], .x = columns ? 0 : 1, .y = columns ? 1 : 0, .i = nj};
    const struct element out = {arrays[2], .x = columns ? nj : 1, .y = columns ? 1 : nj};
    struct kernel *kernel = affine_kernel(program, "matmul_naive", 14);
    matmul_kernel(kernel, left, right, out, values, nk);
    affine_launch(program, kernel, (uint64_t)width, (uint64_t)height, values[BLOCK_X],
                  values[BLOCK_Y], 0, (struct guard){0, width, 0, height});
    if (values[ORDER] == ORDER_DOWN)
        affine_turn(program);
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(matmul, "MATMUL", PROFILED_SUITE,
             .help = "C = A B without tiles; three ways to lay threads and blocks over C");
