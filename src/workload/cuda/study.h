/* Observations of variables, as CORR and COVAR lay them out: matrices count from 1, so that row and
 * column 0 stay unused and rows of m + 1 elements are no multiple of a line. Both programs take
 * means, subtract them from the data and multiply all pairs of variables; CORR divides by
 * deviations besides. */
#pragma once

#include "workload/cuda/kernel.h"
#include "workload/cuda/programs.h"

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
        PROGRAM_DEVICE_PARAMETERS

#define STUDY_OBSERVATIONS_FLOAT 3214212.01f /* FLOAT_N of the suite */

struct study {
    struct affine_program *program;
    const uint64_t *values;
    uint32_t data, symmat, mean, stddev; /* arrays; the last one in CORR only */
    bool deviates;                       /* whether it is CORR */
    int64_t m, n, row; /* variables, observations, elements from one observation to the next */
};

/* Checks the parameters and starts a program with its arrays. */
enum status study_create(const struct workload *workload, const uint64_t *values, bool deviates,
                         struct study *study, struct diagnostics *diagnostics);

/* Builds the kernel that takes the mean of every variable, a thread a variable, and launches it. */
void study_launch_mean(const struct study *study);

/* The kernel that subtracts the mean from every element and, in CORR, divides by the deviation. */
void study_launch_reduce(const struct study *study);

/* Builds the kernel of the products of all pairs of variables and launches it: thread j1 walks the
 * variables j2 from j1 on; in CORR from the next one on, and it stores a diagonal of 1 first. */
void study_launch_products(const struct study *study, const char *name);
