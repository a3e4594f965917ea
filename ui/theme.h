/* Roles become colours: 256, 8 or none, on the terminal's own background. */
#pragma once

#include <stdbool.h>

#include "report/cells.h"

struct theme_style {
    unsigned long attributes; /* of curses */
    short pair;
};

/* After the terminal was opened. `color` false, or NO_COLOR set: none. */
void theme_init(bool color);
struct theme_style theme_style(enum role role, bool bold, bool reverse);
