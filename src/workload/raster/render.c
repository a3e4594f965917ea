#include "workload/raster/render.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"

struct tile_reader {
    const struct render_stream *stream;
    bool values;
    struct tile_memory memory;
    unsigned char *written[TILE_SURFACES_MAX]; /* by line: not in its cleared state; NULL: no
                                                * surface or no fast clear */
    struct render_counts counts;
    /* The pass. */
    uint32_t pass;
    bool begun;
    uint32_t clears;     /* surfaces that still have to be cleared by requests */
    uint64_t clear_next; /* line of the first of them */
    struct draw draws[DRAWS_MAX];
    unsigned draw_count, draw;
    uint32_t primitive;
    /* The draw. */
    bool drawing;
    struct vertex *vertices;
    size_t vertex_capacity;
    struct raster_target target;
    uint32_t index; /* of the next triangle */
    /* The triangle: a polygon after clipping, drawn as a fan. */
    struct vertex clipped[CLIP_VERTICES];
    const struct vertex *polygon[CLIP_VERTICES];
    unsigned fan, fan_end;
    bool walking, counted;
    struct triangle triangle;
    struct walk walk;
    struct varying_planes planes;
    bool planes_set;
};

static enum status open_reader(const struct tile_stream *stream, bool values,
                               struct tile_reader **made, struct diagnostics *diagnostics)
{
    (void)diagnostics;
    struct tile_reader *reader = calloc(1, sizeof *reader);
    *made = NULL;
    if (!reader)
        return STATUS_MEMORY;
    reader->stream = (const struct render_stream *)stream;
    reader->values = values;
    enum status status = tile_memory_init(&reader->memory, stream);
    for (uint32_t i = 0; i < stream->surface_count && !status; i++) {
        reader->written[i] = calloc(tile_lines(&stream->surfaces[i]), 1);
        status = reader->written[i] ? STATUS_OK : STATUS_MEMORY;
    }
    if (status)
        render_ops.close(reader);
    else
        *made = reader;
    return status;
}

static void close_reader(struct tile_reader *reader)
{
    if (!reader)
        return;
    for (unsigned i = 0; i < TILE_SURFACES_MAX; i++)
        free(reader->written[i]);
    tile_memory_free(&reader->memory);
    free(reader->vertices);
    free(reader);
}

const struct render_counts *render_counts(const struct tile_reader *reader)
{
    return &reader->counts;
}

const struct tile_memory *render_memory(const struct tile_reader *reader)
{
    return &reader->memory;
}

static const struct scene *scene_of(const struct tile_reader *reader)
{
    return &reader->stream->scene;
}

/* Appends a request without its outcome. `values`: 0 to TILE_VALUES of its slot are the caller's.
 */
static struct tile_request *append(struct tile_reader *reader, struct tile_batch *batch,
                                   unsigned surface, uint32_t columns, uint32_t column,
                                   uint32_t row)
{
    struct tile_request *request = &batch->requests[batch->count];
    const struct tile_surface *of = &scene_of(reader)->surfaces[surface];
    const uint64_t line = (uint64_t)row * columns + column;
    *request = (struct tile_request){
        .address = of->base + line * TILE_BYTES,
        .primitive = reader->primitive,
        .x = (uint16_t)column,
        .y = (uint16_t)row,
        .surface = (uint8_t)surface,
        .flags = scene_of(reader)->setup.fast_clear && !reader->written[surface][line]
                     ? TILE_CLEARED
                     : 0,
    };
    return request;
}

static void render_finish(struct tile_reader *reader, struct tile_batch *batch,
                          struct tile_request *request)
{
    const struct tile_surface *of = &scene_of(reader)->surfaces[request->surface];
    if (request->passed)
        reader->written[request->surface][(request->address - of->base) / TILE_BYTES] = 1;
    batch->count++;
}

/* Clears surfaces by whole writes of their lines, as far as the batch has room. */
static void clear_lines(struct tile_reader *reader, struct tile_batch *batch)
{
    while (reader->clears && batch->count < batch->capacity) {
        const unsigned surface = (unsigned)__builtin_ctz(reader->clears);
        const struct tile_surface *of = &scene_of(reader)->surfaces[surface];
        const uint32_t columns = tile_columns(of);
        struct tile_request *request =
            append(reader, batch, surface, columns, (uint32_t)(reader->clear_next % columns),
                   (uint32_t)(reader->clear_next / columns));
        uint32_t *line = tile_memory_line(&reader->memory, request->address);
        request->primitive = TILE_NO_PRIMITIVE;
        request->op = TILE_REPLACE;
        request->mask = request->passed = TILE_WHOLE;
        for (unsigned i = 0; i < TILE_VALUES; i++)
            line[i] = of->clear;
        if (batch->values)
            memcpy(batch->values[batch->count], line, TILE_BYTES);
        render_finish(reader, batch, request);
        if (++reader->clear_next == tile_lines(of)) {
            reader->clears &= reader->clears - 1;
            reader->clear_next = 0;
        }
    }
}

uint32_t render_pass(const struct tile_reader *reader)
{
    return reader->pass;
}

void render_seek(struct tile_reader *reader, uint32_t pass)
{
    reader->pass = pass;
    reader->begun = false;
}

static void begin_pass(struct tile_reader *reader)
{
    const struct scene *scene = scene_of(reader);
    const struct tile_pass *pass = &reader->stream->passes[reader->pass];
    uint32_t clears;
    reader->draw_count = scene->kind->draws(scene, pass->frame, reader->pass % scene->kind->passes,
                                            reader->draws, &clears);
    for (unsigned i = 0; i < reader->draw_count; i++)
        for (unsigned k = 0; k < 2; k++)
            reader->draws[i].targets[k].memory = &reader->memory;
    if (reader->values)
        tile_memory_clear(&reader->memory, &reader->stream->stream, pass);
    for (unsigned i = 0; i < scene->surface_count; i++)
        if (clears >> i & 1)
            memset(reader->written[i], 0, tile_lines(&scene->surfaces[i]));
    reader->clears = clears & ~pass->clears;
    reader->clear_next = 0;
    reader->draw = 0;
    reader->primitive = 0;
    reader->drawing = false;
    reader->begun = true;
}

/* Shades the vertices of a draw. */
static enum status begin_draw(struct tile_reader *reader)
{
    const struct draw *draw = &reader->draws[reader->draw];
    const struct mesh *mesh = draw->mesh;
    const int surface = draw->depth >= 0 ? draw->depth : draw->colour;
    if (array_reserve(&reader->vertices, &reader->vertex_capacity, mesh->vertex_count))
        return STATUS_MEMORY;
    raster_target_init(&reader->target, &scene_of(reader)->surfaces[surface]);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        draw->vertex(draw, &mesh->vertices[i], &reader->vertices[i]);
        vertex_place(&reader->vertices[i], &reader->target.view);
    }
    reader->counts.vertices += mesh->vertex_count;
    reader->counts.triangles += mesh->index_count / 3;
    reader->index = 0;
    reader->fan = reader->fan_end = 0;
    reader->walking = false;
    reader->drawing = true;
    return STATUS_OK;
}

/* Clips the next triangle of the mesh. */
static void next_triangle(struct tile_reader *reader)
{
    const struct draw *draw = &reader->draws[reader->draw];
    const uint32_t *indices = draw->mesh->indices + 3 * (size_t)reader->index++;
    const struct vertex *const corners[3] = {&reader->vertices[indices[0]],
                                             &reader->vertices[indices[1]],
                                             &reader->vertices[indices[2]]};
    const unsigned count = clip_triangle(corners, &reader->target.view, draw->varyings,
                                         reader->clipped, reader->polygon);
    reader->primitive++;
    reader->counts.outside += !count;
    reader->counts.clipped += count && reader->polygon[0] == reader->clipped;
    reader->fan = 1;
    reader->fan_end = count ? count - 1 : 1;
    reader->counted = false;
}

/* Sets up the next triangle of the fan. */
static void next_of_fan(struct tile_reader *reader)
{
    const struct draw *draw = &reader->draws[reader->draw];
    const struct vertex *const vertices[3] = {reader->polygon[0], reader->polygon[reader->fan],
                                              reader->polygon[reader->fan + 1]};
    reader->fan++;
    switch (triangle_setup(&reader->triangle, vertices, draw->cull, &reader->target)) {
    case TRIANGLE_VISIBLE:
        walk_start(&reader->walk, scene_of(reader)->setup.order,
                   random_at(scene_of(reader)->setup.seed, reader->primitive), &reader->triangle);
        reader->walking = true;
        reader->planes_set = false;
        break;
    case TRIANGLE_CULLED:
        reader->counts.culled++;
        break;
    case TRIANGLE_EMPTY:
        reader->counts.empty++;
        break;
    case TRIANGLE_OUTSIDE:
        reader->counts.outside++;
        break;
    }
}

/* Shades the pixels of a line of which a sample passed. */
static void shade(struct tile_reader *reader, uint32_t column, uint32_t row, uint16_t mask,
                  uint32_t values[TILE_VALUES])
{
    const struct draw *draw = &reader->draws[reader->draw];
    const struct raster_target *target = &reader->target;
    const uint32_t samples = target->samples, group = (1u << samples) - 1;
    float varyings[VARYINGS_MAX];
    if (!reader->planes_set)
        varying_planes_setup(&reader->planes, &reader->triangle, target, draw->varyings);
    reader->planes_set = true;
    for (uint32_t i = 0; i < TILE_VALUES; i += samples) {
        const uint32_t pixel = i / samples;
        uint32_t colour = 0;
        if (mask >> i & group) {
            varyings_at(&reader->planes, column * target->side + pixel % target->side,
                        row * target->side + pixel / target->side, varyings);
            colour = draw->fragment(draw, varyings);
            reader->counts.shaded++;
        }
        for (uint32_t k = 0; k < samples; k++)
            values[i + k] = colour;
    }
}

static void put_colour(struct tile_reader *reader, struct tile_batch *batch, uint32_t column,
                       uint32_t row, uint16_t mask)
{
    const struct draw *draw = &reader->draws[reader->draw];
    struct tile_request *request =
        append(reader, batch, (unsigned)draw->colour, reader->target.columns, column, row);
    request->op = draw->blend ? TILE_BLEND : TILE_REPLACE;
    request->mask = request->passed = mask;
    if (batch->values) {
        uint32_t *values = batch->values[batch->count];
        shade(reader, column, row, mask, values);
        tile_execute(request, values, tile_memory_line(&reader->memory, request->address));
    }
    render_finish(reader, batch, request);
}

/* The line of a request. Without values nobody looks at the surfaces, so a line gets its clear
 * value where it is worked on for the first time. */
static uint32_t *line_of(const struct tile_reader *reader, const struct tile_request *request)
{
    const struct tile_surface *of = &scene_of(reader)->surfaces[request->surface];
    const uint64_t number = (request->address - of->base) / TILE_BYTES;
    uint32_t *line = tile_memory_line(&reader->memory, request->address);
    if (!reader->values && !reader->written[request->surface][number])
        for (unsigned i = 0; i < TILE_VALUES; i++)
            line[i] = of->clear;
    return line;
}

/* Emits the requests of one line: at most two. */
static void put_line(struct tile_reader *reader, struct tile_batch *batch, uint32_t column,
                     uint32_t row)
{
    const struct draw *draw = &reader->draws[reader->draw];
    const uint16_t mask = triangle_cover(&reader->triangle, &reader->target, column, row);
    uint16_t passed = mask;
    if (!mask)
        return;
    if (draw->depth >= 0) {
        uint32_t own[TILE_VALUES], *values = batch->values ? batch->values[batch->count] : own;
        struct tile_request *request =
            append(reader, batch, (unsigned)draw->depth, reader->target.columns, column, row);
        request->op = TILE_DEPTH_TEST;
        request->mask = mask;
        triangle_depth(&reader->triangle, &reader->target, column, row, values);
        passed = tile_execute(request, values, line_of(reader, request));
        request->passed = passed;
        render_finish(reader, batch, request);
    }
    reader->counts.covered += (unsigned)__builtin_popcount(mask);
    reader->counts.passed += (unsigned)__builtin_popcount(passed);
    reader->counts.drawn += !reader->counted;
    reader->counted = true;
    if (passed && draw->colour >= 0)
        put_colour(reader, batch, column, row, passed);
}

/* Emits requests until the batch has no room for those of another line. False: the pass is over. */
static bool render_fill(struct tile_reader *reader, struct tile_batch *batch, enum status *status)
{
    clear_lines(reader, batch);
    while (!*status && batch->count + 2 <= batch->capacity) {
        uint32_t column, row;
        if (reader->walking) {
            reader->walking =
                walk_next(&reader->walk, &reader->triangle, &reader->target, &column, &row);
            if (reader->walking)
                put_line(reader, batch, column, row);
        } else if (reader->drawing && reader->fan < reader->fan_end) {
            next_of_fan(reader);
        } else if (reader->drawing &&
                   reader->index < reader->draws[reader->draw].mesh->index_count / 3) {
            next_triangle(reader);
        } else if (reader->draw + reader->drawing < reader->draw_count) {
            reader->draw += reader->drawing;
            *status = begin_draw(reader);
        } else {
            return false;
        }
    }
    return true;
}

static enum status next_batch(struct tile_reader *reader, struct tile_batch *batch,
                              struct diagnostics *diagnostics)
{
    (void)diagnostics;
    enum status status = STATUS_OK;
    assert(batch->capacity >= 2 && (batch->values != NULL) == reader->values);
    batch->count = 0;
    batch->pass = reader->pass;
    batch->begins = !reader->begun;
    batch->end = reader->pass == reader->stream->stream.pass_count;
    if (batch->end)
        return STATUS_OK;
    if (!reader->begun)
        begin_pass(reader);
    if (!render_fill(reader, batch, &status)) {
        reader->begun = false;
        reader->pass++;
        batch->end = reader->pass == reader->stream->stream.pass_count;
    }
    return status;
}

const struct tile_stream_ops render_ops = {
    .open = open_reader, .next = next_batch, .close = close_reader};

enum status render_stream_init(struct render_stream *stream, struct scene *scene)
{
    *stream = (struct render_stream){.scene = *scene};
    *scene = (struct scene){0};
    scene = &stream->scene;
    const uint32_t passes = scene->kind->passes, frames = scene->setup.frames;
    stream->passes = calloc((size_t)passes * frames, sizeof *stream->passes);
    if (!stream->passes) {
        render_stream_free(stream);
        return STATUS_MEMORY;
    }
    for (uint32_t i = 0; i < passes * frames; i++) {
        struct draw draws[DRAWS_MAX];
        struct tile_pass *pass = &stream->passes[i];
        uint32_t clears;
        pass->name = scene->kind->pass_names[i % passes];
        pass->frame = scene->setup.frame + i / passes;
        scene->kind->draws(scene, pass->frame, i % passes, draws, &clears);
        pass->clears = scene->setup.fast_clear ? clears : 0;
    }
    stream->stream = (struct tile_stream){.ops = &render_ops,
                                          .surface_count = scene->surface_count,
                                          .passes = stream->passes,
                                          .pass_count = passes * frames};
    memcpy(stream->stream.surfaces, scene->surfaces, sizeof scene->surfaces);
    return STATUS_OK;
}

void render_stream_free(struct render_stream *stream)
{
    scene_free(&stream->scene);
    free(stream->passes);
    *stream = (struct render_stream){0};
}
