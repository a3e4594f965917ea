/* The chart of a curve: a metric as a function of one parameter. The explorer and `run --curve`
 * draw the same chart.
 *
 * Choices (an index function, a switch) are bars. Numbers are on an axis, which is logarithmic if
 * the parameter grows by doubling; so is the axis of a metric that spans orders of magnitude.
 * Invariant: the x axis covers all values of the curve, also those not yet known, so nothing moves
 * sideways while results come in. Cost: no allocation; at most CURVE_CHART_MAX values. */
#pragma once

#include "report/drawing/cells.h"
#include "schema/metrics.h"

/* Another machine, which is not of the curve: a point at its own value of the parameter. */
struct curve_other {
    size_t index; /* in the values of the curve */
    double y;
    const char *name;
};

enum { CURVE_OTHERS = 4 };

struct curve_picture {
    const struct parameter *parameter;
    const struct parameter *follower; /* changes along (curve_follower), or NULL */
    const struct metric *metric;
    const struct value *values; /* ascending */
    const double *y, *error;    /* NaN: not known yet; `error` (half widths) may be NULL */
    size_t count;
    size_t own;    /* index of the value that the machine has now; `count`: none */
    size_t cursor; /* index of the value under the cursor; `count`: none */
    bool dim;      /* these are older results: those of the newest request are not there yet */
    const char *title, *own_label; /* may be NULL */
    struct curve_other others[CURVE_OTHERS];
    size_t other_count;
    enum glyphs glyphs;
};

enum { CURVE_CHART_MAX = 64 }; /* how many values are drawn at most */

void curve_chart_draw(const struct curve_picture *picture, struct cells *cells, int row, int column,
                      int rows, int columns);
/* The index of the value whose column is nearest to this one; SIZE_MAX: there is none. */
size_t curve_chart_nearest(const struct curve_picture *picture, int rows, int columns, int column);
