/* The slow twin of the textbook reuse-distance model (model/reuse/textbook.h), for one SM and one
 * launch: time advances tick by tick, stacks are arrays, pending effects are an unsorted list.
 * Fixed arrays: only for small launches. */
#pragma once

#include "model/reuse/reuse.h"
#include "trace/stream.h"

enum {
    SLOW_LINES = 4096,
    SLOW_WARPS = 256,
    SLOW_LOADS = 256,
    SLOW_REQUESTS = 256,
    SLOW_ACCESSES = 4096
};

/* The loads of a launch: for each warp (block x warps per block + warp) and load, its requests,
 * each a sector of a line, and the earlier loads that it waits for: bit i is the one
 * i + 1 loads back. */
struct slow_loads {
    uint32_t warps_per_block, blocks;
    uint32_t loads[SLOW_WARPS];
    uint32_t requests[SLOW_WARPS][SLOW_LOADS];
    uint32_t needs[SLOW_WARPS][SLOW_LOADS];
    uint64_t lines[SLOW_WARPS][SLOW_LOADS][SLOW_REQUESTS];
    uint8_t sectors[SLOW_WARPS][SLOW_LOADS][SLOW_REQUESTS];
};

struct slow_result {
    uint64_t accesses, misses, joined, refused, ticks, never;
    /* For each access of a warp, in order: whether it hit, and whether it was the first one to its
     * sector. */
    bool hit[SLOW_WARPS][SLOW_ACCESSES], first[SLOW_WARPS][SLOW_ACCESSES];
    uint32_t warp_accesses[SLOW_WARPS];
};

/* Reads the loads of a launch as a machine issues them. */
void slow_reuse_read(const struct trace_source *source, uint32_t launch,
                     const struct machine *machine, struct slow_loads *loads);

/* Simulates the loads with `resident` blocks on the SM. */
void slow_reuse(const struct slow_loads *loads, const struct reuse_config *config,
                uint32_t resident, struct slow_result *result);
