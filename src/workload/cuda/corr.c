/* CORR: the correlation matrix of n observations of m variables; four launches.
 *
 * The suite counts from 1: matrices have m + 1 columns and row and column 0 stay unused, so that
 * rows are no multiple of a line. PTX order: sums stay in registers and are stored every time; the
 * mean is loaded again for every observation of the deviation. The source stores the deviation and
 * then, where it is at most 0.005, stores 1 over it; here that choice is made in a register and
 * stored once, which gives the same accesses for data that deviate.
 *
 * The last kernel is the interesting one: thread j1 walks the variables j2 behind it, so the lanes
 * of a warp read neighbouring columns but end at different times, and the last warps are nearly
 * idle. The host sets the last diagonal element; that is no kernel access. */
#include "workload/cuda/programs.h"
#include "workload/cuda/study.h"

enum { M_SQUARE, M, N, BLOCK_X, REDUCE_X, REDUCE_Y };

enum { EDGE_MAX = 32768 };

static const struct workload_parameter parameters_corr[] = {
    {"n", 2048, 1, EDGE_MAX, "variables and observations"},
    {"variables", 0, 0, EDGE_MAX, "variables (columns, m in the suite); 0 takes n"},
    {"observations", 0, 0, EDGE_MAX, "observations (rows, n in the suite); 0 takes n"},
    BLOCK_1D_PARAMETER,
    {"reduce_x", 32, 1, 1024, "threads of a block in x of the reduce kernel"},
    {"reduce_y", 8, 1, 1024, "threads of a block in y of the reduce kernel"},
    PROGRAM_DEVICE_PARAMETERS,
};

static const float observations_float = 3214212.01f; /* FLOAT_N of the suite */
static const float root_observations = 1792.8224f;   /* its square root, as sqrtf rounds it */
static const float smallest_deviation = 0.005f;

static const struct kernel *build_stddev(struct affine_program *program, const struct study *study,
                                         uint32_t array)
{
    enum { SUM, VALUE, MEAN };
    const struct element stddev = {array, .at = 1, .x = 1};
    struct kernel *kernel = affine_kernel(program, "std_kernel", 24, 6);
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 3);
    kernel_store(kernel, SUM, stddev);
    kernel_work(kernel, 4);
    kernel_loop(kernel, study->n, 0);
    kernel_load(kernel, MEAN, (struct element){study->mean, .at = 1, .x = 1});
    kernel_load(kernel, VALUE,
                (struct element){study->data, .at = study->row + 1, .x = 1, .i = study->row});
    kernel_compute(kernel, KERNEL_SUB, VALUE, VALUE, MEAN);
    kernel_compute(kernel, KERNEL_FMA, SUM, VALUE, VALUE);
    kernel_store(kernel, SUM, stddev);
    kernel_end(kernel, 4);
    kernel_work(kernel, 2); /* to double and back */
    kernel_compute_value(kernel, KERNEL_DIVIDE_BY, SUM, SUM, observations_float);
    kernel_compute(kernel, KERNEL_SQRT, SUM, SUM, SUM);
    kernel_work(kernel, 2); /* to double, compare */
    kernel_compute_value(kernel, KERNEL_ONE_WHERE_AT_MOST, SUM, SUM, smallest_deviation);
    kernel_store(kernel, SUM, stddev);
    kernel_finish(kernel);
    return kernel;
}

static const struct kernel *build_reduce(struct affine_program *program, const struct study *study,
                                         uint32_t array)
{
    enum { VALUE, MEAN, STDDEV };
    const struct element value = {study->data, .at = study->row + 1, .x = 1, .y = study->row};
    struct kernel *kernel = affine_kernel(program, "reduce_kernel", 16, 12);
    kernel_work(kernel, 6);
    kernel_load(kernel, VALUE, value);
    kernel_load(kernel, MEAN, (struct element){study->mean, .at = 1, .x = 1});
    kernel_compute(kernel, KERNEL_SUB, VALUE, VALUE, MEAN);
    kernel_store(kernel, VALUE, value);
    kernel_work(kernel, 1);
    kernel_load(kernel, STDDEV, (struct element){array, .at = 1, .x = 1});
    kernel_compute_value(kernel, KERNEL_SCALE, STDDEV, STDDEV, root_observations);
    kernel_compute(kernel, KERNEL_DIV, VALUE, VALUE, STDDEV);
    kernel_store(kernel, VALUE, value);
    kernel_finish(kernel);
    return kernel;
}

static enum status open_corr(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    enum status status = program_check_block(values[REDUCE_X], values[REDUCE_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_corr, values);
    if (!program)
        return STATUS_MEMORY;
    struct study study = study_create(program, size_or(values[M], values[M_SQUARE]),
                                      size_or(values[N], values[M_SQUARE]));
    uint64_t bytes = 4 * (uint64_t)study.row, m = (uint64_t)study.m;
    uint32_t stddev = program_array(&program->program, "stddev", bytes);
    study.mean = program_array(&program->program, "mean", bytes);
    study_launch_mean(program, &study, values[BLOCK_X]);
    affine_launch(program, build_stddev(program, &study, stddev), m, 1, values[BLOCK_X], 1, 0,
                  (struct guard){0, study.m, 0, 1});
    affine_launch(program, build_reduce(program, &study, stddev), m, (uint64_t)study.n,
                  values[REDUCE_X], values[REDUCE_Y], 0, (struct guard){0, study.m, 0, study.n});
    study_launch_products(program, &study, "corr_kernel", 1, values[BLOCK_X]);
    return affine_finish(program, source, diagnostics);
}

const struct workload workload_corr = {
    .name = "CORR",
    .suite = POLYBENCH_SUITE,
    .help = "correlation of n variables; a triangular loop leaves ever fewer lanes active",
    .parameters = parameters_corr,
    .parameter_count = sizeof parameters_corr / sizeof *parameters_corr,
    .open = open_corr,
};
