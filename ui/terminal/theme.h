/* Maps roles (report/drawing/cells.h) to colours: 256, 8 or none, on the background of the
 * terminal. Nothing depends on colour alone: every coloured item also differs in its glyph,
 * attribute or text. All themes keep apart what colour-blind people mix up, but for good and bad,
 * which are green and red where nobody asked for blue and orange. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "report/drawing/cell_picture.h"

/* X(CONSTANT, "name", background of pictures, "for whom") */
#define THEME_LIST(X)                                                                              \
    X(DARK, "dark", 0x1c1c1c, "a terminal with a dark background")                                 \
    X(LIGHT, "light", 0xffffff, "a terminal with a light background")                              \
    X(CONTRAST, "contrast", 0x000000, "bright colours, and nothing grey, on black")                \
    X(BLIND, "colour-blind", 0x1c1c1c, "good is blue and bad is orange")                           \
    X(MONO, "mono", 0x000000, "no colours: bold, dim and reverse alone")

#define THEME_ENUM(constant, ...) THEME_##constant,
enum theme { THEME_LIST(THEME_ENUM) THEME_COUNT };
#undef THEME_ENUM

extern const char *const theme_names[THEME_COUNT + 1]; /* a NULL ends them */
extern const char *const theme_helps[THEME_COUNT];

struct theme_style {
    unsigned long attributes; /* attributes for curses */
    short pair;
};

/* Call this after curses has started. No colours if `color` is false or NO_COLOR is set. */
void theme_init(bool color);
void theme_choose(enum theme theme);
struct theme_style theme_style(enum role role, bool bold, bool reverse);
/* The pair for two colours of a picture (report/drawing/cells.h): exact where the terminal has as
 * many, the nearest of 256; 0: it has fewer, or none. */
int theme_colours(uint32_t ink, uint32_t paper);
/* The colours of a cell in a picture of the screen (report/drawing/cell_picture.h), whatever the
 * terminal has. */
struct cell_colours theme_picture(const struct cell *cell);
