/* A rectangle of the cell grid that a pane draws into, in the coordinates of the pane. Invariant:
 * drawing is clipped to the rectangle, so a pane cannot overwrite its neighbours or its frame. */
#pragma once

#include "report/drawing/cells.h"
#include "ui/terminal/glyphs.h"
#include "ui/terminal/layout.h"

struct spot {
    int row, column;
};

struct canvas {
    struct cells *cells;
    struct rect rect;
    enum glyphs glyphs;
    struct spot *cursor; /* gets the hardware cursor, in screen coordinates; or NULL */
};

struct style {
    enum role role;
    bool bold, reverse;
};

#define STYLE(role_)      ((struct style){.role = (role_)})
#define STYLE_BOLD(role_) ((struct style){.role = (role_), .bold = true})

/* Writes `text` in at most `width` columns, with a cut mark if it does not fit. Returns the column
 * after it. */
int canvas_text(const struct canvas *canvas, int row, int column, int width, struct style style,
                const char *text);
int canvas_printf(const struct canvas *canvas, int row, int column, int width, struct style style,
                  const char *format, ...) __attribute__((format(printf, 6, 7)));
/* canvas_text, but cuts between words. */
int canvas_words(const struct canvas *canvas, int row, int column, int width, struct style style,
                 const char *text);
/* Writes wrapped text from `row` down, with a margin of one column on both sides, as far as the
 * canvas goes. */
void canvas_paragraph(const struct canvas *canvas, int row, struct style style, const char *text);
/* Writes text right-aligned in [column, column + width). */
void canvas_right(const struct canvas *canvas, int row, int column, int width, struct style style,
                  const char *text);
/* Repeats a glyph over [column, column + width). */
void canvas_fill(const struct canvas *canvas, int row, int column, int width, struct style style,
                 enum glyph glyph);
/* Shows a whole row in reverse: the selection. */
void canvas_reverse(const struct canvas *canvas, int row);
/* Places the hardware cursor on the focused item: screen readers and magnifiers follow it. */
void canvas_cursor(const struct canvas *canvas, int row, int column);
/* Draws a bar of `width` cells filled to `share` (0 to 1). Returns the column after it. */
int canvas_bar(const struct canvas *canvas, int row, int column, int width, double share,
               enum role role);
/* Copies cells that were drawn elsewhere, from (row, column) on. */
void canvas_copy(const struct canvas *canvas, int row, int column, const struct cells *cells);
const char *canvas_glyph(const struct canvas *canvas, enum glyph glyph);
/* The rectangle [row, row + rows) x [column, column + columns) of this canvas, clipped to it. */
struct canvas canvas_part(const struct canvas *canvas, int row, int column, int rows, int columns);
/* The number of bytes of `text` that fit `columns`, cut at a blank or after a comma if possible. */
size_t text_wrap(const char *text, int columns);

enum { ROW_TEXT = 512 }; /* a row of the screen as text */

/* Abbreviates the home folder in a path to ~. Returns `text`. */
const char *path_print(const char *path, char text[ROW_TEXT]);
/* Of a path that does not fit, as many of the last names as do. */
const char *path_tail(const char *path, int columns);
