#include "ui/terminal/layout.h"

#include <string.h>

static int layout_clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

enum { PANELS_ROWS = 30 };

/* Places two panels side by side below the chart; returns the rest for the chart. */
static struct rect place_panels(struct layout *layout, struct rect chart)
{
    struct rect below = chart;
    chart.rows = chart.rows * 3 / 5;
    below.row += chart.rows;
    below.rows -= chart.rows;
    int left = below.columns / 2;
    layout->panels[0] = (struct rect){below.row, below.column, below.rows, left};
    layout->rules[2] = (struct rect){below.row, below.column + left, below.rows, 1};
    layout->panels[1] =
        (struct rect){below.row, below.column + left + 1, below.rows, below.columns - left - 1};
    return chart;
}

/* Machine on the left; Live above Chart, or from 150 columns on beside it; Sweep at the bottom. */
static void place_panes(struct layout *layout, struct rect body)
{
    int sweep_rows = body.rows < 24 ? 3 : layout_clamp(body.rows / 7, 4, 10);
    int rows = body.rows - sweep_rows;
    int machine_columns = layout_clamp(body.columns * 2 / 5, 36, 46);
    int right = body.column + machine_columns + 1;
    int right_columns = body.columns - machine_columns - 1;
    layout->panes[PANE_MACHINE] = (struct rect){body.row, body.column, rows, machine_columns};
    layout->rules[0] = (struct rect){body.row, right - 1, rows, 1};
    layout->panes[PANE_SWEEP] =
        (struct rect){body.row + rows, body.column, sweep_rows, body.columns};
    if (body.columns >= 150) {
        int live_columns = layout_clamp(right_columns * 2 / 5, 52, 64);
        layout->panes[PANE_LIVE] = (struct rect){body.row, right, rows, live_columns};
        layout->rules[1] = (struct rect){body.row, right + live_columns, rows, 1};
        struct rect chart = {body.row, right + live_columns + 1, rows,
                             right_columns - live_columns - 1};
        layout->panes[PANE_CHART] = rows >= PANELS_ROWS ? place_panels(layout, chart) : chart;
        return;
    }
    int live_rows = layout_clamp(rows / 2, 10, 22);
    layout->panes[PANE_LIVE] = (struct rect){body.row, right, live_rows, right_columns};
    layout->panes[PANE_CHART] =
        (struct rect){body.row + live_rows, right, rows - live_rows, right_columns};
}

void layout_compute(int rows, int columns, const struct layout_options *options,
                    struct layout *layout)
{
    memset(layout, 0, sizeof *layout);
    if (rows < LAYOUT_ROWS_MIN || columns < LAYOUT_COLUMNS_MIN) {
        layout->too_small = true;
        layout->message = (struct rect){0, 0, rows > 0 ? 1 : 0, columns > 0 ? columns : 0};
        return;
    }
    bool small = rows < 20 || columns < 76;
    struct rect body = {1, 0, rows - 3, columns};
    layout->header = (struct rect){0, 0, 1, columns};
    layout->message = (struct rect){rows - 2, 0, 1, columns};
    layout->hints = (struct rect){rows - 1, 0, 1, columns};
    if (options->full_screen) {
        layout->view = body;
        return;
    }
    if (!small && !options->zoomed) {
        place_panes(layout, body);
        return;
    }
    layout->single = true;
    if (small) {
        layout->switcher = (struct rect){body.row, 0, 1, columns};
        body.row++;
        body.rows--;
    }
    layout->panes[options->focused] = body;
}
