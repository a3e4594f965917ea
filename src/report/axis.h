/* Axes of a chart: from data to a range, from values to places, and where the labels stand. */
#pragma once

#include "report/cells.h"

enum { AXIS_TICKS_MAX = 64, AXIS_LABEL = 32 };

struct axis_range {
    double min, max; /* finite, min < max; of the logarithms to base 2 where logarithmic */
    bool logarithmic;
    double step; /* between the ticks of a linear range, from `min` on; 0: axis_ticks chooses */
};

struct axis_tick {
    double position; /* 0 to 1 */
    char text[AXIS_LABEL];
    const char *name; /* categorical; else NULL, and `text` holds */
};

/* The range of an axis: what the style fixes, the categories, or the data widened so that it is
 * never empty. data_min > data_max: there are no data. `nice` rounds a linear range outwards to
 * whole steps. */
struct axis_range axis_fit(const struct axis_style *style, double data_min, double data_max,
                           bool nice);

/* The same for the vertical axis of `rows` rows of text: the ticks of a linear range stand equally
 * many rows apart, the first in the lowest row. */
struct axis_range axis_fit_rows(const struct axis_style *style, double data_min, double data_max,
                                int rows);

/* Where a value stands: 0 at min, 1 at max; beyond them where it lies outside. NaN for what has no
 * place (not finite, or not positive on a logarithmic axis). */
double axis_position(const struct axis_range *range, double value);

/* At most `wanted` (of AXIS_TICKS_MAX) ticks in ascending order; returns how many. */
size_t axis_ticks(const struct axis_style *style, const struct axis_range *range, size_t wanted,
                  struct axis_tick ticks[AXIS_TICKS_MAX]);

const char *axis_tick_text(const struct axis_tick *tick);
