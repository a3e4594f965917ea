/* Histograms of reuse distances, and misses by instruction, as people read them. The explorer and
 * `run --histogram`, `--by-pc` show the same chart and tables. The models that produce the data are
 * reuse/histogram.h and cache/pc_table.h. */
#pragma once

#include "model/cache/pc_table.h"
#include "model/reuse/distance_histogram.h"
#include "report/drawing/cells.h"
#include "report/drawing/table.h"
#include "schema/metrics.h"

/* Draws the shares of the accesses by distance, in bins that double in width. The marker is at the
 * distance from which accesses miss. */
void reuse_chart_draw(const struct reuse_bins *bins, const char *title, enum glyphs glyphs,
                      struct cells *cells, int row, int column, int rows, int columns);

/* TABLE_TEXT prints the bins, the other formats every distance. */
enum status reuse_histogram_print(const struct reuse_histogram *histogram,
                                  const struct reuse_bins *bins, enum table_format format,
                                  FILE *out);

/* The first `most` instructions of a sorted table (0: all), and the others as one row. `classes`:
 * the run has classified its misses. The caller frees the table; NULL if out of memory. */
struct table *pc_table_rows(const struct pc_table *pcs, size_t most, enum depth depth,
                            bool classes);
enum status pc_table_print(const struct pc_table *pcs, size_t most, enum depth depth, bool classes,
                           enum table_format format, FILE *out);

/* "compulsory", "capacity", "associativity" (functional: "conflict"), ... */
const char *miss_class_name(enum miss_class class, enum depth depth);
const char *miss_class_brief(enum miss_class class, enum depth depth); /* "comp", "cap", ... */
/* The classes that a depth distinguishes, in display order; returns how many. */
size_t miss_classes(enum depth depth, enum miss_class classes[MISS_CLASSES]);
