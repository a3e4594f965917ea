/* The nine programs of the paper, in assembly (traces/simt). X(name, n, most, help): `n` is the
 * default of the size that the text names N, `most` its largest value. */
#pragma once

#include "workload/workload.h"

#define SIMT_PROGRAM_LIST(X)                                                                       \
    X(sort, 256, 65536, "numbers to sort, a power of two (bitonic network)")                       \
    X(maximum, 4096, 1048576, "numbers of which to find the largest")                              \
    X(matmul, 4, 256, "rows and columns of the matrix A in A times its transpose")                 \
    X(convolution, 32, 512, "rows and columns of the image under a 3 x 3 filter")                  \
    X(loop, 1000, 1000000, "steps of a loop that every lane takes")                                \
    X(solve, 16, 128, "unknowns of a system of linear equations (Gauss-Jordan)")                   \
    X(line, 64, 4096, "lines that lanes draw (Bresenham)")                                         \
    X(vertex, 256, 65536, "vertices to transform and light")                                       \
    X(fft, 64, 4096, "points of a Fourier transform, a power of two")

#define SIMT_PROGRAM_DECLARATION(name, n, most, help)                                              \
    extern const struct workload workload_simt_##name;
SIMT_PROGRAM_LIST(SIMT_PROGRAM_DECLARATION)
#undef SIMT_PROGRAM_DECLARATION
