/* Shapes made by code. A grid of vertices, `around` in one direction and `along` in the other, is
 * bent by a function of both; seams are closed by using their first vertices again. */
#include <stdlib.h>

#include "workload/raster/mesh.h"

struct grid {
    uint32_t around, along;
    bool closed_along; /* the last ring joins the first */
    /* The vertex at (around, along), both from 0 to 1. */
    struct mesh_vertex (*bend)(float around, float along, const void *argument);
    const void *argument;
};

static enum status add_grid(struct mesh *mesh, const struct grid *grid)
{
    const uint32_t first = (uint32_t)mesh->vertex_count;
    const uint32_t rings = grid->along + !grid->closed_along;
    enum status status = STATUS_OK;
    for (uint32_t k = 0; k < rings && !status; k++)
        for (uint32_t i = 0; i < grid->around && !status; i++) {
            const struct mesh_vertex vertex = grid->bend(
                (float)i / (float)grid->around, (float)k / (float)grid->along, grid->argument);
            status = mesh_add_vertex(mesh, &vertex);
        }
    for (uint32_t k = 0; k < grid->along && !status; k++)
        for (uint32_t i = 0; i < grid->around && !status; i++) {
            const uint32_t ring = first + k * grid->around;
            const uint32_t next = first + (k + 1 < rings ? k + 1 : 0) * grid->around;
            const uint32_t right = i + 1 < grid->around ? i + 1 : 0;
            status = mesh_add_triangle(mesh, ring + i, ring + right, next + right);
            if (!status)
                status = mesh_add_triangle(mesh, ring + i, next + right, next + i);
        }
    return status;
}

static struct vector3 knot_line(float t)
{
    const float angle = 2 * (float)M_PI * t, r = 0.5f + 0.2f * cosf(3 * angle);
    return (struct vector3){r * cosf(2 * angle), r * sinf(2 * angle), 0.2f * sinf(3 * angle)};
}

/* A tube around the line of the knot. */
static struct mesh_vertex bend_knot(float around, float along, const void *argument)
{
    (void)argument;
    const float step = 1e-3f, radius = 0.12f;
    const struct vector3 here = knot_line(along);
    const struct vector3 ahead =
        vector_unit(vector_subtract(knot_line(along + step), knot_line(along - step)));
    const struct vector3 side = vector_unit(vector_cross(ahead, (struct vector3){0, 0, 1}));
    const struct vector3 up = vector_cross(side, ahead);
    const float angle = 2 * (float)M_PI * around;
    const struct vector3 out =
        vector_add(vector_scale(side, cosf(angle)), vector_scale(up, -sinf(angle)));
    return (struct mesh_vertex){
        .position = vector_add(here, vector_scale(out, radius)), .u = along * 8, .v = around};
}

enum status mesh_make_knot(struct mesh *mesh, uint32_t detail)
{
    const struct grid grid = {.around = detail < 3 ? 3 : detail,
                              .along = 8 * detail,
                              .closed_along = true,
                              .bend = bend_knot};
    const enum status status = add_grid(mesh, &grid);
    mesh_make_normals(mesh);
    return status;
}

/* From the top of the bell to its rim and a little up its inside. */
static struct mesh_vertex bend_bell(float around, float along, const void *argument)
{
    (void)argument;
    const float angle = 2 * (float)M_PI * around, height = 0.62f * (float)M_PI * along;
    const float radius = 1.6f * sinf(height) + 0.01f;
    return (struct mesh_vertex){
        .position = {radius * cosf(angle), 1.6f * cosf(height), radius * sinf(angle)},
        .sway = {cosf(angle) * along, 0.3f * along, sinf(angle) * along},
        .u = around,
        .v = along};
}

/* A tentacle below the rim; the argument is its angle. */
static struct mesh_vertex bend_tentacle(float around, float along, const void *argument)
{
    const float where = *(const float *)argument, angle = 2 * (float)M_PI * around;
    const float thick = 0.09f * (1 - 0.8f * along), far = 1.1f + 0.25f * sinf(6 * along + where);
    return (struct mesh_vertex){.position = {far * cosf(where) + thick * cosf(angle),
                                             -0.4f - 6 * along,
                                             far * sinf(where) + thick * sinf(angle)},
                                .sway = {2 * along * cosf(where), 0, 2 * along * sinf(where)},
                                .u = around,
                                .v = along};
}

enum status mesh_make_jelly(struct mesh *mesh, uint32_t detail)
{
    enum { TENTACLES = 8 };
    const uint32_t around = detail < 3 ? 3 : detail;
    const struct grid bell = {.around = 2 * around, .along = 2 * detail, .bend = bend_bell};
    enum status status = add_grid(mesh, &bell);
    for (unsigned i = 0; i < TENTACLES && !status; i++) {
        const float angle = 2 * (float)M_PI * (float)i / TENTACLES;
        const struct grid tentacle = {.around = (around + 3) / 4 < 3 ? 3 : (around + 3) / 4,
                                      .along = 2 * detail,
                                      .bend = bend_tentacle,
                                      .argument = &angle};
        status = add_grid(mesh, &tentacle);
    }
    mesh_make_normals(mesh);
    return status;
}

enum status mesh_make_square(struct mesh *mesh)
{
    static const float corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < 4 && !status; i++) {
        const struct mesh_vertex vertex = {.position = {corners[i][0], corners[i][1], 0},
                                           .normal = {0, 0, 1},
                                           .u = corners[i][0] * 0.5f + 0.5f,
                                           .v = corners[i][1] * 0.5f + 0.5f};
        status = mesh_add_vertex(mesh, &vertex);
    }
    if (!status)
        status = mesh_add_triangle(mesh, 0, 1, 2);
    return status ? status : mesh_add_triangle(mesh, 2, 1, 3);
}
