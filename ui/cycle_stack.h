/* The cycle stack of depth timing: what the schedulers' cycles were for, and what those that waited
 * for memory waited for (SLOT_LIST and MEMORY_SLOT_LIST of schema/metrics.h). The Live pane shows
 * each level as a line of words and a bar; a large screen lists them. */
#pragma once

#include "schema/metrics.h"
#include "ui/canvas.h"

enum stack_level { STACK_CYCLES, STACK_MEMORY, STACK_LEVELS };

/* Whether a metric is a part of the stack. */
bool cycle_stack_has(const struct metric *metric);
/* Whether there are values to show. */
bool cycle_stack_known(const struct metrics *metrics);

/* The parts of a level in words, as many of the larger ones as fit, each after its mark in the bar.
 */
void cycle_stack_words(const struct canvas *canvas, int row, enum stack_level level,
                       const struct metrics *metrics, bool colours);
/* The same as a bar. A full bar is all cycles; what memory waited for stands below memory. */
void cycle_stack_bar(const struct canvas *canvas, int row, enum stack_level level,
                     const struct metrics *metrics, bool colours);

/* All parts of both levels, a row each. */
void cycle_stack_list(const struct canvas *canvas, const struct metrics *metrics);

/* "core.issued, core.stall.data, ...: shares of the schedulers' cycles", for the status line. */
void cycle_stack_describe(enum stack_level level, char *text, size_t size);
