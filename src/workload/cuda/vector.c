#include "workload/cuda/vector.h"

uint32_t vector_array(struct affine_program *program, const char *name, int64_t count)
{
    return program_array(&program->program, name, sizeof(float) * (uint64_t)count);
}

static void start_sum(struct kernel *kernel, const struct vector_product *product, uint8_t sum,
                      struct element out)
{
    /* The address of out; a row kernel also makes its row's pointer after the first record. */
    uint32_t behind = (product->transposed ? 1 : 3) + (product->cleared ? 0 : 1);
    kernel_work(kernel, 2);
    if (product->cleared) {
        kernel_set(kernel, sum, 0);
        kernel_work(kernel, 1);
        kernel_store(kernel, sum, out);
    } else {
        kernel_load(kernel, sum, out);
    }
    kernel_work(kernel, behind);
}

/* PTX order: the sum stays in a register; each step of the loop loads the vector, then the matrix
 * (the source names the matrix first), and stores the sum, because it may alias either. */
void vector_launch(struct affine_program *program, const char *name,
                   const struct vector_product *product, uint64_t block_x)
{
    enum { SUM, MATRIX, VECTOR };
    int64_t threads = product->transposed ? product->columns : product->rows;
    int64_t steps = product->transposed ? product->rows : product->columns;
    const struct element out = {product->out, .x = 1};
    struct element entry = {product->matrix, .x = product->columns, .i = 1};
    if (product->transposed)
        entry = (struct element){product->matrix, .x = 1, .i = product->columns};
    struct kernel *kernel = affine_kernel(program, name, 6);
    start_sum(kernel, product, SUM, out);
    kernel_loop(kernel, steps, 0);
    kernel_unroll(kernel, product->transposed ? 40 : 16);
    kernel_load(kernel, VECTOR, (struct element){product->in, .i = 1});
    kernel_load(kernel, MATRIX, entry);
    kernel_compute(kernel, KERNEL_FMA, SUM, MATRIX, VECTOR);
    kernel_store(kernel, SUM, out);
    kernel_end(kernel, 5); /* two pointers, the counter, compare, branch */
    kernel_finish(kernel);
    affine_launch(program, kernel, (uint64_t)threads, 1, block_x, 1, 0,
                  (struct guard){0, threads, 0, 1});
}
