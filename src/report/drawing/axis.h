/* Axes of a chart: choose a range from the data, place values and labels on it. Both rasterisers,
 * characters (cells.h) and SVG (svg.h), take their axes from here.
 *
 * Invariant: a range is finite and never empty, whatever the data are (NaN, infinite, all equal,
 * none). Cost: no allocation; a few tries for each range and tick, whatever the data. */
#pragma once

#include "report/drawing/cells.h"

enum { AXIS_TICKS_MAX = 64, AXIS_LABEL = 32 };

struct axis_range {
    double min, max; /* finite, min < max; base-2 logarithms if `logarithmic` */
    bool logarithmic;
    double step; /* distance of linear ticks, counted from `min`; 0: axis_ticks chooses */
};

struct axis_tick {
    double position; /* 0 (left or bottom) to 1 */
    char text[AXIS_LABEL];
    const char *name; /* of a category; NULL: use `text` */
};

/* The range of an axis: the style's fixed limits, or its categories, or else the data, widened if
 * all values are equal. data_min > data_max means that there are no data. `nice` rounds a linear
 * range outwards to whole steps. */
struct axis_range axis_fit(const struct axis_style *style, double data_min, double data_max,
                           bool nice);

/* The same for a vertical axis of `rows` text rows. The ticks of a linear range fall on whole rows
 * at equal distances; a label is then never half a row away from its value. */
struct axis_range axis_fit_rows(const struct axis_style *style, double data_min, double data_max,
                                int rows);

/* The position of a value: 0 at min, 1 at max, below 0 or above 1 outside the range. NaN if the
 * value is not finite, or not positive on a logarithmic axis. */
double axis_position(const struct axis_range *range, double value);

/* Fills in at most `wanted` ticks (at most AXIS_TICKS_MAX) in ascending order; returns how many. */
size_t axis_ticks(const struct axis_style *style, const struct axis_range *range, size_t wanted,
                  struct axis_tick ticks[AXIS_TICKS_MAX]);

const char *axis_tick_text(const struct axis_tick *tick);

/* Where item `item` of series `number` begins in y: on top of the stacks before it, or at 0. */
double stack_base(const struct chart *chart, size_t number, size_t item);
