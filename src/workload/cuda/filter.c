/* FILTER: an image filtered with a square of weights that lie in global memory, one thread a pixel.
 *
 * Each step loads a pixel, which is a neighbour's too, and a weight, which all lanes share. The
 * size of small filters is a constant of the code: nvcc unrolls both loops, and all loads stand
 * before the arithmetic. */
#include "workload/cuda/kernel.h"
#include "workload/cuda/programs.h"

enum { N, SIZE, BLOCK_X, BLOCK_Y };

static const struct workload_parameter parameters_filter[] = {
    {"n", 1024, 1, 32768, "rows and columns of the result"},
    {"size", 3, 1, 31, "rows and columns of weights; the image has as many more, less one"},
    {"block_x", 16, 1, 1024, "threads of a block in x"},
    {"block_y", 16, 1, 1024, "threads of a block in y"},
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

/* Without loops: the loads of every step, then the arithmetic. */
static void add_steps(struct kernel *kernel, struct element pixel, struct element weight,
                      int64_t size, uint8_t sum)
{
    const int64_t steps = size * size, width = pixel.i;
    pixel.i = pixel.j = weight.i = weight.j = 0;
    for (int64_t step = 0; step < steps; step++) {
        pixel.at = step / size * width + step % size;
        weight.at = step;
        kernel_load(kernel, (uint8_t)(sum + 1 + 2 * step), pixel);
        kernel_load(kernel, (uint8_t)(sum + 2 + 2 * step), weight);
    }
    for (int64_t step = 0; step < steps; step++)
        kernel_compute(kernel, KERNEL_FMA, sum, (uint8_t)(sum + 1 + 2 * step),
                       (uint8_t)(sum + 2 + 2 * step));
}

static void build_kernel(struct kernel *kernel, const uint32_t arrays[3], int64_t n, int64_t size)
{
    enum { SUM, PIXEL, WEIGHT, CONSTANT_SIZE = 7 };
    const int64_t width = n + size - 1;
    const struct element pixel = {arrays[0], .x = 1, .y = width, .i = width, .j = 1};
    const struct element weight = {arrays[1], .i = size, .j = 1};
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 6);
    if (size <= CONSTANT_SIZE && !kernel->program->unroll) {
        add_steps(kernel, pixel, weight, size, SUM);
    } else {
        kernel_loop(kernel, size, 0);
        kernel_loop(kernel, size, 0);
        kernel_unroll(kernel, 4);
        kernel_load(kernel, PIXEL, pixel);
        kernel_load(kernel, WEIGHT, weight);
        kernel_compute(kernel, KERNEL_FMA, SUM, PIXEL, WEIGHT);
        kernel_end(kernel, 2);
        kernel_end(kernel, 2);
    }
    kernel_work(kernel, 2);
    kernel_store(kernel, SUM, (struct element){arrays[2], .x = 1, .y = n});
    kernel_finish(kernel);
}

static enum status open_filter(const uint64_t *values, struct trace_source **source,
                               struct diagnostics *diagnostics)
{
    const uint64_t n = values[N], size = values[SIZE], width = n + size - 1;
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_filter, values);
    if (!program)
        return STATUS_MEMORY;
    const uint32_t arrays[3] = {
        program_array(&program->program, "image", 4 * width * width),
        program_array(&program->program, "weights", 4 * size * size),
        program_array(&program->program, "result", 4 * n * n),
    };
    struct kernel *kernel = affine_kernel(program, size > 3 ? "filter_7" : "filter_3", 12);
    build_kernel(kernel, arrays, (int64_t)n, (int64_t)size);
    affine_launch(program, kernel, n, n, values[BLOCK_X], values[BLOCK_Y], 0,
                  (struct guard){0, (int64_t)n, 0, (int64_t)n});
    return affine_finish(program, source, diagnostics);
}

const struct workload workload_filter = {
    .name = "FILTER",
    .suite = PROFILED_SUITE,
    .help = "an image filtered with a square of weights that all threads load",
    .parameters = parameters_filter,
    .parameter_count = sizeof parameters_filter / sizeof *parameters_filter,
    .open = open_filter,
};
