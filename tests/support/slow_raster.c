#include "support/slow_raster.h"

#include <assert.h>

/* Twice the signed area of a, b and a point given in 1/16 pixels. */
static int64_t area_to(const struct screen_point *a, const struct screen_point *b, int64_t x,
                       int64_t y)
{
    const int64_t px = 16 * x, py = 16 * y;
    return (int64_t)(b->x - a->x) * (py - a->y) - (int64_t)(b->y - a->y) * (px - a->x);
}

static int64_t whole_area(const struct screen_point p[3])
{
    return (int64_t)(p[1].x - p[0].x) * (p[2].y - p[0].y) -
           (int64_t)(p[1].y - p[0].y) * (p[2].x - p[0].x);
}

/* A point on an edge belongs to the triangle if points a little to the right are inside, or, of a
 * level edge, points a little below. */
bool slow_covers(const struct screen_point p[3], int64_t x, int64_t y)
{
    const int64_t sign = whole_area(p) > 0 ? 1 : -1;
    if (!whole_area(p))
        return false;
    for (unsigned i = 0; i < 3; i++) {
        const struct screen_point *a = &p[i], *b = &p[(i + 1) % 3];
        const int64_t area = sign * area_to(a, b, x, y);
        const int64_t to_right = -sign * (b->y - a->y), down = sign * (b->x - a->x);
        if (area < 0 || (area == 0 && (to_right < 0 || (to_right == 0 && down < 0))))
            return false;
    }
    return true;
}

double slow_depth(const struct screen_point p[3], int64_t x, int64_t y)
{
    wide sum = 0;
    for (unsigned i = 0; i < 3; i++)
        sum += (wide)area_to(&p[(i + 1) % 3], &p[(i + 2) % 3], x, y) * p[i].z;
    return (double)((long double)sum / (long double)whole_area(p) / 16);
}

struct slow_sample slow_sample_of(const struct tile_surface *surface, uint32_t column, uint32_t row,
                                  unsigned index)
{
    static const int64_t four[4][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
    const bool many = surface->samples == 4;
    const uint32_t side = many ? 2 : 4, pixel = many ? index / 4 : index;
    struct slow_sample sample = {.pixel_x = column * side + pixel % side,
                                 .pixel_y = row * side + pixel / side};
    sample.x = 16 * (int64_t)sample.pixel_x + (many ? four[index % 4][0] : 8);
    sample.y = 16 * (int64_t)sample.pixel_y + (many ? four[index % 4][1] : 8);
    sample.exists = sample.pixel_x < surface->width && sample.pixel_y < surface->height;
    return sample;
}

struct canvas {
    const struct draw *draw;
    const struct tile_surface *depth, *colour; /* NULL: none */
    const struct tile_memory *memory;
};

static const struct tile_surface *any_surface(const struct canvas *canvas)
{
    assert(canvas->depth || canvas->colour);
    return canvas->depth ? canvas->depth : canvas->colour;
}

/* The depth that the program documents: a plane with 20 bits after the point. */
static uint32_t depth_at(const struct triangle *triangle, const struct slow_sample *sample)
{
    const uint64_t z =
        triangle->z + triangle->z_x * (uint64_t)sample->x + triangle->z_y * (uint64_t)sample->y;
    const int64_t depth = (int64_t)(z << 8) >> 28; /* bits 20 to 55, with their sign */
    return depth < triangle->z_least  ? triangle->z_least
           : depth > triangle->z_most ? triangle->z_most
                                      : (uint32_t)depth;
}

static uint32_t *value_at(const struct canvas *canvas, const struct tile_surface *surface,
                          uint32_t column, uint32_t row, unsigned index)
{
    return tile_memory_line(canvas->memory, tile_address(surface, column, row)) + index;
}

static void draw_sample(const struct canvas *canvas, const struct triangle *triangle,
                        const struct varying_planes *planes, uint32_t column, uint32_t row,
                        unsigned index)
{
    const struct tile_surface *any = any_surface(canvas);
    const struct slow_sample sample = slow_sample_of(any, column, row, index);
    if (!sample.exists || !slow_covers(triangle->points, sample.x, sample.y))
        return;
    if (canvas->depth) {
        uint32_t *depth = value_at(canvas, canvas->depth, column, row, index);
        const uint32_t new = depth_at(triangle, &sample);
        if (new > *depth)
            return;
        *depth = new;
    }
    if (canvas->colour) {
        float varyings[VARYINGS_MAX];
        const struct tile_request request = {.op = canvas->draw->blend ? TILE_BLEND : TILE_REPLACE,
                                             .mask = 1};
        varyings_at(planes, sample.pixel_x, sample.pixel_y, varyings);
        uint32_t new[TILE_VALUES] = {canvas->draw->fragment(canvas->draw, varyings)};
        uint32_t line[TILE_VALUES] = {*value_at(canvas, canvas->colour, column, row, index)};
        tile_execute(&request, new, line);
        *value_at(canvas, canvas->colour, column, row, index) = line[0];
    }
}

static void draw_triangle(const struct canvas *canvas, const struct vertex *const vertices[3])
{
    const struct tile_surface *any = any_surface(canvas);
    struct raster_target target;
    struct triangle triangle;
    struct varying_planes planes;
    raster_target_init(&target, any);
    if (triangle_setup(&triangle, vertices, canvas->draw->cull, &target) != TRIANGLE_VISIBLE)
        return;
    varying_planes_setup(&planes, &triangle, &target, canvas->draw->varyings);
    for (uint32_t row = 0; row < tile_rows(any); row++)
        for (uint32_t column = 0; column < tile_columns(any); column++)
            for (unsigned i = 0; i < TILE_VALUES; i++)
                draw_sample(canvas, &triangle, &planes, column, row, i);
}

static void draw_mesh(const struct canvas *canvas)
{
    const struct tile_surface *any = any_surface(canvas);
    const struct mesh *mesh = canvas->draw->mesh;
    const struct view view = view_of(any->width, any->height);
    for (size_t i = 0; i < mesh->index_count; i += 3) {
        struct vertex corners[3], room[CLIP_VERTICES];
        const struct vertex *const triangle[3] = {&corners[0], &corners[1], &corners[2]};
        const struct vertex *polygon[CLIP_VERTICES];
        for (unsigned k = 0; k < 3; k++) {
            canvas->draw->vertex(canvas->draw, &mesh->vertices[mesh->indices[i + k]], &corners[k]);
            vertex_place(&corners[k], &view);
        }
        const unsigned count =
            clip_triangle(triangle, &view, canvas->draw->varyings, room, polygon);
        for (unsigned k = 1; k + 1 < count; k++) {
            const struct vertex *const vertices[3] = {polygon[0], polygon[k], polygon[k + 1]};
            draw_triangle(canvas, vertices);
        }
    }
}

void slow_draw(const struct render_stream *stream, const struct tile_memory *memory)
{
    const struct scene *scene = &stream->scene;
    for (uint32_t pass = 0; pass < stream->stream.pass_count; pass++) {
        struct draw draws[DRAWS_MAX];
        struct tile_pass all = stream->passes[pass];
        const unsigned count =
            scene->kind->draws(scene, all.frame, pass % scene->kind->passes, draws, &all.clears);
        tile_memory_clear(memory, &stream->stream, &all);
        for (unsigned i = 0; i < count; i++) {
            for (unsigned k = 0; k < 2; k++)
                draws[i].targets[k].memory = memory;
            const struct canvas canvas = {
                .draw = &draws[i],
                .depth = draws[i].depth < 0 ? NULL : &scene->surfaces[draws[i].depth],
                .colour = draws[i].colour < 0 ? NULL : &scene->surfaces[draws[i].colour],
                .memory = memory};
            draw_mesh(&canvas);
        }
    }
}
