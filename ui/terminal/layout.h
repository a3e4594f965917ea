/* The layout: a pure function from the size of the screen to rectangles. It knows nothing about the
 * contents, so tests can check every size. Invariant: all rectangles are inside the screen and none
 * overlap. */
#pragma once

#include <stdbool.h>

#include "ui/terminal/contexts.h"

struct rect {
    int row, column, rows, columns; /* rows 0: hidden */
};

enum { LAYOUT_ROWS_MIN = 10, LAYOUT_COLUMNS_MIN = 40 };

struct layout_options {
    enum pane focused;
    bool zoomed;      /* only the focused pane */
    bool full_screen; /* a view replaces all panes */
};

/* Rectangles of the parts of the screen. The first row of a pane is its title. */
struct layout {
    bool too_small; /* only `message` is set, to tell the user */
    bool single;    /* only one pane fits; `switcher` names the others */
    struct rect header, switcher, message, hints;
    struct rect panes[PANE_COUNT];
    struct rect view;
    struct rect panels[2]; /* below a chart with room to spare; never focused */
    struct rect rules[3];  /* vertical lines between columns of panes */
};

void layout_compute(int rows, int columns, const struct layout_options *options,
                    struct layout *layout);
