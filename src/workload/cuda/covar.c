/* COVAR: the covariance matrix of n observations of m variables; three launches. It is CORR without
 * deviations: the same means, the data less the mean, and the products of all pairs of variables,
 * each with itself too. Order: PTX, as study.c says. */
#include "workload/cuda/programs.h"
#include "workload/cuda/study.h"

enum { M_SQUARE, M, N, BLOCK_X, REDUCE_X, REDUCE_Y };

enum { EDGE_MAX = 32768 };

static const struct workload_parameter parameters_covar[] = {
    {"n", 2048, 1, EDGE_MAX, "variables and observations"},
    {"variables", 0, 0, EDGE_MAX, "variables (columns, m in the suite); 0 takes n"},
    {"observations", 0, 0, EDGE_MAX, "observations (rows, n in the suite); 0 takes n"},
    BLOCK_1D_PARAMETER,
    {"reduce_x", 32, 1, 1024, "threads of a block in x of the reduce kernel"},
    {"reduce_y", 8, 1, 1024, "threads of a block in y of the reduce kernel"},
    PROGRAM_DEVICE_PARAMETERS,
};

static const struct kernel *build_reduce(struct affine_program *program, const struct study *study)
{
    enum { VALUE, MEAN };
    const struct element value = {study->data, .at = study->row + 1, .x = 1, .y = study->row};
    struct kernel *kernel = affine_kernel(program, "reduce_kernel", 10, 12);
    kernel_work(kernel, 6);
    kernel_load(kernel, VALUE, value);
    kernel_load(kernel, MEAN, (struct element){study->mean, .at = 1, .x = 1});
    kernel_compute(kernel, KERNEL_SUB, VALUE, VALUE, MEAN);
    kernel_store(kernel, VALUE, value);
    kernel_finish(kernel);
    return kernel;
}

static enum status open_covar(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    enum status status = program_check_block(values[REDUCE_X], values[REDUCE_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_covar, values);
    if (!program)
        return STATUS_MEMORY;
    struct study study = study_create(program, size_or(values[M], values[M_SQUARE]),
                                      size_or(values[N], values[M_SQUARE]));
    study.mean = program_array(&program->program, "mean", 4 * (uint64_t)study.row);
    study_launch_mean(program, &study, values[BLOCK_X]);
    affine_launch(program, build_reduce(program, &study), (uint64_t)study.m, (uint64_t)study.n,
                  values[REDUCE_X], values[REDUCE_Y], 0, (struct guard){0, study.m, 0, study.n});
    study_launch_products(program, &study, "covar_kernel", 0, values[BLOCK_X]);
    return affine_finish(program, source, diagnostics);
}

const struct workload workload_covar = {
    .name = "COVAR",
    .suite = POLYBENCH_SUITE,
    .help = "covariance of n variables; a triangular loop leaves ever fewer lanes active",
    .parameters = parameters_covar,
    .parameter_count = sizeof parameters_covar / sizeof *parameters_covar,
    .open = open_covar,
};
