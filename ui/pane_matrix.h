/* The matrix of the Chart pane: what is best for every pair of values of a sweep's first two axes.
 * Its cells have a colour of a ramp and a glyph beside it, both from the least value to the most.
 */
#pragma once

#include "ui/pane.h"

void matrix_draw(const struct explorer *explorer, const struct canvas *canvas);
/* "dark 28.5% to bright 63.2%". */
void matrix_describe(const struct explorer *explorer, char text[ROW_TEXT]);
