/* One triangle on a surface: which samples of a line it covers, their depth, and its varyings.
 *
 * Vertices are snapped to 1/256 pixel, and from there on coverage and depth are exact integers. A
 * sample on an edge belongs to the triangle whose top or left edge that is, so triangles that share
 * an edge cover each of its samples once. Rows count from the top. Depth is linear on the screen,
 * with 20 bits after the point, and rounded to nearest within the range of its vertices. Varyings
 * are floats, divided by w at the centre of each pixel.
 *
 * Cost: setting up about 40 multiplications and two divisions, a line 16 x 3 additions unless it is
 * covered wholly or not at all, which the corners of the line decide. Pineda, "A parallel algorithm
 * for polygon rasterization", SIGGRAPH 1988. */
#pragma once

#include "trace/tile_stream.h"
#include "workload/raster/clip.h"

enum { SAMPLE_GRID = 16 };

/* What triangles need of a surface. */
struct raster_target {
    uint32_t width, height, columns, rows, side, samples;
    int32_t x[TILE_VALUES], y[TILE_VALUES]; /* of each value, from its line's corner, 1/16 pixel */
    int32_t least, most;                    /* of these, in both directions */
    struct view view;
};
void raster_target_init(struct raster_target *target, const struct tile_surface *surface);

enum cull { CULL_NONE, CULL_BACK, CULL_FRONT };
enum triangle_fate { TRIANGLE_VISIBLE, TRIANGLE_CULLED, TRIANGLE_EMPTY, TRIANGLE_OUTSIDE };

struct triangle {
    struct screen_point points[3]; /* so that the edges turn right around the triangle */
    const struct vertex *vertices[3];
    uint32_t left, right, top, bottom; /* lines that it may touch, inclusive */
    int64_t step_x[3], step_y[3];      /* of the edge functions for 1/16 pixel */
    int64_t edge[3];                   /* at the corner of the surface; >= 0 is inside */
    int64_t least[3], most[3];         /* bounds in a line of an edge function less its corner's */
    int32_t offsets[3][TILE_VALUES];   /* at its samples, less its corner's */
    uint64_t z, z_x, z_y;              /* modulo 2^64; z / 2^20 is the depth */
    uint64_t z_offsets[TILE_VALUES];
    uint32_t z_least, z_most;
    int64_t area; /* twice, in 1/256 pixels squared; positive */
};

/* Front faces go round counterclockwise on the picture. The vertices are placed, and none is
 * outside of what cuts. */
enum triangle_fate triangle_setup(struct triangle *triangle, const struct vertex *const vertices[3],
                                  enum cull cull, const struct raster_target *target);

/* The samples of a line that the triangle covers. */
uint16_t triangle_cover(const struct triangle *triangle, const struct raster_target *target,
                        uint32_t column, uint32_t row);

/* The first and the last line of a row that could be covered; false: none. */
bool triangle_span(const struct triangle *triangle, const struct raster_target *target,
                   uint32_t row, uint32_t *first, uint32_t *last);

/* Whether a square of `side` x `side` lines could be covered anywhere. */
bool triangle_touches(const struct triangle *triangle, const struct raster_target *target,
                      uint32_t column, uint32_t row, uint32_t side);

/* Depth of all samples of a line; what is not covered is some legal depth. */
void triangle_depth(const struct triangle *triangle, const struct raster_target *target,
                    uint32_t column, uint32_t row, uint32_t values[TILE_VALUES]);

/* A number that is linear on the screen, from pixel (x, y) on. */
struct plane_value {
    float start, step_x, step_y;
};
struct varying_planes {
    uint32_t x, y; /* pixel of `start` */
    unsigned count;
    struct plane_value inverse_w, values[VARYINGS_MAX]; /* values: divided by w */
};
void varying_planes_setup(struct varying_planes *planes, const struct triangle *triangle,
                          const struct raster_target *target, unsigned count);
/* The varyings at the centre of pixel (x, y). */
void varyings_at(const struct varying_planes *planes, uint32_t x, uint32_t y,
                 float varyings[VARYINGS_MAX]);
