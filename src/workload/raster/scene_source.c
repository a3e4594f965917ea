#include "workload/raster/scene_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "trace/hash_text.h"
#include "trace/kept_tiles.h"

/* Part of every digest: raise it when the requests of any scene change. */
enum { GENERATOR_VERSION = 1 };

struct source {
    struct trace_source source;
    struct render_stream stream;
    struct kept_tiles kept; /* what models read */
};

struct block_reader {
    const struct source *source;
    uint32_t pass;
    struct tile_reader *reader;
    struct tile_batch batch;
    uint32_t next; /* of the batch */
    bool last;     /* the pass ends with the batch */
};

static void close_block(struct block_reader *reader)
{
    if (!reader)
        return;
    render_ops.close(reader->reader);
    tile_batch_free(&reader->batch);
    free(reader);
}

static enum status open_block(const struct trace_source *base, uint32_t launch, uint64_t block,
                              struct block_reader **made, struct diagnostics *diagnostics)
{
    const struct source *source = (const struct source *)base;
    struct block_reader *reader = calloc(1, sizeof *reader);
    *made = NULL;
    if (!reader)
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    reader->source = source;
    reader->pass = launch;
    if (launch >= base->launch_count || block)
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s has no block %llu in pass %u",
                                   base->name, (unsigned long long)block, launch);
    if (!status)
        status = tile_batch_init(&reader->batch, TILE_BATCH, false);
    if (!status)
        status = render_ops.open(&source->stream.stream, false, &reader->reader, diagnostics);
    if (status) {
        close_block(reader);
        return status;
    }
    render_seek(reader->reader, launch);
    *made = reader;
    return STATUS_OK;
}

/* Reads the next batch; `last` if it ends the pass. */
static enum status next_batch(struct block_reader *reader, struct diagnostics *diagnostics)
{
    reader->next = 0;
    const enum status status = render_ops.next(reader->reader, &reader->batch, diagnostics);
    reader->last = status || render_pass(reader->reader) != reader->pass;
    return status;
}

static enum status read_records(struct block_reader *reader, uint32_t warp,
                                struct access_window *window, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    window->count = window->lane_count = window->tail = 0;
    if (warp)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s has no warp %u in a block",
                                 reader->source->source.name, warp);
    while (!status && window->count < window->capacity) {
        if (reader->next < reader->batch.count)
            window_push(window,
                        tile_record(reader->source->stream.stream.surfaces,
                                    &reader->batch.requests[reader->next++]),
                        NULL);
        else if (!reader->last)
            status = next_batch(reader, diagnostics);
        else
            break;
    }
    window->end = reader->last && reader->next == reader->batch.count;
    return status;
}

static void source_free(struct trace_source *base)
{
    struct source *source = (struct source *)base;
    trace_source_clear(base);
    kept_tiles_free(&source->kept);
    render_stream_free(&source->stream);
    free(source);
}

static const struct trace_source_ops source_ops = {.open_block = open_block,
                                                   .read = read_records,
                                                   .close_block = close_block,
                                                   .free = source_free};

static enum status set_launches(struct source *source)
{
    const struct tile_stream *stream = &source->stream.stream;
    struct trace_source *base = &source->source;
    base->launches = calloc(stream->pass_count, sizeof *base->launches);
    if (!base->launches)
        return STATUS_MEMORY;
    for (; base->launch_count < stream->pass_count; base->launch_count++) {
        struct trace_launch *launch = &base->launches[base->launch_count];
        *launch = (struct trace_launch){.name = strdup(stream->passes[base->launch_count].name),
                                        .grid = {1, 1, 1},
                                        .block = {WARP_SIZE, 1, 1}};
        if (!launch->name)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

const struct tile_stream *raster_source_drawing(const struct trace_source *source)
{
    return source->ops == &source_ops ? &((const struct source *)source)->stream.stream : NULL;
}

/* The digest covers the mesh and everything else that requests depend on. */
static void set_digest(struct source *source)
{
    const struct scene *scene = &source->stream.scene;
    const struct scene_setup *setup = &scene->setup;
    const struct mesh *mesh = &scene->mesh;
    const XXH128_hash_t vertices =
        XXH3_128bits(mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
    const XXH128_hash_t indices =
        XXH3_128bits(mesh->indices, mesh->index_count * sizeof *mesh->indices);
    const uint64_t all[] = {
        GENERATOR_VERSION, XXH3_64bits(scene->kind->name, strlen(scene->kind->name)),
        setup->width,      setup->height,
        setup->samples,    setup->frame,
        setup->frames,     (uint64_t)setup->order,
        setup->fast_clear, setup->seed,
        vertices.low64,    vertices.high64,
        indices.low64,     indices.high64};
    const XXH128_hash_t hash = XXH3_128bits(all, sizeof all);
    hash_print(source->source.digest, hash);
}

static enum status scene_describe(struct source *source, const char *name)
{
    const struct scene *scene = &source->stream.scene;
    const struct scene_setup *setup = &scene->setup;
    source->source.name = strdup(name);
    if (asprintf(&source->source.provenance,
                 "scene %s: %zu triangles, %u x %u x %u, frame %u, %s order (version %d)",
                 scene->kind->name, scene->mesh.index_count / 3, setup->width, setup->height,
                 setup->samples, setup->frame, traversal_names[setup->order],
                 GENERATOR_VERSION) < 0)
        source->source.provenance = NULL;
    return source->source.name && source->source.provenance ? STATUS_OK : STATUS_MEMORY;
}

enum status raster_source_create(const char *name, const struct scene_kind *kind,
                                 const struct scene_setup *setup, const char *model,
                                 struct trace_source **made, struct diagnostics *diagnostics)
{
    struct scene scene;
    *made = NULL;
    enum status status = scene_init(&scene, kind, setup, model, diagnostics);
    if (status)
        return status;
    struct source *source = calloc(1, sizeof *source);
    if (!source) {
        scene_free(&scene);
        return STATUS_MEMORY;
    }
    source->source.ops = &source_ops;
    status = render_stream_init(&source->stream, &scene);
    if (!status)
        status = kept_tiles_init(&source->kept, &source->stream.stream, KEPT_TILES_MOST);
    if (!status)
        status = set_launches(source);
    if (!status)
        status = scene_describe(source, name);
    if (status) {
        source_free(&source->source);
        return status;
    }
    set_digest(source);
    source->source.tiles = &source->kept.stream;
    *made = &source->source;
    return STATUS_OK;
}
