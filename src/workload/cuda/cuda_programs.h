/* The one list of the generated CUDA programs. X(name) is the file name.c and its exported `const
 * struct workload workload_name`. Every listing uses this order. */
#pragma once

#include "workload/workload.h"

#define CUDA_PROGRAM_LIST(X)                                                                       \
    X(conv2d)                                                                                      \
    X(conv3d)                                                                                      \
    X(gemm)                                                                                        \
    X(mm2)                                                                                         \
    X(mm3)                                                                                         \
    X(gramschmidt)                                                                                 \
    X(atax)                                                                                        \
    X(bicg)                                                                                        \
    X(mvt)                                                                                         \
    X(corr)                                                                                        \
    X(covar)                                                                                       \
    X(gesummv)                                                                                     \
    X(syrk)                                                                                        \
    X(syr2k)                                                                                       \
    X(fdtd2d)                                                                                      \
    X(bfs)                                                                                         \
    X(backprop)                                                                                    \
    X(hotspot)                                                                                     \
    X(pathfinder)                                                                                  \
    X(btree)                                                                                       \
    X(dwt2d)                                                                                       \
    X(streamcluster)                                                                               \
    X(srad)                                                                                        \
    X(bfs_ispass)                                                                                  \
    X(aes)                                                                                         \
    X(sto)                                                                                         \
    X(ray)                                                                                         \
    X(mum)                                                                                         \
    X(cutcp)                                                                                       \
    X(histo)                                                                                       \
    X(lbm)                                                                                         \
    X(mriq)                                                                                        \
    X(sgemm)                                                                                       \
    X(spmv)                                                                                        \
    X(stencil)                                                                                     \
    X(sums)                                                                                        \
    X(vectors)                                                                                     \
    X(matadd)                                                                                      \
    X(transpose)                                                                                   \
    X(reduce)                                                                                      \
    X(matmul)                                                                                      \
    X(matmul_tiled)                                                                                \
    X(filter)                                                                                      \
    X(bins)                                                                                        \
    X(gather)                                                                                      \
    X(atomics)                                                                                     \
    X(chase)                                                                                       \
    X(dct)                                                                                         \
    X(fwt)                                                                                         \
    X(histogram64)                                                                                 \
    X(mergesort)                                                                                   \
    X(quasirandom)                                                                                 \
    X(layernorm)                                                                                   \
    X(residual)                                                                                    \
    X(strides)                                                                                     \
    X(reads)                                                                                       \
    X(lanes)                                                                                       \
    X(pages)                                                                                       \
    X(mb1)                                                                                         \
    X(mb2)

#define CUDA_PROGRAM_DECLARATION(name) extern const struct workload workload_##name;
CUDA_PROGRAM_LIST(CUDA_PROGRAM_DECLARATION)
#undef CUDA_PROGRAM_DECLARATION

/* The row of a program: its file's parameters_NAME and open_NAME, and members of struct workload.
 */
#define CUDA_PROGRAM(name_, title_, suite_, ...)                                                   \
    const struct workload workload_##name_ = {.name = title_,                                      \
                                              .suite = suite_,                                     \
                                              .parameters = parameters_##name_,                    \
                                              .parameter_count = sizeof parameters_##name_ /       \
                                                                 sizeof *parameters_##name_,       \
                                              .open = open_##name_,                                \
                                              __VA_ARGS__}

#define POLYBENCH_SUITE "PolyBench/GPU 1.0"
#define RODINIA_SUITE   "Rodinia 3.1"
#define ISPASS_SUITE    "ISPASS-2009"
#define PARBOIL_SUITE   "Parboil 2.5"
#define PROFILED_SUITE  "kernels that GPUs were profiled with"
#define PROBING_SUITE   "micro-benchmarks of tests/hardware"
#define SAMPLES_SUITE   "CUDA samples"
#define NETWORK_SUITE   "layers of neural networks"
#define PAGES_SUITE     "pages in random order"
#define MICRO_SUITE     "micro-benchmarks of HPCA 2014"

/* The largest matrix edge: its square of floats is 16 GiB of addresses, and every row stride fits
 * a record. */
enum { MATRIX_EDGE_MAX = 65536 };

#define BLOCK_2D_PARAMETERS                                                                        \
    {"block_x", 32, 1, 1024, "threads of a block in x"},                                           \
    {                                                                                              \
        "block_y", 8, 1, 1024, "threads of a block in y"                                           \
    }

#define BLOCK_1D_PARAMETER                                                                         \
    {                                                                                              \
        "block_x", 256, 1, 1024, "threads of a block"                                              \
    }

/* A size that follows another one unless it is given. */
static inline int64_t size_or(uint64_t given, uint64_t fallback)
{
    return (int64_t)(given ? given : fallback);
}
