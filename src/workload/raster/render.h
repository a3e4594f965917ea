/* Draws a scene and emits the tile requests of its back end.
 *
 * A renderer is a tile_reader: for each pass it takes the draws in order, their triangles in order,
 * and of each triangle the lines that it covers in the scene's order of traversal. A line makes a
 * depth request, and where samples pass, a colour request of those: depth is tested before
 * fragments are shaded (early z), so what is hidden costs no shading and no colour. With four
 * samples a fragment is shaded once a pixel, at its centre.
 *
 * The renderer keeps the surfaces. Without values it keeps only those of depth, and shades nothing.
 *
 * Cost: a vertex is shaded once a draw; a triangle takes about 0.1 us, a line with its two requests
 * about 0.1 us without values. */
#pragma once

#include "workload/raster/scene.h"

/* What was drawn so far, of all passes. */
struct render_counts {
    uint64_t vertices, triangles;             /* of the meshes, once a draw */
    uint64_t outside, culled, empty, clipped; /* triangles; clipped ones are cut at a plane */
    uint64_t drawn;                           /* with a request at least */
    uint64_t covered, passed;                 /* samples, before and after the depth test */
    uint64_t shaded;                          /* fragments (0 without values) */
};

extern const struct tile_stream_ops render_ops;
const struct render_counts *render_counts(const struct tile_reader *reader);
/* The surfaces as they are now; colours only with values. */
const struct tile_memory *render_memory(const struct tile_reader *reader);

/* Goes on with the beginning of a pass. Every pass clears what it draws on, so its requests are the
 * same whatever came before; their values are not, where it looks into earlier passes. */
uint32_t render_pass(const struct tile_reader *reader); /* of the next request */
void render_seek(struct tile_reader *reader, uint32_t pass);

/* The stream of a scene: scene and passes must outlive it. */
struct render_stream {
    struct tile_stream stream;
    struct scene scene;
    struct tile_pass *passes;
};
/* Takes the scene over, also if it fails. */
enum status render_stream_init(struct render_stream *stream, struct scene *scene);
void render_stream_free(struct render_stream *stream);
