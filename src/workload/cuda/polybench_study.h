/* What CORR and COVAR share: a data matrix of observations of variables. The suite counts rows and
 * columns from 1, so row and column 0 stay unused and rows have m + 1 elements: if m is a
 * power of two, they are not a multiple of a cache line. Both programs compute means, subtract them
 * from the data and multiply all pairs of variables; CORR also divides by standard deviations. */
#pragma once

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum study_parameter {
    STUDY_SQUARE,
    STUDY_VARIABLES,
    STUDY_OBSERVATIONS,
    STUDY_BLOCK_X,
    STUDY_REDUCE_X,
    STUDY_REDUCE_Y
};
enum { STUDY_EDGE_MAX = 32768 };

/* The parameters of both programs, in the order of the numbers above. */
#define STUDY_PARAMETERS                                                                           \
    {"n", 2048, 1, STUDY_EDGE_MAX, "variables and observations"},                                  \
        {"variables", 0, 0, STUDY_EDGE_MAX, "variables (columns, m in the suite); 0 takes n"},     \
        {"observations", 0, 0, STUDY_EDGE_MAX, "observations (rows, n in the suite); 0 takes n"},  \
        BLOCK_1D_PARAMETER,                                                                        \
        {"reduce_x", 32, 1, 1024, "threads of a block in x of the reduce kernel"},                 \
        {"reduce_y", 8, 1, 1024, "threads of a block in y of the reduce kernel"},                  \
        UNROLL_PARAMETER, PROGRAM_DEVICE_PARAMETERS

#define STUDY_OBSERVATIONS_FLOAT 3214212.01f /* FLOAT_N of the suite */

struct study {
    struct affine_program *program;
    const uint64_t *values;
    uint32_t data, symmat, mean, stddev; /* arrays; only CORR has stddev */
    bool deviates;                       /* whether this is CORR */
    int64_t m, n, row; /* variables, observations, elements from one observation to the next */
};

/* Checks the parameters and starts a program with its arrays. */
enum status study_create(const struct workload *workload, const uint64_t *values, bool deviates,
                         struct study *study, struct diagnostics *diagnostics);

/* Builds and launches the kernel that computes the mean of every variable, one thread per
 * variable. */
void study_launch_mean(const struct study *study);

/* Builds and launches the kernel that subtracts the mean from every element and, in CORR, divides
 * by the deviation. */
void study_launch_reduce(const struct study *study);

/* Builds and launches the kernel that multiplies all pairs of variables. Thread j1 loops over the
 * variables j2 >= j1; in CORR over j2 > j1, after storing 1 on the diagonal. */
void study_launch_products(const struct study *study, const char *name);
