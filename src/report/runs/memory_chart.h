/* The memory chart: what a machine's memory hierarchy is made of, as boxes with the numbers of a
 * run, and what lies next to what. It is a table of boxes (memory_chart.c) drawn by one function,
 * for GPUs, SIMT processors and tile caches alike; a line per box where there is no room.
 *
 * Invariant: a box is there if one of its metrics has a value, stalls aside; a number is that of
 * the metric whose path its row of the table has. Cost: no allocation. */
#pragma once

#include "explore/explain/ladder.h"
#include "report/drawing/page.h"
#include "schema/metrics.h"

enum { MEMORY_CHART_COLUMNS = 80 }; /* the fewest that it is legible in, at 18 rows */

struct memory_chart {
    const struct metrics *metrics;
    const struct ladder
        *ladder; /* what leaving a box's limits out saves, as far as known; or NULL */
    const struct metric *explained; /* of the ladder */
    enum glyphs glyphs;
    int selected; /* the box that stands out, from 0; -1: none */
};

/* The boxes that a run has. */
int memory_chart_count(const struct metrics *metrics);
/* The name of one of them, and the parameter where one begins to change it. */
const char *memory_chart_name(const struct metrics *metrics, int box);
const char *memory_chart_knob(const struct metrics *metrics, int box);

/* What the labels of its numbers stand for: "L1D: acc l1d.accesses, miss l1d.miss_rate". */
void memory_chart_legend(const struct metrics *metrics, int box, char *text, size_t size);

void memory_chart_draw(const struct memory_chart *chart, struct cells *cells, int row, int column,
                       int rows, int columns);
/* Prints it in so many columns. STATUS_MEMORY. */
enum status memory_chart_print(const struct memory_chart *chart, int columns, FILE *out);
/* Writes it as one <svg> element. The caller checks `out` for errors. */
void memory_chart_svg(const struct memory_chart *chart, FILE *out);
/* Adds it to a page: as SVG to HTML, else as text. Nothing where no box is there. */
void memory_chart_page(const struct memory_chart *chart, struct page *page);
