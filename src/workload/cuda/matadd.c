/* MATADD: C = A + B of matrices, one thread an element: with x along rows, so that the lanes of a
 * warp are neighbours, or along columns, so that they lie a row apart. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { N, DOWN, BLOCK_X, BLOCK_Y };

static const struct workload_parameter parameters_matadd[] = {
    {"n", 1024, 1, MATRIX_EDGE_MAX, "rows and columns"},
    {"down", 0, 0, 1, "1 lets x run along columns"},
    {"block_x", 32, 1, 1024, "threads of a block in x"},
    {"block_y", 32, 1, 1024, "threads of a block in y"},
    PROGRAM_DEVICE_PARAMETERS,
};

static enum status open_matadd(const uint64_t *values, struct trace_source **source,
                               struct diagnostics *diagnostics)
{
    enum { LEFT, RIGHT };
    static const char *const names[] = {"A", "B", "C"};
    const int64_t n = (int64_t)values[N];
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_matadd, values);
    if (!program)
        return STATUS_MEMORY;
    struct element place[3];
    for (int i = 0; i < 3; i++)
        place[i] =
            (struct element){program_array(&program->program, names[i], 4 * (uint64_t)(n * n)),
                             .x = values[DOWN] ? n : 1, .y = values[DOWN] ? 1 : n};
    struct kernel *kernel = affine_kernel(program, "matrix_add_2D", 12);
    kernel_work(kernel, 6);
    kernel_load(kernel, LEFT, place[0]);
    kernel_load(kernel, RIGHT, place[1]);
    kernel_compute(kernel, KERNEL_ADD, LEFT, LEFT, RIGHT);
    kernel_store(kernel, LEFT, place[2]);
    kernel_finish(kernel);
    affine_launch(program, kernel, values[N], values[N], values[BLOCK_X], values[BLOCK_Y], 0,
                  (struct guard){0, n, 0, n});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(matadd, "MATADD", PROFILED_SUITE,
             .help = "C = A + B of matrices, with lanes that are neighbours or lie a row apart");
