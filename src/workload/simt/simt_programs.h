/* The nine programs of the paper, in assembly (traces/simt). X(name, n, most, powers, help): `n` is
 * the default of the size that the text names N, `most` its largest value; powers: it has to be a
 * power of two. */
#pragma once

#include "workload/workload.h"

#define SIMT_PROGRAM_LIST(X)                                                                       \
    X(sort, 256, 65536, true, "numbers to sort, a power of two (bitonic network)")                 \
    X(maximum, 4096, 1048576, false, "numbers of which to find the largest")                       \
    X(matmul, 4, 256, false, "rows and columns of the matrix A in A times its transpose")          \
    X(convolution, 32, 512, false, "rows and columns of the image under a 3 x 3 filter")           \
    X(loop, 1000, 1000000, false, "steps of a loop that every lane takes")                         \
    X(solve, 16, 128, false, "unknowns of a system of linear equations (Gauss-Jordan)")            \
    X(line, 64, 4096, false, "lines that lanes draw (Bresenham)")                                  \
    X(vertex, 256, 65536, false, "vertices to transform and light")                                \
    X(fft, 64, 4096, true, "points of a Fourier transform, a power of two")

#define SIMT_PROGRAM_DECLARATION(name, ...) extern const struct workload workload_simt_##name;
SIMT_PROGRAM_LIST(SIMT_PROGRAM_DECLARATION)
#undef SIMT_PROGRAM_DECLARATION
