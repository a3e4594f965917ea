#include "workload/cuda/programs.h"

#define CUDA_PROGRAM_ADDRESS(name) &workload_##name,
const struct workload *const workloads[] = {CUDA_PROGRAM_LIST(CUDA_PROGRAM_ADDRESS) NULL};
#undef CUDA_PROGRAM_ADDRESS
