/* The built-in programs of workload.h, from the lists of their folders. */
#include "workload/cuda/programs.h"
#include "workload/simt/programs.h"

#define CUDA_PROGRAM_ADDRESS(name)                &workload_##name,
#define SIMT_PROGRAM_ADDRESS(name, n, most, help) &workload_simt_##name,
const struct workload *const workloads[] = {CUDA_PROGRAM_LIST(CUDA_PROGRAM_ADDRESS)
                                                SIMT_PROGRAM_LIST(SIMT_PROGRAM_ADDRESS) NULL};
#undef CUDA_PROGRAM_ADDRESS
#undef SIMT_PROGRAM_ADDRESS
