/* The picture of a curve: a metric over one parameter. The screen and `run --curve` draw the same.
 *
 * Choices (an index function, a switch) are bars; numbers stand on an axis, a logarithmic one where
 * they double. Its ends are those of all values, known or not, so nothing moves sideways while
 * values come in. Counts that differ by orders of magnitude stand on a logarithmic axis too. */
#pragma once

#include "report/cells.h"
#include "schema/metrics.h"

struct curve_picture {
    const struct parameter *parameter;
    const struct parameter *follower; /* what changes with it (curve_follower), or NULL */
    const struct metric *metric;
    const struct value *values; /* ascending */
    const double *y, *error;    /* NaN: not known; `error` may be NULL */
    size_t count;
    size_t own;    /* the value that the machine has; count: none of these */
    size_t cursor; /* a value to point at; count: none */
    bool dim;      /* of a question before: the answer to the newest is not there yet */
    const char *title, *own_label; /* may be NULL */
    enum glyphs glyphs;
};

enum { CURVE_CHART_MAX = 64 }; /* values; more are not drawn */

void curve_chart_draw(const struct curve_picture *picture, struct cells *cells, int row, int column,
                      int rows, int columns);
