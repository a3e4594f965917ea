/* Dots finer than a character cell, for lines and scatter plots: 2x4 braille dots, 2x2 quadrants,
 * or 1x2 ASCII marks in each cell. The glyph of a cell is its only state, so series can be drawn
 * over each other without a second buffer. Cost: constant time for a dot. */
#pragma once

#include "report/drawing/region.h"

struct dots {
    struct region region;
    enum glyphs glyphs;
    int width, height; /* of the region, in dots */
};

/* The dots of a region. Lives no longer than its cells. */
struct dots dots_of(const struct region *region, enum glyphs glyphs);

/* A point at x, y in [0, 1] x [0, 1], y upwards. Points outside and NaN are not drawn. */
void dots_point(const struct dots *dots, double x, double y, enum role role);
/* A straight line, clipped to the unit square. */
void dots_line(const struct dots *dots, double x0, double y0, double x1, double y1, enum role role);

/* The cell that holds a point; false if the point is outside. */
bool dots_cell(const struct dots *dots, double x, double y, int *row, int *column);
