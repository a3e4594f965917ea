/* Characters as pixels, for pictures of screens where no font is at hand (cell_picture.h): five
 * columns of eight rows for letters and marks, and arithmetic for all that fills its cell: blocks,
 * shades, lines, braille. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { FONT_WIDTH = 12, FONT_HEIGHT = 24 }; /* of a cell, in pixels */

/* Whether a pixel of a cell with this character is of the colour of the ink. A character that
 * is not known is a box. */
bool pixel_font_ink(uint32_t character, int x, int y);
