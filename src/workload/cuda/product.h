/* out += left right: the kernel that 2MM launches twice and 3MM three times. */
#pragma once

#include "workload/cuda/kernel.h"

/* A matrix in an array of the program. */
struct matrix {
    uint32_t array;
    int64_t rows, columns;
};

/* Allocates a matrix of floats. */
struct matrix product_matrix(struct affine_program *program, const char *name, int64_t rows,
                             int64_t columns);

/* Builds the kernel, whose loop is compiled `unroll` steps at once, and launches it with one thread
 * for each element of `out`. */
void product_launch(struct affine_program *program, const char *name, struct matrix left,
                    struct matrix right, struct matrix out, uint32_t unroll, uint64_t block_x,
                    uint64_t block_y);
