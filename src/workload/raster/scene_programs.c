#include "workload/raster/scene_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/arguments.h"
#include "workload/raster/scene_source.h"

static const char *const sample_words[] = {"1", "4", NULL};
static const char *const switch_words[] = {"off", "on", NULL};

/* Rows and words of what all scenes have; further ones follow in either list. */
#define PARAMETER_ROWS                                                                             \
    {"width", 800, 1, TILE_SIDE_MAX / 2, "pixels of the picture from left to right"},              \
        {"height", 600, 1, TILE_SIDE_MAX / 2, "pixels from top to bottom"},                        \
        {"frame", 0, 0, 1000000, "the first frame, at 60 per second"},                             \
        {"frames", 1, 1, 100000, "how many frames follow each other"},                             \
        {"samples", 0, 0, 1, "samples a pixel; 4: multisampling, a line is a quad"},               \
        {"order", 0, 0, TRAVERSAL_COUNT - 1, "in which a triangle's lines are visited"},           \
        {"fast_clear", 1, 0, 1, "surfaces are cleared by one bit per line, not by writes"},        \
    {                                                                                              \
        "seed", 1, 0, UINT32_MAX, "of the random order"                                            \
    }
#define PARAMETER_WORDS NULL, NULL, NULL, NULL, sample_words, traversal_names, switch_words, NULL

enum { COMMON = 8, SCENE_PARAMETERS = COMMON + 2, FILE_PARAMETERS = COMMON + 1 };

static struct scene_setup setup_of(const uint64_t values[COMMON])
{
    return (struct scene_setup){.width = (uint32_t)values[0],
                                .height = (uint32_t)values[1],
                                .frame = (uint32_t)values[2],
                                .frames = (uint32_t)values[3],
                                .samples = values[4] ? 4 : 1,
                                .order = (enum traversal)values[5],
                                .fast_clear = values[6],
                                .seed = values[7]};
}

static enum status open_scene(const struct scene_kind *kind, const uint64_t *values,
                              struct trace_source **source, struct diagnostics *diagnostics)
{
    struct scene_setup setup = setup_of(values);
    char name[32];
    snprintf(name, sizeof name, "raster-%s", kind->name);
    setup.mesh = (uint32_t)values[COMMON];
    setup.detail = (uint32_t)values[COMMON + 1];
    if (!setup.detail)
        setup.detail = kind->detail;
    return raster_source_create(name, kind, &setup, NULL, source, diagnostics);
}

#define SCENE_PROGRAM(id)                                                                          \
    static const struct workload_parameter parameters_##id[SCENE_PARAMETERS] = {                   \
        PARAMETER_ROWS,                                                                            \
        {"mesh", 0, 0, MODEL_COUNT - 1, "own: made by code; others: glmark2-data's"},              \
        {"detail", 0, 0, MESH_DETAIL_MAX,                                                          \
         "of the own mesh, which has about 16 x its square triangles; 0: as many as glmark2's"}};  \
    static const char *const *const words_##id[SCENE_PARAMETERS] = {PARAMETER_WORDS, model_names}; \
    static enum status open_##id(const uint64_t *values, struct trace_source **source,             \
                                 struct diagnostics *diagnostics)                                  \
    {                                                                                              \
        return open_scene(&scene_##id, values, source, diagnostics);                               \
    }                                                                                              \
    const struct workload workload_raster_##id = {.name = "raster-" #id,                           \
                                                  .suite = "tile rasteriser",                      \
                                                  .help = "scene after glmark2: " #id,             \
                                                  .parameters = parameters_##id,                   \
                                                  .parameter_count = SCENE_PARAMETERS,             \
                                                  .words = words_##id,                             \
                                                  .open = open_##id};
SCENE_LIST(SCENE_PROGRAM)
#undef SCENE_PROGRAM

/* The scenes that show a mesh. */
static const char *const mesh_scene_names[] = {"refract", "shadow", "jellyfish", NULL};
static const struct scene_kind *const mesh_scenes[] = {&scene_refract, &scene_shadow,
                                                       &scene_jellyfish};
static const struct workload_parameter file_parameters[FILE_PARAMETERS] = {
    PARAMETER_ROWS, {"scene", 0, 0, 2, "that shows the mesh"}};
static const char *const *const file_words[FILE_PARAMETERS] = {PARAMETER_WORDS, mesh_scene_names};
static const struct workload any_mesh = {.name = "a mesh",
                                         .parameters = file_parameters,
                                         .parameter_count = FILE_PARAMETERS,
                                         .words = file_words};

enum status raster_source_open(const char *path, const char *name, const char *arguments,
                               struct trace_source **source, struct diagnostics *diagnostics)
{
    struct arguments parsed;
    workload_arguments_init(&parsed, &any_mesh);
    const enum status status = workload_arguments_parse(&parsed, arguments, diagnostics);
    if (status)
        return status;
    const struct scene_setup setup = setup_of(parsed.values);
    return raster_source_create(name, mesh_scenes[parsed.values[COMMON]], &setup, path, source,
                                diagnostics);
}
