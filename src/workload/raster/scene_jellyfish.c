/* After glmark2's jellyfish: a gradient behind everything, and a mesh that sways, blended in the
 * order of its triangles with nothing culled. */
#include "workload/raster/scene.h"

static const char *const pass_names[] = {"main"};

static void place_gradient(const struct draw *draw, const struct mesh_vertex *in,
                           struct vertex *out)
{
    matrix_apply(&draw->matrices[0], in->position, out->clip);
    out->clip[2] = out->clip[3]; /* on the far plane */
    out->varyings[0] = 1 - in->v;
}

static uint32_t shade_gradient(const struct draw *draw, const float *varyings)
{
    (void)draw;
    const struct vector3 top = {0.36f, 0.58f, 1}, bottom = {0.075f, 0.157f, 0.62f};
    const float t = varyings[0] * varyings[0];
    return colour_of(vector_add(vector_scale(top, 1 - t), vector_scale(bottom, t)), 1);
}

/* The deeper a part hangs, the less it sways with the two waves that run down the body. */
static struct vector3 swayed(const struct mesh_vertex *in, float seconds)
{
    const float y = in->position.y, below = fminf(fmaxf(-y - 0.8f, 0) / 10, 1);
    const float firm = below * below * (3 - 2 * below);
    const float wave = sinf(seconds + y / 2) / 12 + sinf(2 * seconds + 2 * y) / 8;
    return vector_add(in->position, vector_scale(in->sway, wave * (1 - firm)));
}

/* Varyings: light, glow at grazing angles, texture coordinates, place for the caustics. */
static void place_mesh(const struct draw *draw, const struct mesh_vertex *in, struct vertex *out)
{
    const struct vector3 light_at = {10, 40, -60}, at = swayed(in, draw->factors[0]);
    float world[4];
    matrix_apply(&draw->matrices[0], at, out->clip);
    matrix_apply(&draw->matrices[1], at, world);
    const struct vector3 place = {world[0], world[1], world[2]};
    const struct vector3 normal = vector_unit(matrix_turn(&draw->matrices[1], in->normal));
    const struct vector3 to_light = vector_subtract(light_at, place);
    const float distance = sqrtf(vector_dot(to_light, to_light));
    const float falloff = fmaxf(1 - distance / 200, 0);
    out->varyings[0] = fmaxf(vector_dot(normal, vector_unit(to_light)), 0) * falloff * falloff;
    out->varyings[1] = 1 - fabsf(vector_dot(normal, vector_unit(place)));
    out->varyings[2] = normal.y;
    out->varyings[3] = in->u;
    out->varyings[4] = in->v;
    out->varyings[5] = place.x / 24;
    out->varyings[6] = (place.z - place.y) / 48;
}

static uint32_t shade_mesh(const struct draw *draw, const float *varyings)
{
    const struct vector3 lamp = {0.8f, 1.3f, 1.1f}, ambient = {0.3f, 0.2f, 1};
    const struct vector3 skin = {0.75f, 0.6f, 0.9f};
    const float move = draw->factors[0] / 20;
    const struct vector3 ripple = picture_at(varyings[5] + move, varyings[6] + move / 2);
    const float caustics = 0.3f * (ripple.x + ripple.y + ripple.z), glow = 0.88f * varyings[1];
    const struct vector3 light =
        vector_add(vector_add(vector_scale(lamp, varyings[0]), vector_scale(ambient, varyings[2])),
                   (struct vector3){caustics, caustics, caustics});
    const float stripe = 0.12f * sinf(50 * varyings[3]) * varyings[4];
    return colour_of((struct vector3){light.x * skin.x, light.y * skin.y, light.z * skin.z},
                     fminf(fmaxf(0.25f + glow * glow + stripe, 0), 1));
}

/* The world turns slowly to both sides; the mesh fills about as much of the surface as the model
 * that glmark2 shows there. */
static struct matrix world_of(const struct scene *scene, float seconds)
{
    const struct vector3 c = scene->centre, axis_x = {1, 0, 0}, axis_y = {0, 1, 0};
    const float turn = 2 * seconds, size = 20 / scene->radius;
    const struct matrix mesh =
        matrix_multiply(matrix_scaling(size, size, size), matrix_translation(-c.x, -c.y, -c.z));
    const struct matrix turned =
        matrix_multiply(matrix_rotation(30 * sinf(turn / 10), axis_y),
                        matrix_multiply(matrix_rotation(30 * sinf(turn / 20), axis_x), mesh));
    return matrix_multiply(matrix_translation(0, 2.5f * sinf(turn / 10), -75), turned);
}

static unsigned set_draws(const struct scene *scene, uint32_t frame, unsigned pass,
                          struct draw draws[DRAWS_MAX], uint32_t *clears)
{
    (void)pass;
    const float seconds = frame_seconds(frame);
    const float aspect = (float)scene->setup.width / (float)scene->setup.height;
    const struct matrix world = world_of(scene, seconds);
    *clears = 3;
    draws[0] = (struct draw){.mesh = &scene->square,
                             .varyings = 1,
                             .cull = CULL_BACK,
                             .colour = 0,
                             .depth = 1,
                             .vertex = place_gradient,
                             .fragment = shade_gradient,
                             .matrices = {MATRIX_IDENTITY}};
    draws[1] = (struct draw){
        .mesh = &scene->mesh,
        .varyings = 7,
        .cull = CULL_NONE,
        .blend = true,
        .colour = 0,
        .depth = 1,
        .vertex = place_mesh,
        .fragment = shade_mesh,
        .matrices = {matrix_multiply(matrix_perspective(30, aspect, 20, 120), world), world},
        .factors = {seconds}};
    return 2;
}

static enum status jellyfish_make(struct scene *scene)
{
    return mesh_make_jelly(&scene->mesh, scene->setup.detail);
}

const struct scene_kind scene_jellyfish = {.name = "jellyfish",
                                           .help = "a translucent mesh that sways",
                                           .detail = 32,
                                           .passes = 1,
                                           .make = jellyfish_make,
                                           .surfaces = scene_frame_surfaces,
                                           .draws = set_draws,
                                           .pass_names = pass_names};
