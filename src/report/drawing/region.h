/* A rectangle within a grid of cells. All drawing of charts goes through a region, and a region
 * clips: this is what keeps a chart from writing outside its pane. */
#pragma once

#include "report/drawing/cells.h"

/* A rectangle of cells; drawing through it is clipped to it. */
struct region {
    struct cells *cells;
    int row, column, rows, columns;
};

/* The part of a rectangle that is inside the grid; 0 x 0 if nothing is. */
struct region region_clip(struct cells *cells, int row, int column, int rows, int columns);
/* A rectangle relative to `region`, clipped to it. */
struct region region_part(const struct region *region, int row, int column, int rows, int columns);

void region_clear(const struct region *region);
void region_put(const struct region *region, int row, int column, uint32_t glyph, enum role role);
/* Writes UTF-8 text from a column on, cut at the right edge. */
void region_text(const struct region *region, int row, int column, enum role role,
                 const char *utf8);
/* The cell, or NULL if it is outside. */
struct cell *region_cell(const struct region *region, int row, int column);
