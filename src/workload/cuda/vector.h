/* Matrix times vector, plain and transposed: the two kernel shapes of ATAX, BICG and MVT. */
#pragma once

#include "workload/cuda/kernel.h"

/* The sizes of a matrix A that may be other than square. */
#define MATRIX_PARAMETERS                                                                          \
    {"n", 4096, 1, MATRIX_EDGE_MAX, "rows and columns of A"},                                      \
        {"nx", 0, 0, MATRIX_EDGE_MAX, "rows; 0 takes n"},                                          \
    {                                                                                              \
        "ny", 0, 0, MATRIX_EDGE_MAX, "columns; 0 takes n"                                          \
    }

/* out (rows of the result) accumulates over the other dimension of a matrix with rows x columns. */
struct vector_product {
    uint32_t matrix, in, out;
    int64_t rows, columns;
    bool transposed; /* false: one thread per row, so lanes are a whole row apart; true: one
                      * thread per column */
    bool cleared;    /* true: the sum starts with a store of 0; false: with a load of `out` */
};

/* Builds the kernel and launches it with one thread for each element of `out`. */
void vector_launch(struct affine_program *program, const char *name,
                   const struct vector_product *product, uint64_t block_x);

/* Allocates `count` floats. */
uint32_t vector_array(struct affine_program *program, const char *name, int64_t count);
