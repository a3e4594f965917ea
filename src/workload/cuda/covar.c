/* COVAR: the covariance matrix of n observations of m variables; three launches. It is CORR without
 * deviations: the same means, the data minus the mean, and the products of all pairs of variables,
 * including each with itself. Order: PTX, as in study.c. */
#include "workload/cuda/polybench_study.h"

static const struct workload_parameter parameters_covar[] = {STUDY_PARAMETERS};

static enum status open_covar(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    struct study study;
    enum status status = study_create(&workload_covar, values, false, &study, diagnostics);
    if (status)
        return status;
    study_launch_mean(&study);
    study_launch_reduce(&study);
    study_launch_products(&study, "covar_kernel");
    return affine_finish(study.program, source, diagnostics);
}

CUDA_PROGRAM(covar, "COVAR", POLYBENCH_SUITE,
             .help = "covariance of n variables; a triangular loop leaves ever fewer lanes active");
