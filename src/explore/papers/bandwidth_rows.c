#include "explore/papers/bandwidth_study.h"

/* mt4g prints GiB/s. Where a source has a range, its middle stands here. Of gpu-benches' streams
 * the one that only reads; its cards with another memory than the machine's (A100-PCIE-40GB,
 * H100 NVL) are left out at the DRAM. Ours loads 4 B a lane; Volta's L1 delivers more to wider
 * loads, so there a figure of 4 B stands here (116 to 126 B a cycle are those of 8 and 16 B). */
#define GIB (1.073741824)
/* clang-format off */
const struct bandwidth_row bandwidth_rows[] = {
    {"V100", "v100", BANDWIDTH_L2, 2440, "RRZE-HPC/gpu-benches gpu-cache (1 block of 1024 per SM)"},
    {"V100", "v100", BANDWIDTH_DRAM, 867, "RRZE-HPC/gpu-benches gpu-stream, read"},
    {"Tesla V100-PCIE-16GB", "v100", BANDWIDTH_L2, 958 * GIB, "caps-tum/mt4g sample_results"},
    {"Tesla V100-PCIE-16GB", "v100", BANDWIDTH_DRAM, 647 * GIB, "caps-tum/mt4g sample_results"},
    {"TITAN V", "titanv", BANDWIDTH_L1, 78, "accel-sim-framework util/tuner/GPU_Microbenchmark/output.file, loads of 4 B"},
    {"TITAN V", "titanv", BANDWIDTH_L2, 2001, "accel-sim-framework util/tuner/GPU_Microbenchmark/output.file, 1375.5 B/cycle at 1,455 MHz"},
    {"TITAN V", "titanv", BANDWIDTH_DRAM, 521, "accel-sim-framework util/tuner/GPU_Microbenchmark/output.file"},
    {"GeForce RTX 2080 Ti", "rtx2080ti", BANDWIDTH_L2, 1252 * GIB, "caps-tum/mt4g sample_results"},
    {"GeForce RTX 2080 Ti", "rtx2080ti", BANDWIDTH_DRAM, 544 * GIB, "caps-tum/mt4g sample_results"},
    {"A100 80GB", "a100", BANDWIDTH_L1, 125, "RRZE-HPC/gpu-benches gpu-cache (1 block of 1024 per SM)"},
    {"A100 80GB", "a100", BANDWIDTH_L2, 5400, "RRZE-HPC/gpu-benches gpu-cache (1 block of 1024 per SM)"},
    {"A100 80GB", "a100", BANDWIDTH_L2, 5430, "RRZE-HPC/gpu-benches gpu-l2-cache (512 KB per block)"},
    {"A100 80GB", "a100", BANDWIDTH_DRAM, 1730, "RRZE-HPC/gpu-benches gpu-l2-cache (512 KB per block)"},
    {"A100 80GB", "a100", BANDWIDTH_DRAM, 1776, "RRZE-HPC/gpu-benches gpu-stream, read"},
    {"A100-PCIE-40GB", "a100", BANDWIDTH_L2, 2374 * GIB, "caps-tum/mt4g sample_results"},
    {"A40", "a40", BANDWIDTH_L1, 64, "RRZE-HPC/gpu-benches gpu-cache (1 block of 1024 per SM)"},
    {"A40", "a40", BANDWIDTH_L2, 2500, "RRZE-HPC/gpu-benches gpu-cache (1 block of 1024 per SM)"},
    {"A40", "a40", BANDWIDTH_DRAM, 680, "RRZE-HPC/gpu-benches gpu-stream, read"},
    {"L40", "l40", BANDWIDTH_L1, 64, "RRZE-HPC/gpu-benches gpu-cache (1 block of 1024 per SM)"},
    {"L40", "l40", BANDWIDTH_L2, 5710, "RRZE-HPC/gpu-benches gpu-cache (1 block of 1024 per SM)"},
    {"L40", "l40", BANDWIDTH_L2, 5200, "RRZE-HPC/gpu-benches gpu-l2-cache (512 KB per block)"},
    {"L40", "l40", BANDWIDTH_DRAM, 821, "RRZE-HPC/gpu-benches gpu-l2-cache (512 KB per block)"},
    {"L40", "l40", BANDWIDTH_DRAM, 845, "RRZE-HPC/gpu-benches gpu-stream, read"},
    {"H100 PCIe", "h100-pcie", BANDWIDTH_L2, 7000, "RRZE-HPC/gpu-benches gpu-l2-cache (512 KB per block)"},
    {"H100 PCIe", "h100-pcie", BANDWIDTH_DRAM, 1988, "RRZE-HPC/gpu-benches gpu-l2-cache (512 KB per block)"},
    {"H100 PCIe", "h100-pcie", BANDWIDTH_DRAM, 1942, "RRZE-HPC/gpu-benches gpu-stream, read"},
    {"H100 80GB HBM3", "h100", BANDWIDTH_L2, 4529 * GIB, "caps-tum/mt4g sample_results"},
    {"H100 80GB HBM3", "h100", BANDWIDTH_DRAM, 2561 * GIB, "caps-tum/mt4g sample_results"},
    {"H200", "h200", BANDWIDTH_L2, 10350, "RRZE-HPC/gpu-benches gpu-l2-cache (512 KB per block)"},
    {"H200", "h200", BANDWIDTH_DRAM, 3888, "RRZE-HPC/gpu-benches gpu-l2-cache (512 KB per block)"},
    {"GH200", "gh200", BANDWIDTH_DRAM, 2775, "RRZE-HPC/gpu-benches gpu-stream, read"},
    {"B200", "b200", BANDWIDTH_L2, 21200, "a public profiler log (B200)"},
    {"B200", "b200", BANDWIDTH_DRAM, 6750, "a public profiler log (B200)"},
    {0},
};
/* clang-format on */
