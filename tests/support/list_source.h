/* A trace source held in memory: launches of random shape with random records. Property tests use
 * it to drive the models with streams that no real program makes. The seed alone decides the
 * contents. */
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

/* Makes random launches, blocks, gaps and affine accesses over `lines` lines of 128 B; some warps
 * and blocks are empty. Never NULL: aborts if memory is short. */
struct list_source *list_source_random(uint64_t seed, uint32_t launches, uint32_t blocks,
                                       uint32_t records, uint64_t lines);

/* Makes every access a load, and leaves out all that is no access. The reuse depth only knows such
 * streams: it has no stores, and other instructions do not affect its order. */
void list_source_keep_loads(struct list_source *source);

/* Moves about half of the accesses from global memory to other spaces. In read-only spaces they
 * become loads or fetches. */
void list_source_mix_spaces(struct list_source *source, uint64_t seed);

/* Drops the accesses to all spaces but these; the warps issue another instruction in their place.
 */
void list_source_keep_spaces(struct list_source *source, unsigned spaces);
