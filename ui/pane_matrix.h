/* The matrix of the Chart pane: the best value for every pair of values of the first two axes of a
 * sweep. A cell shows its value as a colour of a ramp and as a glyph, so it can be read without
 * colours. One scan of the points fills all cells. */
#pragma once

#include "ui/pane.h"

void matrix_draw(const struct explorer *explorer, const struct canvas *canvas);
/* "dark 28.5% to bright 63.2%". */
void matrix_describe(const struct explorer *explorer, char text[ROW_TEXT]);
