/* The one chart rasteriser: a grid of cells that knows nothing of curses. The screen, the plain
 * command line and the tests draw the same cells. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "base/units.h"

enum glyphs { GLYPHS_ASCII, GLYPHS_BLOCK, GLYPHS_BRAILLE };

/* What a cell means; the theme decides its colour. */
enum role {
    ROLE_TEXT,
    ROLE_DIM,
    ROLE_AXIS,
    ROLE_SERIES_1,
    ROLE_SERIES_2,
    ROLE_SERIES_3,
    ROLE_SERIES_4,
    ROLE_CURSOR,
    ROLE_FRONT,
    ROLE_GOOD,
    ROLE_BAD,
    ROLE_ACCENT,
    ROLE_RAMP_1, /* from the least of some numbers to the most */
    ROLE_RAMP_2,
    ROLE_RAMP_3,
    ROLE_RAMP_4,
    ROLE_RAMP_5,
    ROLE_RAMP_6,
    ROLE_RAMP_7,
    ROLE_RAMP_8
};

struct cell {
    uint32_t glyph; /* one Unicode code point of width 1; 0 = blank */
    uint8_t role;
    bool bold, reverse;
};

struct cells {
    int rows, columns;
    struct cell *items; /* rows x columns */
};

enum status cells_init(struct cells *cells, int rows, int columns);
void cells_free(struct cells *cells);
void cells_text(struct cells *cells, int row, int column, enum role role, const char *utf8);
/* Prints rows as UTF-8 lines without trailing blanks. */
void cells_print(const struct cells *cells, FILE *out);

/* Bars stand on y = 0, one wide, with a gap between neighbours. */
enum series_kind { SERIES_LINE, SERIES_POINTS, SERIES_BARS };

struct series {
    enum series_kind kind;
    enum role role;
    const double *x, *y; /* NaN in y leaves a gap */
    const double *error; /* half widths for y, or NULL */
    size_t count;
    const char *label;
};

struct axis_style {
    const char *label;
    enum unit unit;
    bool logarithmic;         /* base 2 where the unit is bytes */
    double min, max;          /* equal: from the data */
    const char *const *ticks; /* categorical: names at x = 0, 1, ...; NULL otherwise */
    size_t tick_count;
};

struct chart {
    const struct series *series;
    size_t series_count;
    struct axis_style x, y;
    double cursor; /* x of a vertical mark; NaN = none */
    const char *title;
    enum glyphs glyphs;
};

/* Draws into the rectangle; too small a rectangle shows what fits and never overruns. */
void chart_draw(const struct chart *chart, struct cells *cells, int row, int column, int rows,
                int columns);

/* Prints a chart of this many cells. */
enum status chart_print(const struct chart *chart, int rows, int columns, FILE *out);

/* A bar of `width` cells filled to `share` (0 to 1). */
void bar_draw(struct cells *cells, int row, int column, int width, double share, enum role role,
              enum glyphs glyphs);
