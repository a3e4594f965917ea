/* After glmark2's effect2d: one picture through a 3 x 3 filter, on two triangles over the whole
 * surface. Whatever the picture, each line is written once, those on the diagonal twice. */
#include "workload/raster/scene.h"

static const char *const pass_names[] = {"main"};

static void effect2d_place(const struct draw *draw, const struct mesh_vertex *in,
                           struct vertex *out)
{
    matrix_apply(&draw->matrices[0], in->position, out->clip);
    out->varyings[0] = in->u;
    out->varyings[1] = in->v;
}

/* Texels of a picture as large as the surface; the filter's weights are equal. */
static uint32_t blur(const struct draw *draw, const float *varyings)
{
    const float width = draw->factors[0], height = draw->factors[1], move = draw->factors[2];
    struct vector3 sum = {0, 0, 0};
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum = vector_add(sum, picture_at(varyings[0] + move + (float)x / width,
                                             varyings[1] + (float)y / height));
    return colour_of(vector_scale(sum, 1.0f / 9), 1);
}

/* The picture moves by its width in ten seconds. */
static unsigned set_draws(const struct scene *scene, uint32_t frame, unsigned pass,
                          struct draw draws[DRAWS_MAX], uint32_t *clears)
{
    (void)pass;
    *clears = 3;
    draws[0] = (struct draw){.mesh = &scene->square,
                             .varyings = 2,
                             .cull = CULL_BACK,
                             .colour = 0,
                             .depth = 1,
                             .vertex = effect2d_place,
                             .fragment = blur,
                             .matrices = {MATRIX_IDENTITY},
                             .factors = {(float)scene->setup.width, (float)scene->setup.height,
                                         frame_seconds(frame) / 10}};
    return 1;
}

static enum status effect2d_make(struct scene *scene)
{
    return mesh_make_square(&scene->mesh);
}

const struct scene_kind scene_effect2d = {.name = "effect2d",
                                          .help = "a filtered picture on two triangles",
                                          .passes = 1,
                                          .make = effect2d_make,
                                          .surfaces = scene_frame_surfaces,
                                          .draws = set_draws,
                                          .pass_names = pass_names};
