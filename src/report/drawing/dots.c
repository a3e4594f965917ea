#include "report/drawing/dots.h"

#include <math.h>
#include <stdlib.h>

struct dots dots_of(const struct region *region, enum glyphs glyphs)
{
    static const struct {
        int across, down;
    } grain[] = {[GLYPHS_ASCII] = {1, 2}, [GLYPHS_BLOCK] = {2, 2}, [GLYPHS_BRAILLE] = {2, 4}};
    return (struct dots){*region, glyphs, region->columns * grain[glyphs].across,
                         region->rows * grain[glyphs].down};
}

/* Masks of the quadrants (1 upper left, 2 upper right, 4 lower left, 8 lower right) and of the
 * ASCII halves (1 upper, 2 lower). */
static const uint16_t quadrants[16] = {0,      0x2598, 0x259d, 0x2580, 0x2596, 0x258c,
                                       0x259e, 0x259b, 0x2597, 0x259a, 0x2590, 0x259c,
                                       0x2584, 0x2599, 0x259f, 0x2588};
static const uint16_t halves[4] = {0, '\'', '.', ':'};

static unsigned glyph_mask(const uint16_t *glyphs, unsigned count, uint32_t glyph)
{
    for (unsigned mask = 0; mask < count; mask++)
        if (glyphs[mask] == glyph)
            return mask;
    return 0;
}

static void set_dot(const struct dots *dots, int x, int y, enum role role)
{
    static const uint8_t braille[4][2] = {{1, 8}, {2, 0x10}, {4, 0x20}, {0x40, 0x80}};
    int across = dots->glyphs == GLYPHS_ASCII ? 1 : 2;
    int down = dots->glyphs == GLYPHS_BRAILLE ? 4 : 2;
    struct cell *cell = region_cell(&dots->region, y / down, x / across);
    if (!cell)
        return;
    uint32_t glyph = cell->glyph;
    if (dots->glyphs == GLYPHS_BRAILLE)
        glyph = (glyph >= 0x2800 && glyph < 0x2900 ? glyph : 0x2800) | braille[y % 4][x % 2];
    else if (dots->glyphs == GLYPHS_BLOCK)
        glyph = quadrants[glyph_mask(quadrants, 16, glyph) | 1u << (y % 2 * 2 + x % 2)];
    else
        glyph = halves[glyph_mask(halves, 4, glyph) | 1u << y % 2];
    *cell = (struct cell){.glyph = glyph, .role = (uint8_t)role};
}

static int nearest(double unit, int count)
{
    return (int)lround(fmin(fmax(unit, 0), 1) * (count - 1));
}

/* Maps [0, 1] to a dot. Accepts values slightly outside, because positions are quotients of rounded
 * numbers. */
static bool dots_place(double unit, int count, int *dot)
{
    if (!(unit >= -1e-9 && unit <= 1 + 1e-9) || count <= 0)
        return false;
    *dot = nearest(unit, count);
    return true;
}

void dots_point(const struct dots *dots, double x, double y, enum role role)
{
    int column, row;
    if (dots_place(x, dots->width, &column) && dots_place(1 - y, dots->height, &row))
        set_dot(dots, column, row, role);
}

/* One side of Liang and Barsky's clipping (1984): keeps the part [*enter, *leave] of a line where
 * start + t * delta >= 0. False if nothing is left. */
static bool clip_side(double start, double delta, double *enter, double *leave)
{
    if (delta == 0)
        return start >= 0;
    double t = -start / delta;
    if (delta > 0)
        *enter = fmax(*enter, t);
    else
        *leave = fmin(*leave, t);
    return *enter <= *leave;
}

void dots_line(const struct dots *dots, double x0, double y0, double x1, double y1, enum role role)
{
    double dx = x1 - x0, dy = y1 - y0, enter = 0, leave = 1;
    if (dots->width <= 0 || dots->height <= 0 || !isfinite(dx) || !isfinite(dy) ||
        !clip_side(x0, dx, &enter, &leave) || !clip_side(1 - x0, -dx, &enter, &leave) ||
        !clip_side(y0, dy, &enter, &leave) || !clip_side(1 - y0, -dy, &enter, &leave))
        return;
    int from_x = nearest(x0 + enter * dx, dots->width);
    int from_y = nearest(1 - (y0 + enter * dy), dots->height);
    int to_x = nearest(x0 + leave * dx, dots->width);
    int to_y = nearest(1 - (y0 + leave * dy), dots->height);
    int steps = abs(to_x - from_x) > abs(to_y - from_y) ? abs(to_x - from_x) : abs(to_y - from_y);
    for (int i = 0; i <= steps; i++) {
        double share = steps ? (double)i / steps : 0;
        set_dot(dots, (int)lround(from_x + share * (to_x - from_x)),
                (int)lround(from_y + share * (to_y - from_y)), role);
    }
}

bool dots_cell(const struct dots *dots, double x, double y, int *row, int *column)
{
    int dot_x, dot_y;
    if (!dots_place(x, dots->width, &dot_x) || !dots_place(1 - y, dots->height, &dot_y))
        return false;
    *column = dot_x / (dots->glyphs == GLYPHS_ASCII ? 1 : 2);
    *row = dot_y / (dots->glyphs == GLYPHS_BRAILLE ? 4 : 2);
    return true;
}
