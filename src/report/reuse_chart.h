/* Reuse distances and instructions as people look at them: the screen and `warpscape run` show the
 * same. */
#pragma once

#include "model/cache/pc_table.h"
#include "model/reuse/histogram.h"
#include "report/cells.h"
#include "report/table.h"
#include "schema/metrics.h"

/* Shares of the accesses by distance, in bins that double; the mark stands where hits end. */
void reuse_chart_draw(const struct reuse_bins *bins, const char *title, enum glyphs glyphs,
                      struct cells *cells, int row, int column, int rows, int columns);

enum { REUSE_BIN_TEXT = 32 };

/* "0", "2-3", "4-7"; `text` holds REUSE_BIN_TEXT bytes. Returns it. */
const char *reuse_bin_text(size_t bin, char *text);

/* TABLE_TEXT: bins; else every distance. */
enum status reuse_histogram_print(const struct reuse_histogram *histogram,
                                  const struct reuse_bins *bins, enum table_format format,
                                  FILE *out);

/* The instructions of a sorted table, at most `most` of them and the rest as one row (0: all).
 * `classes`: the classes of misses are known. */
enum status pc_table_print(const struct pc_table *pcs, size_t most, enum depth depth, bool classes,
                           enum table_format format, FILE *out);

/* "compulsory", "capacity", "associativity" (functional: "conflict"), ... */
const char *miss_class_name(enum miss_class class, enum depth depth);
/* How many of them a depth knows: they come first. */
size_t miss_class_count(enum depth depth);
