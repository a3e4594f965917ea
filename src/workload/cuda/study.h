/* Observations of variables, as CORR and COVAR lay them out: matrices count from 1, so that row and
 * column 0 stay unused and rows of m + 1 elements are no multiple of a line. */
#pragma once

#include "workload/cuda/kernel.h"

struct study {
    uint32_t data, symmat, mean;
    int64_t m, n, row; /* variables, observations, elements from one observation to the next */
};

/* Allocates data and symmat. */
struct study study_create(struct affine_program *program, int64_t variables, int64_t observations);

/* Builds the kernel that takes the mean of every variable, a thread a variable, and launches it. */
void study_launch_mean(struct affine_program *program, const struct study *study, uint64_t block_x);

/* Builds the kernel of the products of all pairs of variables and launches it: thread j1 walks the
 * variables j2 from j1 + `distance` (0 or 1) on; with 1 it stores a diagonal of 1 first. */
void study_launch_products(struct affine_program *program, const struct study *study,
                           const char *name, int64_t distance, uint64_t block_x);
