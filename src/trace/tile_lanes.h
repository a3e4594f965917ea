/* The 16 values of a line at once, as vectors that every processor has: comparisons make all ones
 * or zeros of a value, and bits of them. Arrays need no alignment. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "trace/tile_stream.h"

typedef int32_t tile_lanes __attribute__((vector_size(TILE_BYTES)));

static const int32_t tile_lane_bits[TILE_VALUES] = {
    1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
    1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};

static inline void tile_lanes_load(tile_lanes *lanes, const void *values)
{
    memcpy(lanes, values, sizeof *lanes);
}

/* A mask whose bit i says that value i of the comparison holds. */
static inline uint16_t tile_lanes_bits(const tile_lanes *holds)
{
    typedef int32_t quarter __attribute__((vector_size(TILE_BYTES / 4)));
    quarter parts[4];
    tile_lanes kept;
    tile_lanes_load(&kept, tile_lane_bits);
    kept &= *holds;
    memcpy(parts, &kept, sizeof parts);
    const quarter all = (parts[0] | parts[1]) | (parts[2] | parts[3]);
    return (uint16_t)((all[0] | all[1]) | (all[2] | all[3]));
}

/* All ones where the mask has a bit. */
static inline void tile_lanes_spread(uint16_t mask, tile_lanes *holds)
{
    tile_lanes_load(holds, tile_lane_bits);
    *holds = (*holds & mask) != 0;
}
