/* Parts of a grid of cells. */
#pragma once

#include "report/cells.h"

/* A rectangle of cells; everything that is drawn through it is clipped to it. */
struct region {
    struct cells *cells;
    int row, column, rows, columns;
};

/* The part of a rectangle that lies inside the cells; 0 x 0 where there is none. */
struct region region_clip(struct cells *cells, int row, int column, int rows, int columns);
/* A part of a region, clipped to it. */
struct region region_part(const struct region *region, int row, int column, int rows, int columns);

void region_clear(const struct region *region);
void region_put(const struct region *region, int row, int column, uint32_t glyph, enum role role);
/* Text from a column on; cut at the right edge. */
void region_text(const struct region *region, int row, int column, enum role role,
                 const char *utf8);
/* The cell, or NULL outside. */
struct cell *region_cell(const struct region *region, int row, int column);
