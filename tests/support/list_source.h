/* A trace source held in memory, for tests: launches of random shape with random records. */
#pragma once

#include "trace/stream.h"

struct list_warp {
    struct warp_access *items; /* affine only */
    uint32_t count, tail;
};

struct list_launch {
    uint32_t blocks, warps; /* warps per block */
    struct list_warp *warp; /* [blocks x warps] */
};

struct list_source {
    struct trace_source base;
    struct list_launch *lists;
};

/* Random launches, blocks, gaps and affine accesses over `lines` lines of 128 B; some warps and
 * blocks are empty. The seed alone decides. Never NULL: aborts without memory. */
struct list_source *list_source_random(uint64_t seed, uint32_t launches, uint32_t blocks,
                                       uint32_t records, uint64_t lines);

/* Makes every access a load without a gap, as the reuse depth has them: the functional depth orders
 * by gaps, and the reuse depth knows no stores. */
void list_source_keep_loads(struct list_source *source);

/* Moves about half of the accesses to other spaces than global memory; what is only read there
 * becomes a load or a fetch. */
void list_source_mix_spaces(struct list_source *source, uint64_t seed);

/* Drops the accesses of all other spaces: the warps issue something else meanwhile. */
void list_source_keep_spaces(struct list_source *source, unsigned spaces);
