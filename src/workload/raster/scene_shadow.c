/* After glmark2's shadow: a pass that draws the depth seen from a light, at twice the width and
 * height, then the ground, which looks up what lies in shadow, and the mesh. */
#include "workload/raster/scene.h"

enum { SURFACE_MAP, SURFACE_COLOUR, SURFACE_DEPTH, SURFACES };
static const char *const pass_names[] = {"shadow map", "main"};

static const struct vector3 axis_x = {1, 0, 0}, axis_y = {0, 1, 0}, light_from = {0, 3, 2};

static unsigned set_surfaces(const struct scene_setup *setup, struct tile_surface *surfaces)
{
    surfaces[SURFACE_MAP] = (struct tile_surface){
        "shadow map", TILE_DEPTH, 2 * setup->width, 2 * setup->height, 1, 0, DEPTH_MAX};
    scene_frame_surfaces(setup, &surfaces[SURFACE_COLOUR]); /* and SURFACE_DEPTH */
    surfaces[SURFACE_COLOUR].clear = UINT32_C(0xff302820);
    return SURFACES;
}

static void place_mesh(const struct draw *draw, const struct mesh_vertex *in, struct vertex *out)
{
    matrix_apply(&draw->matrices[0], in->position, out->clip);
    const struct vector3 normal = vector_unit(matrix_turn(&draw->matrices[1], in->normal));
    const struct vector3 light = {draw->factors[0], draw->factors[1], draw->factors[2]};
    out->varyings[0] = fmaxf(vector_dot(normal, light), 0);
}

static uint32_t shade_mesh(const struct draw *draw, const float *varyings)
{
    (void)draw;
    const float light = 0.15f + 0.85f * varyings[0];
    return colour_of((struct vector3){light, 0.95f * light, 0.85f * light}, 1);
}

static void place_ground(const struct draw *draw, const struct mesh_vertex *in, struct vertex *out)
{
    matrix_apply(&draw->matrices[0], in->position, out->clip);
    matrix_apply(&draw->matrices[1], in->position, out->varyings); /* as the light sees it */
}

static uint32_t shade_ground(const struct draw *draw, const float *varyings)
{
    const float w = varyings[3], x = varyings[0] / w, y = varyings[1] / w, z = varyings[2] / w;
    float light = 0.6f;
    if (w > 0 && fabsf(x) < 1 && fabsf(y) < 1) {
        const uint32_t nearest = target_value(draw, 0, x * 0.5f + 0.5f, y * 0.5f + 0.5f);
        const float step = 1.0f / DEPTH_MAX, margin = 0.002f;
        if ((float)nearest * step + margin < z * 0.5f + 0.5f)
            light = 0.25f;
    }
    return colour_of((struct vector3){light * 0.8f, light, light * 0.7f}, 1);
}

/* The mesh turns by 36 degrees per second around a vertical axis through its centre. */
static struct matrix model_of(const struct scene *scene, uint32_t frame)
{
    const struct vector3 c = scene->centre;
    return matrix_multiply(matrix_translation(c.x, c.y, c.z),
                           matrix_multiply(matrix_rotation(36 * frame_seconds(frame), axis_y),
                                           matrix_translation(-c.x, -c.y, -c.z)));
}

static struct matrix ground_of(const struct scene *scene)
{
    const struct vector3 c = scene->centre;
    const float size = 3 * scene->radius;
    return matrix_multiply(
        matrix_translation(c.x, c.y - 0.6f * scene->radius, c.z),
        matrix_multiply(matrix_rotation(-90, axis_x), matrix_scaling(size, size, size)));
}

static unsigned set_draws(const struct scene *scene, uint32_t frame, unsigned pass,
                          struct draw draws[DRAWS_MAX], uint32_t *clears)
{
    const struct vector3 c = scene->centre, up = {0, 0, -1};
    const float away = 2 + scene->radius;
    const float aspect = (float)scene->setup.width / (float)scene->setup.height;
    const struct matrix projection =
        matrix_perspective(scene_angle(scene), aspect, 2, 2 + 5 * scene->radius);
    const struct vector3 direction = vector_unit(light_from);
    const struct matrix light = matrix_multiply(
        projection, matrix_look_at(vector_add(c, vector_scale(direction, away)), c, up));
    const struct matrix view = matrix_multiply(
        projection, matrix_multiply(matrix_translation(0, 0, -away),
                                    matrix_multiply(matrix_rotation(15, axis_x),
                                                    matrix_translation(-c.x, -c.y, -c.z))));
    const struct matrix model = model_of(scene, frame), ground = ground_of(scene);
    if (pass == 0) {
        *clears = 1u << SURFACE_MAP;
        draws[0] = (struct draw){.mesh = &scene->mesh,
                                 .cull = CULL_BACK,
                                 .colour = -1,
                                 .depth = SURFACE_MAP,
                                 .vertex = place_mesh,
                                 .matrices = {matrix_multiply(light, model), model}};
        return 1;
    }
    *clears = 1u << SURFACE_COLOUR | 1u << SURFACE_DEPTH;
    draws[0] =
        (struct draw){.mesh = &scene->square,
                      .varyings = 4,
                      .cull = CULL_BACK,
                      .colour = SURFACE_COLOUR,
                      .depth = SURFACE_DEPTH,
                      .vertex = place_ground,
                      .fragment = shade_ground,
                      .matrices = {matrix_multiply(view, ground), matrix_multiply(light, ground)},
                      .targets = {{.surface = &scene->surfaces[SURFACE_MAP]}}};
    draws[1] = (struct draw){.mesh = &scene->mesh,
                             .varyings = 1,
                             .cull = CULL_BACK,
                             .colour = SURFACE_COLOUR,
                             .depth = SURFACE_DEPTH,
                             .vertex = place_mesh,
                             .fragment = shade_mesh,
                             .matrices = {matrix_multiply(view, model), model},
                             .factors = {direction.x, direction.y, direction.z}};
    return 2;
}

static enum status shadow_make(struct scene *scene)
{
    return mesh_make_knot(&scene->mesh, scene->setup.detail);
}

const struct scene_kind scene_shadow = {.name = "shadow",
                                        .help = "a mesh and its shadow on the ground",
                                        .detail = 21, /* 7,056 triangles; glmark2's horse: 7,172 */
                                        .passes = 2,
                                        .make = shadow_make,
                                        .surfaces = set_surfaces,
                                        .draws = set_draws,
                                        .pass_names = pass_names};
