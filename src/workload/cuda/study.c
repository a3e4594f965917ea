#include "workload/cuda/study.h"

struct study study_create(struct affine_program *program, int64_t variables, int64_t observations)
{
    struct study study = {.m = variables, .n = observations, .row = variables + 1};
    uint64_t bytes = 4 * (uint64_t)study.row;
    uint64_t rows = (uint64_t)(study.n > study.m ? study.n : study.m) + 1;
    study.data = program_array(&program->program, "data", bytes * (uint64_t)(study.n + 1));
    /* m + 1 rows are used; the suite allocates n + 1, which is the same where m = n. */
    study.symmat = program_array(&program->program, "symmat", bytes * rows);
    return study;
}

void study_launch_mean(struct affine_program *program, const struct study *study, uint64_t block_x)
{
    enum { SUM, VALUE };
    const float observations_float = 3214212.01f; /* FLOAT_N of the suite */
    const struct element mean = {study->mean, .at = 1, .x = 1};
    struct kernel *kernel = affine_kernel(program, "mean_kernel", 14, 6);
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 3);
    kernel_store(kernel, SUM, mean);
    kernel_work(kernel, 3);
    kernel_loop(kernel, study->n, 0);
    kernel_load(kernel, VALUE,
                (struct element){study->data, .at = study->row + 1, .x = 1, .i = study->row});
    kernel_compute(kernel, KERNEL_ADD, SUM, SUM, VALUE);
    kernel_store(kernel, SUM, mean);
    kernel_end(kernel, 4); /* the pointer, the counter, compare, branch */
    kernel_compute_value(kernel, KERNEL_DIVIDE_BY, SUM, SUM, observations_float);
    kernel_store(kernel, SUM, mean);
    kernel_finish(kernel);
    affine_launch(program, kernel, (uint64_t)study->m, 1, block_x, 1, 0,
                  (struct guard){0, study->m, 0, 1});
}

void study_launch_products(struct affine_program *program, const struct study *study,
                           const char *name, int64_t distance, uint64_t block_x)
{
    enum { SUM, LEFT, RIGHT };
    int64_t row = study->row, variables = study->m - distance;
    /* j1 = column + 1, j2 = j1 + distance + i, observation = 1 + j. */
    const struct element upper = {study->symmat, .at = row + 1 + distance, .x = row + 1, .i = 1};
    const struct element lower = {study->symmat, .at = (1 + distance) * row + 1, .x = row + 1,
                                  .i = row};
    struct kernel *kernel = affine_kernel(program, name, 20, distance ? 7 : 9);
    if (distance) {
        kernel_set(kernel, SUM, 1);
        kernel_work(kernel, 3);
        kernel_store(kernel, SUM, (struct element){study->symmat, .at = row + 1, .x = row + 1});
    }
    kernel_work(kernel, 5);
    kernel_loop(kernel, variables, -1);
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 4);
    kernel_store(kernel, SUM, upper);
    kernel_work(kernel, 4);
    kernel_loop(kernel, study->n, 0);
    kernel_load(kernel, RIGHT,
                (struct element){study->data, .at = row + 1 + distance, .x = 1, .i = 1, .j = row});
    kernel_load(kernel, LEFT, (struct element){study->data, .at = row + 1, .x = 1, .j = row});
    kernel_compute(kernel, KERNEL_FMA, SUM, LEFT, RIGHT);
    kernel_store(kernel, SUM, upper);
    kernel_end(kernel, 5); /* two pointers, the counter, compare, branch */
    kernel_work(kernel, 3);
    kernel_store(kernel, SUM, lower);
    kernel_end(kernel, 4);
    kernel_finish(kernel);
    affine_launch(program, kernel, (uint64_t)study->m, 1, block_x, 1, 0,
                  (struct guard){0, variables, 0, 1});
}
