/* A run at the timing depth launch by launch and over time (model/timing/base/timing_log.h): tables
 * of metrics of each part, and a chart over time of the cycle stack (report/runs/cycle_stack.h)
 * with a line each for instructions, misses and DRAM. */
#pragma once

#include "model/timing/base/timing_log.h"
#include "report/drawing/page.h"
#include "trace/stream.h"

/* A row a launch, with what `depth` answers; `known`: without what this machine has not. The caller
 * frees the table; NULL if out of memory. */
struct table *launches_table(const struct timing_parts *launches, const struct trace_source *source,
                             enum depth depth, bool known);
enum status launches_print(const struct timing_parts *launches, const struct trace_source *source,
                           enum depth depth, enum table_format format, FILE *out);
/* A row an interval. */
enum status timeline_print(const struct timing_parts *times, enum table_format format, FILE *out);

/* What the chart over time shows: "cycles of schedulers over time", and of a scene "load of the
 * banks over time". */
const char *timeline_what(const struct timing_part *items, size_t count);

/* The most intervals that a chart of this width can show; at least 1. */
int timeline_width(int columns);

struct timeline_chart {
    const struct timing_part *items;
    size_t count;  /* at most INTERVALS_MAX */
    size_t cursor; /* the interval under the cursor; `count`: none */
    const char *title;
    enum glyphs glyphs;
};

/* Draws the intervals from left to right. If there is little room, the lines under the stack, its
 * axes and its legend are left out. */
void timeline_draw(const struct timeline_chart *chart, struct cells *cells, int row, int column,
                   int rows, int columns);

/* The same as pictures of a page (report/drawing/page.h): the stack, instructions and the DRAM. */
void timeline_page(struct page *page, const struct timing_part *items, size_t count,
                   const char *workload);
