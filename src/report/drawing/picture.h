/* Pictures of pixels, and PNG files of them. */
#pragma once

#include "base/diag.h"
#include "trace/tile_stream.h"

struct picture { /* red, green, blue; rows from the top */
    uint32_t width, height;
    unsigned char *pixels;
};

/* What a surface shows: colours, the samples of a pixel averaged; depth as grey, black at the
 * nearest value of all that are not cleared and white at the farthest. `memory` holds it. */
enum status picture_of_surface(const struct tile_surface *surface, const struct tile_memory *memory,
                               struct picture *picture);
void picture_free(struct picture *picture);

/* Writes a PNG file. `options`: enum output_option. */
enum status picture_write(const struct picture *picture, const char *path, unsigned options,
                          struct diagnostics *diagnostics);
