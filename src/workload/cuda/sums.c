/* SUMS: sums of the rows or of the columns of a matrix, one thread each: the kernels of the CUDA
 * training series, which many have profiled (docs/WORKLOADS.md).
 *
 * A thread of the row kernel walks along its row, so the lanes of a warp lie a whole row apart and
 * every lane has a line of its own; a thread of the column kernel walks down its column, so a warp
 * reads neighbours. The sum stays in a register. nvcc unrolls the loop by 4: four loads, whose
 * addresses differ by a constant, then four additions. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { N, ROWS, COLUMNS, PITCH, DOWN, UNROLL, BLOCK_X };

static const struct workload_parameter parameters_sums[] = {
    {"n", 16384, 1, MATRIX_EDGE_MAX, "rows and columns of the matrix"},
    {"rows", 0, 0, 1 << 24, "rows; 0 takes n"},
    {"columns", 0, 0, 1 << 24, "columns; 0 takes n"},
    {"pitch", 0, 0, 1 << 24, "elements from one row to the next; 0 takes columns"},
    {"down", 0, 0, 1, "1 sums columns instead of rows"},
    UNROLL_PARAMETER,
    BLOCK_1D_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static void sums_kernel(struct kernel *kernel, const uint32_t arrays[2], int64_t length,
                        struct element entry)
{
    enum { SUM, LOADED };
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 4);
    kernel_loop(kernel, length, 0);
    kernel_unroll(kernel, 4);
    kernel_load(kernel, LOADED, entry);
    kernel_compute(kernel, KERNEL_ADD, SUM, SUM, LOADED);
    kernel_end(kernel, 4); /* pointer, counter, compare, branch */
    kernel_work(kernel, 2);
    kernel_store(kernel, SUM, (struct element){arrays[1], .x = 1});
    kernel_finish(kernel);
}

static enum status open_sums(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    const int64_t rows = size_or(values[ROWS], values[N]);
    const int64_t columns = size_or(values[COLUMNS], values[N]);
    const int64_t pitch = size_or(values[PITCH], columns);
    const bool down = values[DOWN];
    const int64_t threads = down ? columns : rows, length = down ? rows : columns;
    if (pitch < columns)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "SUMS: pitch must not be less than the %lld columns, got %lld",
                                 (long long)columns, (long long)pitch);
    if (rows * pitch > (int64_t)MATRIX_EDGE_MAX * MATRIX_EDGE_MAX)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "SUMS: a matrix has at most 2^32 elements");
    struct affine_program *program = affine_create(&workload_sums, values);
    if (!program)
        return STATUS_MEMORY;
    const uint32_t arrays[2] = {
        program_array(&program->program, "A", 4 * (uint64_t)(rows * pitch)),
        program_array(&program->program, "sums", 4 * (uint64_t)threads),
    };
    const struct element entry = {arrays[0], .x = down ? 1 : pitch, .i = down ? pitch : 1};
    struct kernel *kernel = affine_kernel(program, down ? "column_sums" : "row_sums", 8);
    sums_kernel(kernel, arrays, length, entry);
    affine_launch(program, kernel, (uint64_t)threads, 1, values[BLOCK_X], 1, 0,
                  (struct guard){0, threads, 0, 1});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    sums, "SUMS", PROFILED_SUITE,
    .help = "sums of rows, whose lanes lie a row apart, or of columns, which are coalesced");
