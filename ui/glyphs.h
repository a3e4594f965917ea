/* Every sign of the screen outside a chart, in UTF-8 and in ASCII. */
#pragma once

#include "report/cells.h"

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
    X(BETTER, "▲", "+")                                                                            \
    X(WORSE, "▼", "!")                                                                             \
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

/* "braille", "block" or "ascii"; "auto" chooses by the locale's codeset. */
enum status glyphs_parse(const char *text, enum glyphs *tier);
