/* CORR: the correlation matrix of n observations of m variables; four launches.
 *
 * The suite counts from 1: matrices have m + 1 columns and row and column 0 stay unused, so that
 * rows are no multiple of a line. PTX order: sums stay in registers and are stored every time; the
 * mean is loaded again for every observation of the deviation. The source stores the deviation and
 * then, where it is at most 0.005, stores 1 over it; here that choice is made in a register and
 * stored once, which gives the same accesses for data that deviate.
 *
 * The last kernel is the interesting one: thread j1 walks the variables j2 after it, so the lanes
 * of a warp read neighbouring columns but end at different times, and the last warps are nearly
 * idle. The host sets the last diagonal element; that is no kernel access. */
#include "workload/cuda/polybench_study.h"

static const struct workload_parameter parameters_corr[] = {STUDY_PARAMETERS};

static void launch_stddev(const struct study *study)
{
    enum { SUM, VALUE, MEAN };
    const float smallest_deviation = 0.005f;
    const struct element stddev = {study->stddev, .at = 1, .x = 1};
    struct kernel *kernel = affine_kernel(study->program, "std_kernel", 6);
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 3);
    kernel_store(kernel, SUM, stddev);
    kernel_work(kernel, 4);
    kernel_loop(kernel, study->n, 0);
    kernel_unroll(kernel, 32);
    kernel_load(kernel, MEAN, (struct element){study->mean, .at = 1, .x = 1});
    kernel_load(kernel, VALUE,
                (struct element){study->data, .at = study->row + 1, .x = 1, .i = study->row});
    kernel_compute(kernel, KERNEL_SUB, VALUE, VALUE, MEAN);
    kernel_compute(kernel, KERNEL_FMA, SUM, VALUE, VALUE);
    kernel_store(kernel, SUM, stddev);
    kernel_end(kernel, 4);
    kernel_convert(kernel, SUM, 2); /* to double and back */
    kernel_compute_value(kernel, KERNEL_DIVIDE_BY, SUM, SUM, STUDY_OBSERVATIONS_FLOAT);
    kernel_compute(kernel, KERNEL_SQRT, SUM, SUM, SUM);
    kernel_convert(kernel, SUM, 2); /* to double, compare */
    kernel_compute_value(kernel, KERNEL_ONE_WHERE_AT_MOST, SUM, SUM, smallest_deviation);
    kernel_store(kernel, SUM, stddev);
    kernel_finish(kernel);
    affine_launch(study->program, kernel, (uint64_t)study->m, 1, study->values[STUDY_BLOCK_X], 1, 0,
                  (struct guard){0, study->m, 0, 1});
}

static enum status open_corr(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    struct study study;
    enum status status = study_create(&workload_corr, values, true, &study, diagnostics);
    if (status)
        return status;
    study_launch_mean(&study);
    launch_stddev(&study);
    study_launch_reduce(&study);
    study_launch_products(&study, "corr_kernel");
    return affine_finish(study.program, source, diagnostics);
}

CUDA_PROGRAM(
    corr, "CORR", POLYBENCH_SUITE,
    .help = "correlation of n variables; a triangular loop leaves ever fewer lanes active");
