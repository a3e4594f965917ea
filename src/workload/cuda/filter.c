/* FILTER: an image filtered with a square of weights that lie in global memory, one thread a pixel.
 *
 * Each step loads a pixel, which is a neighbour's too, and a weight, which all lanes share. The
 * size of small filters is a constant of the code: nvcc unrolls both loops. The loads of the first
 * AHEAD steps stand before all arithmetic (12 in the machine code of filter_7 for sm_89, 20 for
 * sm_75); after that each multiply-add makes room for the loads of a step. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { N, SIZE, BLOCK_X, BLOCK_Y };

static const struct workload_parameter parameters_filter[] = {
    {"n", 1024, 1, 32768, "rows and columns of the image, and of the array of results"},
    {"size", 3, 1, 31, "rows and columns of weights; as many results, less one, are not made"},
    {"block_x", 16, 1, 1024, "threads of a block in x"},
    {"block_y", 16, 1, 1024, "threads of a block in y"},
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

struct filter {
    struct element pixel, weight;
    int64_t n, size;
};

/* The loads of a step, into registers of its own. */
static void load_step(struct kernel *kernel, const struct filter *filter, int64_t step, uint8_t sum)
{
    struct element pixel = filter->pixel, weight = filter->weight;
    pixel.i = pixel.j = weight.i = weight.j = 0;
    pixel.at = step / filter->size * filter->n + step % filter->size;
    weight.at = step;
    kernel_load(kernel, (uint8_t)(sum + 1 + 2 * step), pixel);
    kernel_load(kernel, (uint8_t)(sum + 2 + 2 * step), weight);
}

static void add_steps(struct kernel *kernel, const struct filter *filter, uint8_t sum)
{
    enum { AHEAD = 12 };
    const int64_t steps = filter->size * filter->size;
    for (int64_t step = 0; step < steps + AHEAD; step++) {
        if (step >= AHEAD)
            kernel_compute(kernel, KERNEL_FMA, sum, (uint8_t)(sum + 1 + 2 * (step - AHEAD)),
                           (uint8_t)(sum + 2 + 2 * (step - AHEAD)));
        if (step < steps)
            load_step(kernel, filter, step, sum);
    }
}

static void filter_kernel(struct kernel *kernel, const uint32_t arrays[3], int64_t n, int64_t size)
{
    enum { SUM, PIXEL, WEIGHT, CONSTANT_SIZE = 7 };
    const struct filter filter = {.pixel = {arrays[0], .x = 1, .y = n, .i = n, .j = 1},
                                  .weight = {arrays[1], .i = size, .j = 1},
                                  .n = n,
                                  .size = size};
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 6);
    if (size <= CONSTANT_SIZE && !kernel->program->unroll) {
        add_steps(kernel, &filter, SUM);
    } else {
        kernel_loop(kernel, size, 0);
        kernel_loop(kernel, size, 0);
        kernel_unroll(kernel, 4);
        kernel_load(kernel, PIXEL, filter.pixel);
        kernel_load(kernel, WEIGHT, filter.weight);
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
    const uint64_t n = values[N], size = values[SIZE];
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    if (size > n)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "FILTER: the image has fewer rows than the weights");
    struct affine_program *program = affine_create(&workload_filter, values);
    if (!program)
        return STATUS_MEMORY;
    const uint32_t arrays[3] = {
        program_array(&program->program, "image", 4 * n * n),
        program_array(&program->program, "weights", 4 * size * size),
        program_array(&program->program, "result", 4 * n * n),
    };
    struct kernel *kernel = affine_kernel(program, size > 3 ? "filter_7" : "filter_3", 12);
    filter_kernel(kernel, arrays, (int64_t)n, (int64_t)size);
    affine_launch(program, kernel, n, n, values[BLOCK_X], values[BLOCK_Y], 0,
                  (struct guard){0, (int64_t)(n - size + 1), 0, (int64_t)(n - size + 1)});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(filter, "FILTER", PROFILED_SUITE,
             .help = "an image filtered with a square of weights that all threads load");
