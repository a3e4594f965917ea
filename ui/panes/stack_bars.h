/* The cycle stack (report/runs/cycle_stack.h) on the screen: the Live pane shows each level in
 * words, as many lines as they need, and as a bar; a large screen lists them. */
#pragma once

#include "report/runs/cycle_stack.h"
#include "ui/terminal/canvas.h"

/* How many lines the words of a level take in so many columns; at least one. */
int cycle_stack_lines(enum stack_level level, const struct metrics *metrics, enum glyphs glyphs,
                      int columns);
/* One of these lines: each part that is at least half a percent, after its mark in the bar. */
void cycle_stack_words(const struct canvas *canvas, int row, int line, enum stack_level level,
                       const struct metrics *metrics, bool colours);
/* The same as a bar. */
void cycle_stack_draw(const struct canvas *canvas, int row, enum stack_level level,
                      const struct metrics *metrics, bool colours);

/* All parts of both levels, a row each; `pinned` (NULL: none) beside them. */
void cycle_stack_list(const struct canvas *canvas, const struct metrics *metrics,
                      const struct metrics *pinned);

/* "core.issued, core.stall.data, ...: shares of the schedulers' cycles", for the status line. */
void cycle_stack_describe(enum stack_level level, char *text, size_t size);
