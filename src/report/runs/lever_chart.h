/* The tornado chart of levers (explore/explain/levers.h): one bar per parameter, from what its
 * worst setting does to the metric to what its best one does, the best one on top.
 *
 * Invariant: the ends of a bar are gains of experiments that ran; 0 is the machine itself; a bar
 * that ends at the edge of the chart goes on. Cost: the levers times the parameters among them. */
#pragma once

#include "explore/explain/levers.h"
#include "report/drawing/cells.h"

enum { LEVER_CHART_BARS = 40, LEVER_CHART_NAME = 32 };

struct lever_chart {
    char names[LEVER_CHART_BARS][LEVER_CHART_NAME];         /* of parameters, the best one last */
    double least[LEVER_CHART_BARS], most[LEVER_CHART_BARS]; /* gains, with 0 among them */
    size_t count;
};

/* The best `bars` of all parameters that move the metric. */
void lever_chart_make(const struct levers *levers, size_t bars, struct lever_chart *chart);

/* Makes and draws one that has a row for each bar. */
void lever_chart_draw(const struct levers *levers, const struct metric *metric, enum glyphs glyphs,
                      struct cells *cells, int row, int column, int rows, int columns);
/* Prints one of at most `bars` bars; nothing where no lever moves the metric. STATUS_MEMORY. */
enum status lever_chart_print(const struct levers *levers, const struct metric *metric, size_t bars,
                              enum glyphs glyphs, int columns, FILE *out);
