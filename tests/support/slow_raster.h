/* The slow twin of the rasteriser: every sample of the surface is asked for every triangle, in
 * exact integers, with no lines, extents or steps. It shares with the program what has to be the
 * same for pictures to be equal: shaders, clipping, the snapping of vertices and the planes of
 * varyings. */
#pragma once

#include "workload/raster/render.h"

__extension__ typedef __int128 wide;

/* Whether a triangle covers the point (x, y), in 1/16 pixels. Either orientation. */
bool slow_covers(const struct screen_point points[3], int64_t x, int64_t y);

/* Depth there, exactly: a fraction in steps of the depth buffer, as a double. */
double slow_depth(const struct screen_point points[3], int64_t x, int64_t y);

/* Place of value `index` of line (column, row), in 1/16 pixels, and its pixel. */
struct slow_sample {
    int64_t x, y;
    uint32_t pixel_x, pixel_y;
    bool exists; /* on the surface */
};
struct slow_sample slow_sample_of(const struct tile_surface *surface, uint32_t column, uint32_t row,
                                  unsigned index);

/* Draws all passes. The surfaces' memory is the caller's (tile_memory_init), as after the last. */
void slow_draw(const struct render_stream *stream, const struct tile_memory *memory);
