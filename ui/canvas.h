/* A rectangle of the grid of cells that a pane draws into, in its own coordinates; nothing that is
 * drawn leaves it. */
#pragma once

#include "report/cells.h"
#include "ui/glyphs.h"
#include "ui/layout.h"

struct spot {
    int row, column;
};

struct canvas {
    struct cells *cells;
    struct rect rect;
    enum glyphs glyphs;
    struct spot *cursor; /* where the hardware cursor goes, in the screen's coordinates; or NULL */
};

struct style {
    enum role role;
    bool bold, reverse;
};

#define STYLE(role_)      ((struct style){.role = (role_)})
#define STYLE_BOLD(role_) ((struct style){.role = (role_), .bold = true})

/* Writes `text` into at most `width` columns, with a cut mark where it does not fit; returns the
 * column behind it. */
int canvas_text(const struct canvas *canvas, int row, int column, int width, struct style style,
                const char *text);
int canvas_printf(const struct canvas *canvas, int row, int column, int width, struct style style,
                  const char *format, ...) __attribute__((format(printf, 6, 7)));
/* canvas_text that cuts between words. */
int canvas_words(const struct canvas *canvas, int row, int column, int width, struct style style,
                 const char *text);
/* The rows from `row` on, one column in from either side, as far as `text` and the canvas go. */
void canvas_paragraph(const struct canvas *canvas, int row, struct style style, const char *text);
/* Right-aligned in [column, column + width). */
void canvas_right(const struct canvas *canvas, int row, int column, int width, struct style style,
                  const char *text);
/* Repeats a glyph over [column, column + width). */
void canvas_fill(const struct canvas *canvas, int row, int column, int width, struct style style,
                 enum glyph glyph);
/* A whole row in reverse: the selection. */
void canvas_reverse(const struct canvas *canvas, int row);
/* The hardware cursor sits on the focused item, for people who follow it. */
void canvas_cursor(const struct canvas *canvas, int row, int column);
int canvas_bar(const struct canvas *canvas, int row, int column, int width, double share,
               enum role role);
const char *canvas_glyph(const struct canvas *canvas, enum glyph glyph);
/* The rectangle [row, row + rows) x [column, column + columns) of this one, cut to fit. */
struct canvas canvas_part(const struct canvas *canvas, int row, int column, int rows, int columns);
/* Bytes of `text` that fit `columns`, cut at a blank or behind a comma where there is one. */
size_t text_wrap(const char *text, int columns);
