/* Maps roles (report/drawing/cells.h) to colours: 256, 8 or none, on the background of the
 * terminal. Nothing depends on colour alone: every coloured item also differs in its glyph,
 * attribute or text. */
#pragma once

#include <stdbool.h>

#include "report/drawing/cells.h"

struct theme_style {
    unsigned long attributes; /* attributes for curses */
    short pair;
};

/* Call this after curses has started. No colours if `color` is false or NO_COLOR is set. */
void theme_init(bool color);
struct theme_style theme_style(enum role role, bool bold, bool reverse);
/* The pair for two colours of a picture (report/drawing/cells.h): exact where the terminal has as
 * many, the nearest of 256; 0: it has fewer, or none. */
int theme_colours(uint32_t ink, uint32_t paper);
