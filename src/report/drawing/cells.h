/* A grid of character cells, and the one chart rasteriser that draws into it. It does not know
 * curses: the screen, `warpscape run` and the tests draw the same cells and then show, print or
 * compare them.
 *
 * Invariants: a cell holds one code point of width 1; nothing is ever drawn outside the grid. Cost:
 * 16 B a cell; a chart takes time in its cells plus its data points. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "base/units.h"

enum glyphs { GLYPHS_ASCII, GLYPHS_BLOCK, GLYPHS_BRAILLE };

/* What a cell means. The theme (ui/terminal/theme.h) maps a role to a colour. */
enum role {
    ROLE_TEXT,
    ROLE_DIM,
    ROLE_AXIS,
    ROLE_SERIES_1,
    ROLE_SERIES_2,
    ROLE_SERIES_3,
    ROLE_SERIES_4,
    ROLE_SERIES_5, /* from here on only where more than four stand side by side */
    ROLE_SERIES_6,
    ROLE_SERIES_7,
    ROLE_SERIES_8,
    ROLE_CURSOR,
    ROLE_FRONT,
    ROLE_GOOD,
    ROLE_BAD,
    ROLE_ACCENT,
    ROLE_RAMP_1, /* a colour ramp, from the lowest value to the highest */
    ROLE_RAMP_2,
    ROLE_RAMP_3,
    ROLE_RAMP_4,
    ROLE_RAMP_5,
    ROLE_RAMP_6,
    ROLE_RAMP_7,
    ROLE_RAMP_8
};

/* A colour of a picture: CELL_COLOUR | 0xrrggbb; 0: none. */
#define CELL_COLOUR UINT32_C(0x1000000)

struct cell {
    uint32_t glyph; /* one Unicode code point of width 1; 0 = blank */
    /* Of a cell of a picture, in the place of its role: the colours of its upper and its lower
     * half. The glyph divides them; who has no colours shows cell_shade instead. */
    uint32_t ink, paper;
    uint8_t role;
    bool bold, reverse;
};

/* A character that is as bright as a cell of a picture; what else a cell shows stays its glyph. */
uint32_t cell_shade(const struct cell *cell);

struct cells {
    int rows, columns;
    struct cell *items; /* rows x columns */
};

/* A blank grid. STATUS_MEMORY if it cannot be allocated. */
enum status cells_init(struct cells *cells, int rows, int columns);
void cells_free(struct cells *cells);
/* Writes UTF-8 text from a cell on to the right, cut at the edge of the grid. */
void cells_text(struct cells *cells, int row, int column, enum role role, const char *utf8);
/* Prints the rows as UTF-8 lines without trailing blanks and colours. */
void cells_print(const struct cells *cells, FILE *out);

/* Bars start at y = 0 and are one x unit apart, with a gap between neighbours. The areas of a stack
 * stand on those of the stacks before it, item by item. Ranges are bars that lie: from x to `end`,
 * one y unit apart. SVG has neither bars nor ranges. */
enum series_kind { SERIES_LINE, SERIES_POINTS, SERIES_BARS, SERIES_STACK, SERIES_RANGES };

struct series {
    enum series_kind kind;
    enum role role;
    const double *x, *y; /* a NaN in `y` leaves a gap */
    const double *error; /* half width of the error bar at each y, or NULL */
    size_t count;
    const char *label;
    const double *end; /* SERIES_STACK, SERIES_RANGES: where each ends that begins at x */
    uint32_t fill;     /* SERIES_STACK: the glyph of its areas */
};

struct axis_style {
    const char *label;
    enum unit unit;
    bool logarithmic;         /* base 2 where the unit is bytes */
    double min, max;          /* equal: fit the data */
    const char *const *ticks; /* names of categories at x = 0, 1, ...; NULL: a numeric axis */
    size_t tick_count;
};

struct chart {
    const struct series *series;
    size_t series_count;
    struct axis_style x, y;
    double cursor; /* x of a vertical marker; NaN: none */
    const char *title;
    enum glyphs glyphs;
};

/* Draws into the given rectangle. If it is too small, axes, labels and legend are left out. */
void chart_draw(const struct chart *chart, struct cells *cells, int row, int column, int rows,
                int columns);

/* Draws a chart into a grid of this size and prints it. STATUS_MEMORY, STATUS_IO. */
enum status chart_print(const struct chart *chart, int rows, int columns, FILE *out);

/* Draws a bar of `width` cells, filled to `share` (0 to 1). */
void bar_draw(struct cells *cells, int row, int column, int width, double share, enum role role,
              enum glyphs glyphs);
