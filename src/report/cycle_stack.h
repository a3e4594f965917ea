/* The cycle stack: what the cycles of an SM's schedulers were for (SLOT_LIST of schema/metrics.h),
 * as bars of characters, one character a kind of cycle. A bar of many cells is the metrics of one
 * run or of a part of it.
 *
 * Invariant: the kinds fill a bar exactly; each has its share of the cells to within one. */
#pragma once

#include "report/cells.h"
#include "schema/metrics.h"

/* "issued", "data", "memory", ... */
const char *cycle_stack_name(enum core_slot slot);
/* The character of a kind: a block or '#' for issued, '.' for idle, else the first letter. */
uint32_t cycle_stack_glyph(enum core_slot slot, enum glyphs glyphs);
enum role cycle_stack_role(enum core_slot slot);

/* The share of a kind; NaN if no SM had a warp. */
double cycle_stack_share(const struct metrics *metrics, enum core_slot slot);
/* The kind in each of `cells` cells of a bar; false if no SM had a warp. */
bool cycle_stack_fill(const struct metrics *metrics, int cells, enum core_slot *kinds);

/* Prints a bar with a legend in up to `columns` columns, a few lines. Prints nothing if the shares
 * are not known. STATUS_MEMORY. */
enum status cycle_stack_print(const struct metrics *metrics, int columns, enum glyphs glyphs,
                              FILE *out);
