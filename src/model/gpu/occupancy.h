/* How many blocks of a launch fit one SM, and what that leaves to a unified L1D. */
#pragma once

#include "base/diag.h"
#include "schema/machine.h"
#include "trace/stream.h"

enum occupancy_limit { LIMIT_THREADS, LIMIT_BLOCKS, LIMIT_SHARED, LIMIT_REGISTERS };

struct occupancy {
    uint32_t blocks; /* resident blocks of one SM; 0: the launch cannot run */
    uint32_t warps;
    enum occupancy_limit limit; /* what stops one more block */
};

/* min(threads, blocks, shared memory, registers) as GPGPU-Sim computes it: threads rounded up to
 * whole warps, registers a thread to a multiple of 4. Unknown (0) registers do not limit. */
struct occupancy occupancy_of(const struct gpu_config *gpu, const struct trace_launch *launch);

struct occupancy_mean { /* over the blocks of all launches */
    double blocks, warps;
};
struct occupancy_mean occupancy_mean_of(const struct gpu_config *gpu,
                                        const struct trace_source *source);

const char *occupancy_limit_name(enum occupancy_limit limit);

/* Ways of the L1D while `launch` runs. A fixed L1D: its own. A unified one takes the smallest
 * shared-memory carve-out that holds the resident blocks and gives the L1D the rest:
 * round(ways x unified / size x (1 - carve-out / unified)), as GPGPU-Sim's adaptive cache. At least
 * 1. */
uint64_t occupancy_l1d_ways(const struct machine *machine, const struct trace_launch *launch);
