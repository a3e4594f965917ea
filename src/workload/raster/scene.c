#include "workload/raster/scene.h"

#include <stdlib.h>

#include "base/rng.h"

const char *const model_names[MODEL_COUNT + 1] = {
#define MODEL_NAME(name, file) name,
    MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
};

static const char *const model_files[MODEL_COUNT] = {
#define MODEL_FILE(name, file) file,
    MODEL_LIST(MODEL_FILE)
#undef MODEL_FILE
};

/* Surfaces lie one after another, each from a multiple of 64 KiB on. */
static void place_surfaces(struct scene *scene)
{
    const uint64_t first = UINT64_C(1) << 30, step = 1 << 16;
    uint64_t base = first;
    for (unsigned i = 0; i < scene->surface_count; i++) {
        struct tile_surface *surface = &scene->surfaces[i];
        surface->base = base;
        base += (TILE_BYTES * tile_lines(surface) + step - 1) / step * step;
    }
}

static enum status load_mesh(struct scene *scene, const char *model,
                             struct diagnostics *diagnostics)
{
    const char *file = model_files[scene->setup.mesh];
    char *path = NULL;
    if (model) /* of anybody's size; those of glmark2 are made for its scenes */
        return mesh_read(model, true, &scene->mesh, diagnostics);
    if (!file)
        return scene->kind->make(scene);
    enum status status = mesh_find(file, &path, diagnostics);
    if (!status)
        status = mesh_read(path, false, &scene->mesh, diagnostics);
    free(path);
    return status;
}

unsigned scene_frame_surfaces(const struct scene_setup *setup, struct tile_surface *surfaces)
{
    surfaces[0] = (struct tile_surface){.name = "colour",
                                        .kind = TILE_COLOUR,
                                        .width = setup->width,
                                        .height = setup->height,
                                        .samples = setup->samples,
                                        .clear = UINT32_C(0xff000000)};
    surfaces[1] = (struct tile_surface){.name = "depth",
                                        .kind = TILE_DEPTH,
                                        .width = setup->width,
                                        .height = setup->height,
                                        .samples = setup->samples,
                                        .clear = DEPTH_MAX};
    return 2;
}

enum status scene_init(struct scene *scene, const struct scene_kind *kind,
                       const struct scene_setup *setup, const char *model,
                       struct diagnostics *diagnostics)
{
    *scene = (struct scene){.kind = kind, .setup = *setup};
    enum status status = load_mesh(scene, model, diagnostics);
    if (!status)
        status = mesh_make_square(&scene->square);
    if (status) {
        scene_free(scene);
        return status;
    }
    struct vector3 least, most;
    mesh_bounds(&scene->mesh, &least, &most);
    const struct vector3 extent = vector_subtract(most, least);
    scene->centre = vector_scale(vector_add(least, most), 0.5f);
    scene->radius = sqrtf(vector_dot(extent, extent)) / 2;
    scene->surface_count = kind->surfaces(setup, scene->surfaces);
    place_surfaces(scene);
    return STATUS_OK;
}

void scene_free(struct scene *scene)
{
    mesh_free(&scene->mesh);
    mesh_free(&scene->square);
}

float scene_angle(const struct scene *scene)
{
    return (float)(2 * atan((double)scene->radius / (2 + (double)scene->radius)) * 180 / M_PI);
}

static uint32_t channel(float value)
{
    return value >= 1 ? 255 : value > 0 ? (uint32_t)(value * 255 + 0.5f) : 0;
}

uint32_t colour_of(struct vector3 rgb, float alpha)
{
    return channel(rgb.x) | channel(rgb.y) << 8 | channel(rgb.z) << 16 | channel(alpha) << 24;
}

static uint32_t texel(float position, uint32_t size)
{
    const float at = position * (float)size;
    return at >= (float)size ? size - 1 : at > 0 ? (uint32_t)at : 0;
}

uint32_t target_value(const struct draw *draw, unsigned target, float u, float v)
{
    const struct tile_surface *surface = draw->targets[target].surface;
    const uint32_t x = texel(u, surface->width), y = texel(1 - v, surface->height);
    const uint32_t side = tile_side(surface);
    const uint64_t line = tile_address(surface, x / side, y / side);
    return tile_memory_line(draw->targets[target].memory, line)[tile_value(surface, x, y, 0)];
}

/* Discs of several colours and sizes on a chequered gradient: edges in all directions. */
struct vector3 picture_at(float u, float v)
{
    enum { CELLS = 12 };
    u = (u - floorf(u)) * CELLS;
    v = (v - floorf(v)) * CELLS;
    const unsigned column = (unsigned)u, row = (unsigned)v;
    const uint64_t bits = random_at(1, row * CELLS + column);
    const float x = u - (float)column - 0.5f, y = v - (float)row - 0.5f;
    const float radius = 0.15f + 0.3f * random_unit(bits), shade = (column + row) % 2 ? 0.8f : 1;
    if (x * x + y * y < radius * radius)
        return (struct vector3){(float)(bits & 0xff) / 255, (float)(bits >> 8 & 0xff) / 255,
                                (float)(bits >> 16 & 0xff) / 255};
    return (struct vector3){0.25f * shade, (0.3f + 0.04f * v) * shade, (0.5f + 0.04f * u) * shade};
}
