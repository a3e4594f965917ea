/* The layout: a pure function from the size of the screen to rectangles. */
#pragma once

#include <stdbool.h>

struct rect {
    int row, column, rows, columns; /* rows 0: not shown */
};

enum pane { PANE_MACHINE, PANE_LIVE, PANE_CHART, PANE_SWEEP, PANE_COUNT };

enum { LAYOUT_ROWS_MIN = 10, LAYOUT_COLUMNS_MIN = 40 };

struct layout_options {
    enum pane focused;
    bool zoomed;      /* the focused pane alone */
    bool full_screen; /* a view takes the place of all panes */
};

/* Inside the screen, and no two overlap. A pane's first row is its title. */
struct layout {
    bool too_small; /* only `message` is set: it says so */
    bool single;    /* one pane at a time; `switcher` names the others */
    struct rect header, switcher, message, hints;
    struct rect panes[PANE_COUNT];
    struct rect view;
    struct rect
        panels[2];        /* below a chart that has more room than it needs: shown, never focused */
    struct rect rules[3]; /* vertical lines between columns of panes */
};

void layout_compute(int rows, int columns, const struct layout_options *options,
                    struct layout *layout);
