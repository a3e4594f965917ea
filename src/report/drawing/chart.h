/* Which point of a chart (report/drawing/cells.h) a place on it means, for a mouse. The layout is
 * that of chart_draw, by the same code. */
#pragma once

#include "report/drawing/cells.h"

/* The point of the first series whose column is nearest to this one, in a chart of this size;
 * SIZE_MAX: there is none. Costs a layout. */
size_t chart_nearest(const struct chart *chart, int rows, int columns, int column);
