/* The symbols of the screen outside charts, in UTF-8 and in ASCII. Code names a glyph and never
 * writes a character, so the explorer works on a terminal without UTF-8. A glyph is one column
 * wide, except PLUS_MINUS and ARROW in ASCII. */
#pragma once

#include "report/drawing/cells.h"

/* clang-format off: version 14 joins the rows after the first dozen */
#define GLYPH_LIST(X)                                                                              \
    X(OPEN, "▾", "v")                                                                              \
    X(CLOSED, "▸", ">")                                                                            \
    X(RULE, "─", "-")                                                                              \
    X(RULE_FOCUSED, "━", "=")                                                                      \
    X(VERTICAL, "│", "|")                                                                          \
    X(PLUS_MINUS, "±", "+-")                                                                       \
    X(DOT, "·", ".")                                                                               \
    X(CUT, "…", "~")                                                                               \
    X(BETTER, "✓", "b")                                                                            \
    X(WORSE, "✗", "w")                                                                             \
    X(LOWER, "‹", "<")                                                                             \
    X(HIGHER, "›", ">")                                                                            \
    X(CHANGED, "●", "*")                                                                           \
    X(DIFFERS, "≠", "#")                                                                           \
    X(INERT, "◌", "o")                                                                             \
    X(AXIS, "⇄", "%")                                                                              \
    X(DESCENDING, "↓", "v")                                                                        \
    X(ASCENDING, "↑", "^")                                                                         \
    X(MARKED, "◆", "*")                                                                            \
    X(TIMES, "×", "x")                                                                             \
    X(ARROW, "→", "->")
/* clang-format on */

#define GLYPH_ENUM(constant, utf8, ascii) GLYPH_##constant,
enum glyph { GLYPH_LIST(GLYPH_ENUM) GLYPH_COUNT };
#undef GLYPH_ENUM

const char *glyph_text(enum glyphs tier, enum glyph glyph);

extern const char *const glyph_names[]; /* what glyphs_parse knows; a NULL ends them */
/* Parses "braille", "block" or "ascii"; "auto" decides by the character set of the locale. */
enum status glyphs_parse(const char *text, enum glyphs *tier);
