/* Vertices between the vertex stage and the screen, and what of a triangle can be on the screen.
 *
 * Clipping works on homogeneous coordinates, so a triangle may reach behind the camera. It cuts at
 * the near and far plane, and to the sides only at a guard band, far outside of every surface,
 * which keeps screen coordinates within CLIP_GUARD pixels. Two triangles that share an edge get the
 * same new vertices on it, bit for bit, because an edge is always cut from its end that remains. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { VARYINGS_MAX = 12, CLIP_VERTICES = 3 + 7, CLIP_GUARD = 1 << 14, SUBPIXELS = 256 };
enum { DEPTH_MAX = (1 << 24) - 1, DEPTH_PARTS = 16 };

struct screen_point {
    int32_t x, y; /* 1/256 pixel; y counts downwards */
    int32_t z;    /* 1/16 of a step of the depth buffer */
};

struct vertex {
    float clip[4]; /* a vertex shader computes these, */
    float varyings[VARYINGS_MAX];
    struct screen_point point; /* and vertex_place these: where the vertex is on the screen, */
    uint32_t outside;          /* unless the lower half of this is not 0 */
};

/* What clipping and snapping need of a surface. */
struct view {
    float width, height;    /* pixels */
    float guard_x, guard_y; /* the guard band, in units of w */
};
struct view view_of(uint32_t width, uint32_t height);

void vertex_place(struct vertex *vertex, const struct view *view);

/* Cuts a triangle of placed vertices. Returns the number of corners of the convex polygon that
 * remains: 0 or 3 to CLIP_VERTICES, in the order of the triangle's. They are in `polygon`; new
 * vertices are in `room`, placed. Vertices that are not finite leave nothing. `varyings`: how many
 * of them count. */
unsigned clip_triangle(const struct vertex *const triangle[3], const struct view *view,
                       unsigned varyings, struct vertex room[CLIP_VERTICES],
                       const struct vertex *polygon[CLIP_VERTICES]);
