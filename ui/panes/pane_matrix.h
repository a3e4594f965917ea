/* The matrix of the Chart pane: the best value for every pair of values of the first two axes of a
 * sweep. A cell shows its value as a colour of a ramp and as a glyph, so it can be read without
 * colours; a scale says what they stand for. Points of several workloads never meet in a cell: they
 * are those of the workload on the screen, or one row stands for all of a machine. One scan of the
 * points fills all cells. */
#pragma once

#include "ui/panes/pane.h"

void matrix_draw(const struct explorer *explorer, const struct canvas *canvas);
/* "best l1d.miss_rate of each pair, from 28.5% to 63.2%". */
void matrix_describe(const struct explorer *explorer, char text[ROW_TEXT]);
