/* Scenes: what is drawn in each pass of a frame, onto which surfaces, with which shaders.
 *
 * A scene is made once and does not change. For a pass it says what its draws are; a draw is a
 * mesh, a vertex shader, a fragment shader and the state between them. Shaders are C functions of a
 * vertex or a fragment and of the draw's constants. */
#pragma once

#include "trace/tile_stream.h"
#include "workload/raster/mesh.h"
#include "workload/raster/traversal.h"

struct scene_setup { /* the parameters of every scene */
    uint32_t width, height, samples, frame, frames, mesh, detail;
    enum traversal order;
    bool fast_clear;
    uint64_t seed;
};

/* Models that a scene can show instead of its own. ROW(name, file) */
#define MODEL_LIST(ROW)                                                                            \
    ROW("own", NULL)                                                                               \
    ROW("bunny", "bunny.obj")                                                                      \
    ROW("horse", "horse.3ds")                                                                      \
    ROW("cat", "cat.3ds")                                                                          \
    ROW("jellyfish", "jellyfish.jobj")
enum { MODEL_COUNT = 5 };
extern const char *const model_names[MODEL_COUNT + 1]; /* ended by NULL */

enum { DRAW_FACTORS = 16, DRAW_MATRICES = 3 };

struct draw {
    const struct mesh *mesh;
    unsigned varyings;
    enum cull cull;
    bool blend;
    int colour, depth; /* surfaces; -1: none */
    void (*vertex)(const struct draw *draw, const struct mesh_vertex *in, struct vertex *out);
    uint32_t (*fragment)(const struct draw *draw, const float *varyings); /* NULL: no colour */
    /* Constants of the shaders. */
    struct matrix matrices[DRAW_MATRICES]; /* the first takes positions to clip coordinates */
    float factors[DRAW_FACTORS];
    struct {
        const struct tile_surface *surface;
        const struct tile_memory *memory; /* as it is when the pass begins */
    } targets[2];                         /* surfaces of earlier passes; surface NULL: none */
};

enum { DRAWS_MAX = 2, MESHES_MAX = 2 };

struct scene;
struct scene_kind {
    const char *name, *help;
    uint32_t detail;                          /* of its own mesh, by default */
    unsigned passes;                          /* a frame */
    enum status (*make)(struct scene *scene); /* its own mesh */
    /* Names, kinds and sizes of surfaces; the rest is filled in. Returns how many. */
    unsigned (*surfaces)(const struct scene_setup *setup, struct tile_surface *surfaces);
    /* Fills in draws and returns how many; *clears: the surfaces that the pass clears. */
    unsigned (*draws)(const struct scene *scene, uint32_t frame, unsigned pass,
                      struct draw draws[DRAWS_MAX], uint32_t *clears);
    const char *const *pass_names;
};

/* ROW(constant part of the variable's name) */
#define SCENE_LIST(ROW)         ROW(effect2d) ROW(shadow) ROW(refract) ROW(jellyfish)
#define SCENE_DECLARATION(name) extern const struct scene_kind scene_##name;
SCENE_LIST(SCENE_DECLARATION)
#undef SCENE_DECLARATION

struct scene {
    const struct scene_kind *kind;
    struct scene_setup setup;
    struct mesh mesh, square;
    struct vector3 centre;
    float radius; /* half the diagonal of the mesh's box */
    struct tile_surface surfaces[TILE_SURFACES_MAX];
    unsigned surface_count;
};

/* `model`: a file of a mesh; NULL: the model that the setup names. */
enum status scene_init(struct scene *scene, const struct scene_kind *kind,
                       const struct scene_setup *setup, const char *model,
                       struct diagnostics *diagnostics);
void scene_free(struct scene *scene);

/* For scenes. */

/* The surfaces that a frame is drawn on, colour and then depth; returns 2. */
unsigned scene_frame_surfaces(const struct scene_setup *setup, struct tile_surface *surfaces);

enum { FRAMES_A_SECOND = 60 };
static inline float frame_seconds(uint32_t frame)
{
    return (float)frame / FRAMES_A_SECOND;
}
/* The angle at which the whole mesh is seen from two units before it. */
float scene_angle(const struct scene *scene);
uint32_t colour_of(struct vector3 rgb, float alpha); /* clamped and rounded */
/* The nearest value of a surface with one sample, at texture coordinates from the lower left; what
 * is outside is as at the edge. */
uint32_t target_value(const struct draw *draw, unsigned target, float u, float v);
/* A picture without a file, for whatever scenes show: (u, v) from 0 to 1, repeated. */
struct vector3 picture_at(float u, float v);
