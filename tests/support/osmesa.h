/* Draws a scene with OSMesa, Mesa's rasteriser in memory, found at run time (Debian: libosmesa6).
 * Vertices are shaded by the scene's own functions; clipping, coverage, depth, interpolation, the
 * shading of fragments (in GLSL, after the scenes' functions) and blending are Mesa's. */
#pragma once

#include "workload/raster/render.h"

struct osmesa;

/* NULL: there is no OSMesa here, or it is too old; *why says which. */
struct osmesa *osmesa_open(uint32_t width, uint32_t height, const char **why);
void osmesa_close(struct osmesa *mesa);
/* Its own name: "Mesa 22.3.6, llvmpipe (LLVM 15.0.6, 256 bits)". */
const char *osmesa_name(const struct osmesa *mesa);

/* Draws the passes of a frame of one sample a pixel. Returns the colours of the last pass, red in
 * the low byte, rows from the top; the caller frees them. NULL: out of memory, or a shader is
 * refused. */
uint32_t *osmesa_draw(struct osmesa *mesa, const struct scene *scene);
