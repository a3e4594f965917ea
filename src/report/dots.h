/* Dots finer than a cell, kept in the glyphs of the cells themselves: 2x4 braille dots, 2x2
 * quadrants, or 1x2 ASCII marks a cell. */
#pragma once

#include "report/region.h"

struct dots {
    struct region region;
    enum glyphs glyphs;
    int width, height; /* in dots */
};

struct dots dots_of(const struct region *region, enum glyphs glyphs);

/* Places in [0, 1] x [0, 1], y upwards; what lies outside or is NaN is not drawn. */
void dots_point(const struct dots *dots, double x, double y, enum role role);
/* A straight line, clipped to the unit square. */
void dots_line(const struct dots *dots, double x0, double y0, double x1, double y1, enum role role);

/* The cell in which a place stands; false outside. */
bool dots_cell(const struct dots *dots, double x, double y, int *row, int *column);
