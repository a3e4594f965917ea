/* The built-in programs of workload.h, from the lists of their folders. */
#include "workload/cuda/cuda_programs.h"
#include "workload/raster/scene_programs.h"
#include "workload/simt/simt_programs.h"

#define CUDA_PROGRAM_ADDRESS(name)      &workload_##name,
#define SIMT_PROGRAM_ADDRESS(name, ...) &workload_simt_##name,
#define SCENE_ADDRESS(name)             &workload_raster_##name,
const struct workload *const workloads[] = {CUDA_PROGRAM_LIST(
    CUDA_PROGRAM_ADDRESS) SIMT_PROGRAM_LIST(SIMT_PROGRAM_ADDRESS) SCENE_LIST(SCENE_ADDRESS) NULL};
#undef SCENE_ADDRESS
#undef CUDA_PROGRAM_ADDRESS
#undef SIMT_PROGRAM_ADDRESS
