#include "workload/cuda/compiled.h"

#include <string.h>

/* clang-format off */
#define NVCC_13(sm_75, sm_80, sm_86, sm_89, sm_90)                                                 \
    COMPILED_NVCC_13, {{75, 80, 86, 89, 90}, {sm_75, sm_80, sm_86, sm_89, sm_90}}
/* sm_52 and sm_70: logs of ptxas that stand beside the profiles. */
#define LOGGED(sm_52, sm_70, sm_75, sm_80, sm_86, sm_89, sm_90)                                    \
    COMPILED_NVCC_13, {{52, 70, 75, 80, 86, 89, 90}, {sm_52, sm_70, sm_75, sm_80, sm_86, sm_89, sm_90}}
#define RECORDED(count)  COMPILED_RECORDED, {{75}, {count}}
#define PROFILED(count)  COMPILED_PROFILED, {{70}, {count}}
#define ESTIMATED(count) COMPILED_ESTIMATED, {{75}, {count}}

const struct compiled_kernel compiled_kernels[] = {
    {"2DCONV", "Convolution2D_kernel", NVCC_13(24, 24, 24, 24, 24)},
    {"3DCONV", "convolution3D_kernel", NVCC_13(32, 26, 32, 32, 29)},
    {"GEMM", "gemm_kernel", NVCC_13(24, 24, 24, 24, 24)},
    {"2MM", "mm2_kernel1", NVCC_13(28, 28, 28, 28, 28)},
    {"2MM", "mm2_kernel2", NVCC_13(28, 28, 28, 28, 28)},
    {"3MM", "mm3_kernel1", NVCC_13(24, 24, 24, 24, 24)},
    {"3MM", "mm3_kernel2", NVCC_13(24, 24, 24, 24, 24)},
    {"3MM", "mm3_kernel3", NVCC_13(24, 24, 24, 24, 24)},
    {"GRAMSCHMIDT", "gramschmidt_kernel1", NVCC_13(62, 31, 39, 39, 31)},
    {"GRAMSCHMIDT", "gramschmidt_kernel2", NVCC_13(14, 15, 16, 16, 16)},
    {"GRAMSCHMIDT", "gramschmidt_kernel3", NVCC_13(24, 24, 24, 24, 26)},
    {"ATAX", "atax_kernel1", NVCC_13(14, 16, 16, 16, 16)},
    {"ATAX", "atax_kernel2", NVCC_13(18, 20, 20, 20, 18)},
    {"BICG", "bicg_kernel1", NVCC_13(18, 20, 18, 18, 18)},
    {"BICG", "bicg_kernel2", NVCC_13(14, 16, 16, 16, 16)},
    {"MVT", "mvt_kernel1", NVCC_13(14, 16, 16, 16, 16)},
    {"MVT", "mvt_kernel2", NVCC_13(18, 20, 20, 20, 18)},
    {"CORR", "mean_kernel", NVCC_13(20, 18, 18, 18, 18)},
    {"CORR", "std_kernel", NVCC_13(18, 18, 18, 18, 18)},
    {"CORR", "reduce_kernel", NVCC_13(16, 16, 16, 16, 16)},
    {"CORR", "corr_kernel", NVCC_13(28, 28, 28, 28, 30)},
    {"COVAR", "mean_kernel", NVCC_13(20, 18, 18, 18, 18)},
    {"COVAR", "reduce_kernel", NVCC_13(10, 10, 10, 10, 12)},
    {"COVAR", "covar_kernel", NVCC_13(28, 28, 28, 28, 30)},
    {"GESUMMV", "gesummv_kernel", NVCC_13(18, 20, 22, 22, 22)},
    {"SYRK", "syrk_kernel", NVCC_13(30, 30, 30, 30, 30)},
    {"SYR2K", "syr2k_kernel", NVCC_13(32, 32, 32, 32, 32)},
    {"FDTD-2D", "fdtd_step1_kernel", NVCC_13(12, 12, 12, 12, 14)},
    {"FDTD-2D", "fdtd_step2_kernel", NVCC_13(12, 12, 12, 12, 14)},
    {"FDTD-2D", "fdtd_step3_kernel", NVCC_13(18, 18, 18, 18, 18)},
    {"BFS", "Kernel", NVCC_13(20, 22, 22, 22, 22)},
    {"BFS", "Kernel2", NVCC_13(6, 12, 12, 12, 12)},
    {"BACKPROP", "bpnn_layerforward_CUDA", NVCC_13(20, 20, 20, 20, 18)},
    {"BACKPROP", "bpnn_adjust_weights_cuda", NVCC_13(28, 27, 27, 27, 30)},
    {"HOTSPOT", "calculate_temp", NVCC_13(35, 32, 36, 36, 34)},
    {"PATHFINDER", "dynproc_kernel", NVCC_13(18, 16, 16, 16, 17)},
    {"B+TREE", "findRangeK", ESTIMATED(30)},
    {"B+TREE", "findK", ESTIMATED(26)},
    {"DWT2D", "c_CopySrcToComponents", ESTIMATED(12)},
    {"DWT2D", "fdwt53Kernel", ESTIMATED(40)},
    {"STREAMCLUSTER", "kernel_compute_cost", ESTIMATED(24)},
    {"SRAD", "srad_cuda_1", ESTIMATED(26)},
    {"SRAD", "srad_cuda_2", ESTIMATED(22)},
    {"BFS-ISPASS", "Kernel", ESTIMATED(20)},
    {"AES", "aesEncrypt128", ESTIMATED(24)},
    {"STO", "sha1_overlap", ESTIMATED(28)},
    {"RAY", "render", ESTIMATED(40)},
    {"MUM", "mummergpuKernel", ESTIMATED(26)},
    {"CUTCP", "cuda_cutoff_potential_lattice6overlap", RECORDED(35)},
    {"HISTO", "histo_prescan_kernel", RECORDED(18)},
    {"HISTO", "histo_intermediates_kernel", RECORDED(26)},
    {"HISTO", "histo_main_kernel", RECORDED(24)},
    {"HISTO", "histo_final_kernel", RECORDED(48)},
    {"LBM", "performStreamCollide_kernel", RECORDED(49)},
    {"MRI-Q", "ComputePhiMag_GPU", RECORDED(12)},
    {"MRI-Q", "ComputeQ_GPU", RECORDED(32)},
    {"SGEMM", "mysgemmNT", RECORDED(63)},
    {"SPMV", "spmv_jds", NVCC_13(34, 32, 33, 33, 32)},
    {"STENCIL", "block2D_hybrid_coarsen_x", RECORDED(36)},
    {"SUMS", "row_sums", PROFILED(31)},
    {"SUMS", "column_sums", PROFILED(32)},
    {"VECTORS", "vector_kernel", PROFILED(16)},
    {"MATADD", "matrix_add_2D", PROFILED(16)},
    {"TRANSPOSE", "transpose_direct", PROFILED(8)},
    {"TRANSPOSE", "transpose_tile", PROFILED(10)},
    {"REDUCE", "reduce_kernel", PROFILED(16)},
    {"MATMUL", "matmul_naive", LOGGED(32, 32, 49, 32, 40, 40, 32)},
    {"MATMUL-TILED", "matmul_tiled", LOGGED(27, 32, 42, 32, 38, 38, 32)},
    {"FILTER", "filter_3", LOGGED(29, 30, 28, 29, 30, 30, 30)},
    {"FILTER", "filter_7", LOGGED(32, 32, 62, 32, 40, 40, 32)},
    {"HISTOGRAM", "histogram_kernel", PROFILED(10)},
    {"GATHER", "gather_kernel", PROFILED(10)},
    {"ATOMICS", "atomics_kernel", PROFILED(7)},
    {"CHASE", "chase_kernel", ESTIMATED(8)},
    {"PAGES", "pages_kernel", ESTIMATED(10)},
    {"DCT", "CUDAkernel1DCT", ESTIMATED(24)},
    {"FWT", "fwtBatch2Kernel", ESTIMATED(16)},
    {"FWT", "fwtBatch1Kernel", ESTIMATED(18)},
    {"HISTOGRAM64", "histogram64Kernel", ESTIMATED(18)},
    {"HISTOGRAM64", "mergeHistogram64Kernel", ESTIMATED(12)},
    {"MERGESORT", "mergeSortSharedKernel", NVCC_13(18, 20, 22, 22, 23)},
    {"MERGESORT", "generateSampleRanksKernel", NVCC_13(21, 20, 20, 20, 22)},
    {"MERGESORT", "mergeRanksAndIndicesKernel", NVCC_13(16, 16, 16, 16, 18)},
    {"MERGESORT", "mergeElementaryIntervalsKernel", NVCC_13(18, 18, 18, 18, 20)},
    {"QUASIRANDOM", "quasirandomGeneratorKernel", ESTIMATED(14)},
    {"QUASIRANDOM", "inverseCNDKernel", ESTIMATED(16)},
    {"LAYERNORM", "layernorm_forward", ESTIMATED(32)},
    {"RESIDUAL", "residual_add", ESTIMATED(16)},
    {"STRIDES", "strides_kernel", ESTIMATED(32)},
    {"READS", "read_kernel", ESTIMATED(32)},
    {"LANES", "lanes_kernel", ESTIMATED(16)},
    {"MB1", "mb1", ESTIMATED(8)},
    {"MB2", "mb2", ESTIMATED(8)},
    {0},
};
/* clang-format on */

const char *compiled_by_name(enum compiled_by by)
{
    static const char *const names[] = {[COMPILED_NVCC_13] = "nvcc 13.0",
                                        [COMPILED_RECORDED] = "nvcc 13.0, recorded",
                                        [COMPILED_PROFILED] = "profiles",
                                        [COMPILED_ESTIMATED] = "estimate"};
    return names[by];
}

const struct compiled_kernel *compiled_find(const char *program, const char *kernel)
{
    const struct compiled_kernel *row = compiled_kernels;
    while (row->program && (strcmp(row->program, program) || strcmp(row->kernel, kernel)))
        row++;
    return row->program ? row : NULL;
}
