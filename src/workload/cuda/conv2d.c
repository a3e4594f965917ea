/* 2DCONV: a 3 x 3 convolution of an image, one thread a pixel.
 *
 * Nine loads row by row, all before the arithmetic, then the store. The machine code of nvcc 13
 * (sm_75 and sm_86) loads the second pixel of the first row before the first, because its product
 * is made first. Border threads do nothing.
 *
 * With the parameter `ptx` it is the PTX that Jia et al. (Journal of Xidian University 50(2), 2023)
 * saw: the pcs that they print put three instructions from one load to the next, so that a product
 * and a sum stand after each load; loads come in the order of the source, the second at 0x108. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { N, NI, NJ, BLOCK_X, BLOCK_Y, PTX };

static const struct workload_parameter parameters_conv2d[] = {
    {"n", 4096, 1, MATRIX_EDGE_MAX, "rows and columns of the image"},
    {"ni", 0, 0, MATRIX_EDGE_MAX, "rows; 0 takes n"},
    {"nj", 0, 0, MATRIX_EDGE_MAX, "columns; 0 takes n"},
    BLOCK_2D_PARAMETERS,
    PTX_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

enum { TERMS = 9, SUM = TERMS, PRODUCT };

static const float weights[TERMS] = {0.2f, 0.5f, -0.8f, -0.3f, 0.6f, -0.9f, 0.4f, 0.7f, 0.10f};

static struct element pixel(uint32_t array, int term, int64_t nj) /* by rows of the image */
{
    return (struct element){array, .at = (term / 3 - 1) * nj + term % 3 - 1, .x = 1, .y = nj};
}

static void build_compiled(struct kernel *kernel, uint32_t a, int64_t nj)
{
    static const uint8_t order[TERMS] = {1, 0, 2, 3, 4, 5, 6, 7, 8};
    kernel_work(kernel, 5);
    for (int k = 0; k < TERMS; k++) {
        const int term = order[k];
        if (term == 4) /* its address is computed anew, as that of the result */
            kernel_work(kernel, 2);
        kernel_load(kernel, (uint8_t)term, pixel(a, term, nj));
    }
    kernel_compute_value(kernel, KERNEL_SCALE, SUM, 1, weights[1]);
    kernel_compute_value(kernel, KERNEL_MADD, SUM, 0, weights[0]);
    for (uint8_t term = 2; term < TERMS; term++)
        kernel_compute_value(kernel, KERNEL_MADD, SUM, term, weights[term]);
    kernel_work(kernel, 1);
}

/* How many instructions of the guard and of addresses stand in front of the first load is known
 * from its pc, which of them they are is not. */
static void build_ptx(struct kernel *kernel, uint32_t a, int64_t nj, bool swapped)
{
    kernel_work(kernel, 10);
    for (int k = 0; k < TERMS; k++) {
        const uint8_t term = (uint8_t)(swapped && k < 2 ? 1 - k : k);
        kernel_load(kernel, term, pixel(a, term, nj));
        kernel_compute_value(kernel, KERNEL_SCALE, k ? PRODUCT : SUM, term, weights[term]);
        if (k)
            kernel_compute(kernel, KERNEL_ADD, SUM, SUM, PRODUCT);
    }
    kernel_work(kernel, 1);
}

static void conv2d_kernel(struct kernel *kernel, uint32_t a, uint32_t b, int64_t nj, uint64_t ptx)
{
    if (ptx)
        build_ptx(kernel, a, nj, ptx == 2);
    else
        build_compiled(kernel, a, nj);
    kernel_store(kernel, SUM, (struct element){b, .x = 1, .y = nj});
    kernel_finish(kernel);
}

static enum status open_conv2d(const uint64_t *values, struct trace_source **source,
                               struct diagnostics *diagnostics)
{
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_conv2d, values);
    if (!program)
        return STATUS_MEMORY;
    int64_t ni = size_or(values[NI], values[N]), nj = size_or(values[NJ], values[N]);
    uint32_t a = program_array(&program->program, "A", 4 * (uint64_t)(ni * nj));
    uint32_t b = program_array(&program->program, "B", 4 * (uint64_t)(ni * nj));
    struct kernel *kernel = affine_kernel(program, "Convolution2D_kernel", values[PTX] ? 21 : 14);
    conv2d_kernel(kernel, a, b, nj, values[PTX]);
    affine_launch(program, kernel, (uint64_t)nj, (uint64_t)ni, values[BLOCK_X], values[BLOCK_Y], 0,
                  (struct guard){1, nj - 1, 1, ni - 1});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    conv2d, "2DCONV", POLYBENCH_SUITE,
    .help =
        "3x3 convolution of an n x n image; strong reuse between neighbours, no reuse far away");
