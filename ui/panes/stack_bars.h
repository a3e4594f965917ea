/* The cycle stack (report/runs/cycle_stack.h) on the screen: the Live pane shows each level as a
 * line of words and a bar; a large screen lists them. */
#pragma once

#include "report/runs/cycle_stack.h"
#include "ui/terminal/canvas.h"

/* The parts of a level in words, as many of the larger ones as fit, each after its mark in the bar.
 */
void cycle_stack_words(const struct canvas *canvas, int row, enum stack_level level,
                       const struct metrics *metrics, bool colours);
/* The same as a bar. */
void cycle_stack_draw(const struct canvas *canvas, int row, enum stack_level level,
                      const struct metrics *metrics, bool colours);

/* All parts of both levels, a row each. */
void cycle_stack_list(const struct canvas *canvas, const struct metrics *metrics);

/* "core.issued, core.stall.data, ...: shares of the schedulers' cycles", for the status line. */
void cycle_stack_describe(enum stack_level level, char *text, size_t size);
