/* The instructions of an L1D with a bypass policy: which loads bypass, what that rests on
 * and since when. The chart of instructions (ui/panes/pane_detail.h) shows them in place of its own
 * columns, also while the run that it waits for goes on. */
#pragma once

#include "explore/live/engine.h"
#include "ui/terminal/canvas.h"

/* Whether a bypass policy decided about any of the instructions. */
bool verdicts_known(const struct engine_detail *detail);

/* Draws as many columns as fit, the most important first. */
void verdicts_draw_heads(const struct canvas *canvas);
void verdicts_draw(const struct canvas *canvas, int row, const struct engine_detail *detail,
                   size_t index, struct style style);

/* Appends "; bypasses 12 of 15 L1Ds since cycle 4100: 96 lines evicted, 1 hits", or that it
 * allocates, to the text. Returns its new length. */
int verdicts_describe(const struct pc_count *pc, char *text, int used, int size);
