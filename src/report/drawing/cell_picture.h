/* Pictures of cells (cells.h): what a screen shows as SVG, whose text stays text, or as pixels with
 * characters of our own (pixel_font.h), so that both are the same on every machine. */
#pragma once

#include "report/drawing/cells.h"
#include "report/drawing/picture.h"

struct cell_colours { /* 0xrrggbb */
    uint32_t ink, paper;
};

/* The colours of a cell; NULL asks for those of an empty screen. */
typedef struct cell_colours cell_colouring(const struct cell *cell);

/* Writes a document; the caller checks `out` for errors. */
void cell_picture_svg(const struct cells *cells, cell_colouring *colouring, FILE *out);
/* STATUS_MEMORY. Free the picture with picture_free. */
enum status cell_picture_pixels(const struct cells *cells, cell_colouring *colouring,
                                struct picture *picture);
