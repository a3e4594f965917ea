/* After glmark2's refract: a pass that draws the far side of a mesh, its depth and its normals, at
 * twice the width and height; then the mesh, with a picture seen through it. A ray is bent where it
 * enters, and again where the first pass says that it leaves. */
#include "workload/raster/scene.h"

enum { SURFACE_NORMALS, SURFACE_BACK, SURFACE_COLOUR, SURFACE_DEPTH, SURFACES };
static const char *const pass_names[] = {"far side", "main"};

static unsigned set_surfaces(const struct scene_setup *setup, struct tile_surface *surfaces)
{
    surfaces[SURFACE_NORMALS] =
        (struct tile_surface){"normals", TILE_COLOUR, 2 * setup->width, 2 * setup->height, 1, 0, 0};
    surfaces[SURFACE_BACK] = (struct tile_surface){
        "far depth", TILE_DEPTH, 2 * setup->width, 2 * setup->height, 1, 0, DEPTH_MAX};
    scene_frame_surfaces(setup, &surfaces[SURFACE_COLOUR]); /* and SURFACE_DEPTH */
    return SURFACES;
}

/* Varyings: the normal and the position, both as the eye sees them. */
static void refract_place(const struct draw *draw, const struct mesh_vertex *in, struct vertex *out)
{
    float position[4];
    matrix_apply(&draw->matrices[0], in->position, out->clip);
    matrix_apply(&draw->matrices[1], in->position, position);
    const struct vector3 normal = vector_unit(matrix_turn(&draw->matrices[1], in->normal));
    out->varyings[0] = normal.x;
    out->varyings[1] = normal.y;
    out->varyings[2] = normal.z;
    for (unsigned i = 0; i < 3; i++)
        out->varyings[3 + i] = position[i];
}

static uint32_t shade_normal(const struct draw *draw, const float *varyings)
{
    (void)draw;
    const struct vector3 half = {0.5f, 0.5f, 0.5f};
    const struct vector3 n = vector_unit((struct vector3){varyings[0], varyings[1], varyings[2]});
    return colour_of(vector_add(vector_scale(n, 0.5f), half), 1);
}

/* Texture coordinates at which the eye sees a position. The draw's factors are the scales of the
 * projection, and near and far plane. */
static void project(const struct draw *draw, struct vector3 at, float *u, float *v)
{
    const float w = at.z < 0 ? -at.z : 1;
    *u = draw->factors[0] * at.x / w * 0.5f + 0.5f;
    *v = draw->factors[1] * at.y / w * 0.5f + 0.5f;
}

/* How far behind the eye's plane the far side is. */
static float far_distance(const struct draw *draw, float u, float v)
{
    const float near = draw->factors[2], far = draw->factors[3];
    const float z = (float)target_value(draw, 1, u, v) * (2.0f / DEPTH_MAX) - 1;
    return 2 * far * near / (far + near - z * (far - near));
}

static struct vector3 far_normal(const struct draw *draw, float u, float v)
{
    const uint32_t value = target_value(draw, 0, u, v);
    const float scale = 2.0f / 255;
    return vector_unit((struct vector3){(float)(value & 0xff) * scale - 1,
                                        (float)(value >> 8 & 0xff) * scale - 1,
                                        (float)(value >> 16 & 0xff) * scale - 1});
}

static uint32_t shade(const struct draw *draw, const float *varyings)
{
    const float index = 1.2f, shininess = 100;
    const struct vector3 white = {0.8f, 0.8f, 0.8f}, to_light = {0.408f, 0.408f, 0.816f};
    const struct vector3 n = vector_unit((struct vector3){varyings[0], varyings[1], varyings[2]});
    const struct vector3 at = {varyings[3], varyings[4], varyings[5]}, in = vector_unit(at);
    float u, v;
    project(draw, at, &u, &v);
    const float thickness = fmaxf(far_distance(draw, u, v) + at.z, 0);
    const struct vector3 inside = vector_refract(in, n, 1 / index);
    project(draw, vector_add(at, vector_scale(inside, thickness)), &u, &v);
    const struct vector3 leaving = vector_scale(far_normal(draw, u, v), -1);
    struct vector3 out = vector_refract(inside, leaving, index);
    if (vector_dot(out, out) == 0) /* reflected inside, and taken to leave then */
        out = vector_reflect(inside, leaving);
    const struct vector3 seen = picture_at(out.x * 0.5f + 0.5f, out.y * 0.5f + 0.5f);
    const float glint = powf(fmaxf(vector_dot(vector_reflect(in, n), to_light), 0), shininess);
    return colour_of(vector_add(seen, vector_scale(white, glint)), 1);
}

/* Pass 0 keeps the normals and depths of the far side, culling the near one; in pass 1 a fragment
 * looks up there where its refracted ray leaves the mesh, and bends it again. */
static unsigned set_draws(const struct scene *scene, uint32_t frame, unsigned pass,
                          struct draw draws[DRAWS_MAX], uint32_t *clears)
{
    const struct vector3 c = scene->centre, axis = {0, 1, 0};
    const float near = 2, far = 2 + 2 * scene->radius;
    const float aspect = (float)scene->setup.width / (float)scene->setup.height;
    const struct matrix projection = matrix_perspective(scene_angle(scene), aspect, near, far);
    const struct matrix view =
        matrix_multiply(matrix_translation(0, 0, -(2 + scene->radius)),
                        matrix_multiply(matrix_rotation(36 * frame_seconds(frame), axis),
                                        matrix_translation(-c.x, -c.y, -c.z)));
    const bool main = pass == 1;
    *clears = main ? 1u << SURFACE_COLOUR | 1u << SURFACE_DEPTH
                   : 1u << SURFACE_NORMALS | 1u << SURFACE_BACK;
    draws[0] =
        (struct draw){.mesh = &scene->mesh,
                      .varyings = main ? 6 : 3,
                      .cull = main ? CULL_BACK : CULL_FRONT,
                      .colour = main ? SURFACE_COLOUR : SURFACE_NORMALS,
                      .depth = main ? SURFACE_DEPTH : SURFACE_BACK,
                      .vertex = refract_place,
                      .fragment = main ? shade : shade_normal,
                      .matrices = {matrix_multiply(projection, view), view},
                      .factors = {projection.m[0][0], projection.m[1][1], near, far},
                      .targets = {{.surface = main ? &scene->surfaces[SURFACE_NORMALS] : NULL},
                                  {.surface = main ? &scene->surfaces[SURFACE_BACK] : NULL}}};
    return 1;
}

static enum status refract_make(struct scene *scene)
{
    return mesh_make_knot(&scene->mesh, scene->setup.detail);
}

const struct scene_kind scene_refract = {.name = "refract",
                                         .help = "a mesh of glass before a picture",
                                         .detail = 66, /* 69,696 triangles; the bunny: 69,666 */
                                         .passes = 2,
                                         .make = refract_make,
                                         .surfaces = set_surfaces,
                                         .draws = set_draws,
                                         .pass_names = pass_names};
