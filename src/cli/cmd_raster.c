/* warpscape raster: draws a scene, counts what its back end does to each surface, and writes one of
 * them as a picture. Everything else of a scene is for commands that take a workload. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "cli/shared/scene_argument.h"
#include "report/drawing/picture.h"
#include "report/drawing/table.h"
#include "report/runs/tile_view.h"
#include "workload/raster/scene_source.h"

struct raster_arguments {
    const char *scene, *output, *surface;
    enum table_format format;
    bool force;
};

static void cmd_raster_parse(int argc, char **argv, struct raster_arguments *arguments)
{
    const struct option_row options[] = {OPTION_FORMAT(&arguments->format),
                                         {"output", 'o', "FILE.png", "write a surface as a picture",
                                          option_once, &arguments->output, NULL},
                                         OPTION_FORCE("FILE.png", &arguments->force),
                                         {"surface", 0, "NAME",
                                          "which surface (default: the colour of the last pass)",
                                          option_once, &arguments->surface, NULL},
                                         {0}};
    const struct command_line line = {
        .options = options,
        .usage = "SCENE|FILE.obj|FILE.ply[:width=800,height=600,...]",
        .help = "Draw a scene and count the requests for lines of its surfaces.\v"
                "Scenes are effect2d, shadow, refract and jellyfish; parameters follow a colon; "
                "`warpscape workloads raster-SCENE` lists them. A mesh (.obj, .jobj, .3ds, "
                ".ply, .stl) is drawn in the scene that scene= names.",
        .operand = {.name = "scene",
                    .value = "WORKLOAD",
                    .help = "a scene is missing",
                    .read = option_once,
                    .slot = &arguments->scene}};
    options_parse(&line, argc, argv);
    if (arguments->surface && !arguments->output)
        usage_error("--surface needs --output");
}

/* Requests for one surface in one pass. */
struct surface_counts {
    uint64_t requests[TILE_OP_COUNT], clears, whole, rejected, cleared, values;
};

struct counts {
    struct surface_counts *rows; /* by pass and surface */
    struct render_counts render;
};

static void count_batch(const struct tile_batch *batch, struct surface_counts *rows)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct tile_request *request = &batch->requests[i];
        struct surface_counts *row = &rows[request->surface];
        if (request->primitive == TILE_NO_PRIMITIVE) {
            row->clears++;
            continue;
        }
        row->requests[request->op]++;
        row->whole += request->mask == TILE_WHOLE;
        row->rejected += !request->passed;
        row->cleared += (request->flags & TILE_CLEARED) != 0;
        row->values += (unsigned)__builtin_popcount(request->mask);
    }
}

static enum status write_picture(const struct raster_arguments *arguments,
                                 const struct tile_stream *stream, const struct tile_memory *memory,
                                 struct diagnostics *diagnostics)
{
    uint32_t chosen;
    struct picture picture;
    enum status status = tile_surface_find(stream, arguments->surface, &chosen, diagnostics);
    if (status)
        return status;
    status = picture_of_surface(&stream->surfaces[chosen], memory, &picture);
    if (!status)
        status = picture_write(&picture, arguments->output, output_options(arguments->force),
                               diagnostics);
    picture_free(&picture);
    return status;
}

/* Draws all frames. Without a picture no fragment is shaded, and the requests are the same. */
static enum status raster_draw(const struct raster_arguments *arguments,
                               const struct tile_stream *stream, struct counts *counts,
                               struct diagnostics *diagnostics)
{
    struct tile_batch batch;
    struct tile_reader *reader = NULL;
    const bool values = arguments->output != NULL;
    enum status status = tile_batch_init(&batch, TILE_BATCH, values);
    if (!status)
        status = stream->ops->open(stream, values, &reader, diagnostics);
    while (!status && !batch.end) {
        status = stream->ops->next(reader, &batch, diagnostics);
        if (!status)
            count_batch(&batch, counts->rows + (size_t)batch.pass * TILE_SURFACES_MAX);
    }
    if (!status)
        counts->render = *render_counts(reader);
    if (!status && values)
        status = write_picture(arguments, stream, render_memory(reader), diagnostics);
    stream->ops->close(reader);
    tile_batch_free(&batch);
    return status;
}

static enum status print_requests(const struct tile_stream *stream, const struct counts *counts,
                                  enum table_format format)
{
    static const char *const headers[] = {
        "frame",   "pass",         "surface",   ">lines",    ">requests",
        ">clears", ">depth tests", ">rejected", ">writes",   ">blends",
        ">whole",  ">cleared",     ">values",   ">overdraw", NULL};
    struct table *table = table_create(headers);
    for (uint32_t i = 0; table && i < stream->pass_count * TILE_SURFACES_MAX; i++) {
        const struct tile_pass *pass = &stream->passes[i / TILE_SURFACES_MAX];
        const struct tile_surface *surface = &stream->surfaces[i % TILE_SURFACES_MAX];
        const struct surface_counts *row = &counts->rows[i];
        uint64_t requests = row->clears;
        for (unsigned k = 0; k < TILE_OP_COUNT; k++)
            requests += row->requests[k];
        if (!requests)
            continue;
        const double pixels = (double)surface->width * surface->height * surface->samples;
        const uint64_t numbers[] = {tile_lines(surface),
                                    requests,
                                    row->clears,
                                    row->requests[TILE_DEPTH_TEST],
                                    row->rejected,
                                    row->requests[TILE_REPLACE],
                                    row->requests[TILE_BLEND],
                                    row->whole,
                                    row->cleared,
                                    row->values};
        table_whole(table, pass->frame);
        table_text(table, pass->name);
        table_text(table, surface->name);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            table_whole(table, (double)numbers[k]);
        table_decimal(table, (double)row->values / pixels, 3);
    }
    return table ? table_finish(table, format, stdout) : STATUS_MEMORY;
}

static enum status print_counts(const struct render_counts *counts)
{
    static const char *const headers[] = {"|name", ">count", "what", NULL};
    const struct {
        const char *name;
        uint64_t value;
        const char *help;
    } rows[] = {
        {"vertices", counts->vertices, "shaded, each once per draw"},
        {"triangles", counts->triangles, "of all meshes"},
        {"outside", counts->outside, "outside the view volume"},
        {"culled", counts->culled, "back-facing"},
        {"empty", counts->empty, "degenerate: no area on the screen"},
        {"clipped", counts->clipped, "clipped at a plane of the view volume"},
        {"drawn", counts->drawn, "that cover at least one sample"},
        {"covered", counts->covered, "samples covered by triangles"},
        {"passed", counts->passed, "of these, samples that pass the depth test"},
    };
    struct table *table = table_create(headers);
    for (size_t i = 0; table && i < sizeof rows / sizeof *rows; i++) {
        table_text(table, rows[i].name);
        table_whole(table, (double)rows[i].value);
        table_text(table, rows[i].help);
    }
    return table ? table_finish(table, TABLE_TEXT, stdout) : STATUS_MEMORY;
}

int command_raster(int argc, char **argv)
{
    struct raster_arguments arguments = {0};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    struct counts counts = {0};
    cmd_raster_parse(argc, argv, &arguments);
    enum status status = STATUS_OK;
    if (arguments.output)
        status = output_check(arguments.output, arguments.force, &diagnostics);
    if (!status)
        status = scene_argument_open(arguments.scene, &source, &diagnostics);
    if (!status && source) {
        counts.rows =
            calloc((size_t)source->tiles->pass_count * TILE_SURFACES_MAX, sizeof *counts.rows);
        status = counts.rows
                     ? raster_draw(&arguments, raster_source_drawing(source), &counts, &diagnostics)
                     : STATUS_MEMORY;
    }
    if (!status && source && !counts.render.drawn)
        diagnostics_add(&diagnostics, SEVERITY_WARNING, NULL,
                        "no triangle covers a sample, so nothing is drawn");
    if (!status && source && arguments.format == TABLE_TEXT) {
        status = print_counts(&counts.render);
        putchar('\n');
    }
    if (!status && source)
        status = print_requests(source->tiles, &counts, arguments.format);
    free(counts.rows);
    trace_source_free(source);
    return command_finish(status, &diagnostics);
}
