#include "workload/cuda/polybench_study.h"

/* The square root of FLOAT_N, as sqrtf rounds it. */
static const float root_observations = 1792.8224f;

enum status study_create(const struct workload *workload, const uint64_t *values, bool deviates,
                         struct study *study, struct diagnostics *diagnostics)
{
    enum status status =
        program_check_block(values[STUDY_REDUCE_X], values[STUDY_REDUCE_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(workload, values);
    if (!program)
        return STATUS_MEMORY;
    *study = (struct study){.program = program,
                            .values = values,
                            .deviates = deviates,
                            .m = size_or(values[STUDY_VARIABLES], values[STUDY_SQUARE]),
                            .n = size_or(values[STUDY_OBSERVATIONS], values[STUDY_SQUARE])};
    study->row = study->m + 1;
    uint64_t bytes = 4 * (uint64_t)study->row;
    uint64_t rows = (uint64_t)(study->n > study->m ? study->n : study->m) + 1;
    study->data = program_array(&program->program, "data", bytes * (uint64_t)(study->n + 1));
    /* m + 1 rows are used; the suite allocates n + 1, which is the same where m = n. */
    study->symmat = program_array(&program->program, "symmat", bytes * rows);
    if (deviates)
        study->stddev = program_array(&program->program, "stddev", bytes);
    study->mean = program_array(&program->program, "mean", bytes);
    return STATUS_OK;
}

void study_launch_mean(const struct study *study)
{
    enum { SUM, VALUE };
    const struct element mean = {study->mean, .at = 1, .x = 1};
    struct kernel *kernel = affine_kernel(study->program, "mean_kernel", 6);
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 3);
    kernel_store(kernel, SUM, mean);
    kernel_work(kernel, 3);
    kernel_loop(kernel, study->n, 0);
    kernel_unroll(kernel, 16);
    kernel_load(kernel, VALUE,
                (struct element){study->data, .at = study->row + 1, .x = 1, .i = study->row});
    kernel_compute(kernel, KERNEL_ADD, SUM, SUM, VALUE);
    kernel_store(kernel, SUM, mean);
    kernel_end(kernel, 4); /* the pointer, the counter, compare, branch */
    kernel_compute_value(kernel, KERNEL_DIVIDE_BY, SUM, SUM, STUDY_OBSERVATIONS_FLOAT);
    kernel_store(kernel, SUM, mean);
    kernel_finish(kernel);
    affine_launch(study->program, kernel, (uint64_t)study->m, 1, study->values[STUDY_BLOCK_X], 1, 0,
                  (struct guard){0, study->m, 0, 1});
}

void study_launch_reduce(const struct study *study)
{
    enum { VALUE, MEAN, STDDEV };
    const struct element value = {study->data, .at = study->row + 1, .x = 1, .y = study->row};
    struct kernel *kernel = affine_kernel(study->program, "reduce_kernel", 12);
    kernel_work(kernel, 6);
    kernel_load(kernel, VALUE, value);
    kernel_load(kernel, MEAN, (struct element){study->mean, .at = 1, .x = 1});
    kernel_compute(kernel, KERNEL_SUB, VALUE, VALUE, MEAN);
    kernel_store(kernel, VALUE, value);
    if (study->deviates) {
        kernel_work(kernel, 1);
        kernel_load(kernel, STDDEV, (struct element){study->stddev, .at = 1, .x = 1});
        kernel_compute_value(kernel, KERNEL_SCALE, STDDEV, STDDEV, root_observations);
        kernel_compute(kernel, KERNEL_DIV, VALUE, VALUE, STDDEV);
        kernel_store(kernel, VALUE, value);
    }
    kernel_finish(kernel);
    affine_launch(study->program, kernel, (uint64_t)study->m, (uint64_t)study->n,
                  study->values[STUDY_REDUCE_X], study->values[STUDY_REDUCE_Y], 0,
                  (struct guard){0, study->m, 0, study->n});
}

void study_launch_products(const struct study *study, const char *name)
{
    enum { SUM, LEFT, RIGHT };
    int64_t distance = study->deviates ? 1 : 0, row = study->row, variables = study->m - distance;
    /* j1 = column + 1, j2 = j1 + distance + i, observation = 1 + j. */
    const struct element upper = {study->symmat, .at = row + 1 + distance, .x = row + 1, .i = 1};
    const struct element lower = {study->symmat, .at = (1 + distance) * row + 1, .x = row + 1,
                                  .i = row};
    struct kernel *kernel = affine_kernel(study->program, name, distance ? 7 : 9);
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
    kernel_unroll(kernel, 40);
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
    affine_launch(study->program, kernel, (uint64_t)study->m, 1, study->values[STUDY_BLOCK_X], 1, 0,
                  (struct guard){0, variables, 0, 1});
}
