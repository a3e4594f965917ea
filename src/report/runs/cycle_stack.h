/* The cycle stack of depth timing: what the cycles of an SM's schedulers were for, and what those
 * that waited for memory waited for (SLOT_LIST and MEMORY_SLOT_LIST of schema/metrics.h). This
 * module alone says how each part of a level looks, on the screen, in charts and under a report.
 *
 * Invariant: the parts of a bar meet without gaps; each has its share of the cells to within one.
 */
#pragma once

#include "report/drawing/region.h"
#include "schema/metrics.h"

enum stack_level { STACK_CYCLES, STACK_MEMORY, STACK_LEVELS };
enum { STACK_PARTS_MAX = MEMORY_SLOT_COUNT };

size_t cycle_stack_parts(enum stack_level level);
/* "core.stall.data", and in a stack "data". */
const char *cycle_stack_path(enum stack_level level, size_t part);
const char *cycle_stack_name(enum stack_level level, size_t part);
uint32_t cycle_stack_glyph(size_t part, enum glyphs glyphs);
enum role cycle_stack_role(size_t part);

/* The share of a part in all cycles; NaN if no SM had a warp. */
double cycle_stack_share(enum stack_level level, size_t part, const struct metrics *metrics);
/* Whether the shares of a level are known. */
bool cycle_stack_known(enum stack_level level, const struct metrics *metrics);
/* Whether a metric is a part of the stack. */
bool cycle_stack_has(const struct metric *metric);

/* Draws a bar into the row. A full bar is all cycles; what memory waited for stands below memory.
 * `dim`: without colours. */
void cycle_stack_bar(const struct region *region, int row, int column, int width,
                     enum stack_level level, const struct metrics *metrics, enum glyphs glyphs,
                     bool dim);

/* Prints a bar of each level with a legend in up to `columns` columns, a few lines. Prints nothing
 * if the shares are not known. STATUS_MEMORY. */
enum status cycle_stack_print(const struct metrics *metrics, int columns, enum glyphs glyphs,
                              FILE *out);

/* The series of a chart of the first level, one a part, over `count` items. Those that are in
 * `metrics` stand from begin[i] to end[i]; the shares go into `shares`, STACK_PARTS_MAX x count of
 * them. Returns how many series there are. */
size_t cycle_stack_series(const struct metrics *const *metrics, const double *begin,
                          const double *end, size_t count, double *shares, enum glyphs glyphs,
                          struct series series[STACK_PARTS_MAX]);
