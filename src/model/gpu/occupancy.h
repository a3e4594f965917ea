/* How many blocks of a launch fit one SM, and how many ways that leaves to a unified L1D. Pure
 * arithmetic that follows GPGPU-Sim, so that simulated blocks overlap as they do there. Constant
 * time per launch. */
#pragma once

#include "base/diag.h"
#include "schema/machine.h"
#include "trace/stream.h"

enum occupancy_limit { LIMIT_THREADS, LIMIT_BLOCKS, LIMIT_SHARED, LIMIT_REGISTERS };

struct occupancy {
    uint32_t blocks; /* resident blocks of one SM; 0: the launch cannot run */
    uint32_t warps;
    enum occupancy_limit limit; /* the resource that limits `blocks` */
};

/* The minimum over threads, blocks, shared memory and registers, as GPGPU-Sim computes it: threads
 * are rounded up to whole warps, registers per thread, which depend on the machine's architecture,
 * to a multiple of 4. Registers of 0 (unknown) do not limit. */
struct occupancy occupancy_of(const struct machine *machine, const struct trace_launch *launch);

/* The same where nothing but the threads of an SM limits its blocks. */
struct occupancy occupancy_of_threads(const struct machine *machine,
                                      const struct trace_launch *launch);

/* The values from *least to *most of the parameter that `limit`, which is not LIMIT_THREADS, stands
 * for give the launch the same occupancy, as long as that holds of all of them. */
void occupancy_keeps(const struct machine *machine, const struct trace_launch *launch,
                     enum occupancy_limit limit, uint64_t *least, uint64_t *most);

struct occupancy_mean { /* averages over the blocks of all launches; NaN if there are none */
    double blocks, warps;
};
struct occupancy_mean occupancy_mean_of(const struct machine *machine,
                                        const struct trace_source *source);

const char *occupancy_limit_name(enum occupancy_limit limit);

/* The ways of the L1D while `launch` runs, at least 1. A fixed L1D keeps its own. A unified one
 * gets what the smallest shared-memory carve-out that holds the resident blocks leaves: round(ways
 * x unified / size x (1 - carve-out / unified)), as GPGPU-Sim's adaptive cache. */
uint64_t occupancy_l1d_ways(const struct machine *machine, const struct trace_launch *launch);

/* Its ways while a launch without shared memory runs: the most that a unified one has. */
uint64_t occupancy_l1d_ways_alone(const struct machine *machine);

/* Whether the L1D allocates only when its data arrive while `launch` runs. A streaming one does,
 * unless it is unified and the launch leaves all of it to the L1D (GPGPU-Sim). */
bool occupancy_l1d_on_fill(const struct machine *machine, const struct trace_launch *launch);
