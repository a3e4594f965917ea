#include "workload/cuda/product.h"

struct matrix product_matrix(struct affine_program *program, const char *name, int64_t rows,
                             int64_t columns)
{
    uint64_t bytes = sizeof(float) * (uint64_t)rows * (uint64_t)columns;
    return (struct matrix){program_array(&program->program, name, bytes), rows, columns};
}

/* PTX order: the element is loaded once before the loop and stays in a register, each k loads the
 * right factor, then the left one, and stores the element. (The source names the left one first
 * and, taken literally, would load the element again for every k.) */
void product_launch(struct affine_program *program, const char *name, struct matrix left,
                    struct matrix right, struct matrix out, uint32_t unroll, uint64_t block_x,
                    uint64_t block_y)
{
    enum { SUM, LEFT, RIGHT };
    const struct element element = {out.array, .x = 1, .y = out.columns};
    struct kernel *kernel = affine_kernel(program, name, 12);
    kernel_work(kernel, 4);
    kernel_load(kernel, SUM, element);
    kernel_work(kernel, 5);
    kernel_loop(kernel, left.columns, 0);
    kernel_unroll(kernel, unroll);
    kernel_load(kernel, RIGHT, (struct element){right.array, .x = 1, .i = right.columns});
    kernel_load(kernel, LEFT, (struct element){left.array, .y = left.columns, .i = 1});
    kernel_compute(kernel, KERNEL_FMA, SUM, LEFT, RIGHT);
    kernel_store(kernel, SUM, element);
    kernel_end(kernel, 5); /* two pointers, the counter, compare, branch */
    kernel_finish(kernel);
    affine_launch(program, kernel, (uint64_t)out.columns, (uint64_t)out.rows, block_x, block_y, 0,
                  (struct guard){0, out.columns, 0, out.rows});
}
