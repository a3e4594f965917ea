/* The columns of a .wtr chunk that say which instructions its warps issue (docs/FORMATS.md). Only
 * chunks of launches whose instructions are known have them.
 *
 * A run is a piece of straight code that a warp issues with one mask: about ten instructions in
 * real kernels. Runs are not expanded when a chunk is decoded, but when a window is filled, so a
 * decoded chunk stays small and reading costs little more than writing the window. */
#pragma once

#include "trace/wtr_columns.h"
#include "trace/wtr_numbers.h"

enum { WTR_ISSUE_COLUMNS = 4 };

/* The most bytes that these columns of a chunk take. */
size_t wtr_issues_bound(const struct wtr_chunk *chunk);

/* Writes column `column` (0 to WTR_ISSUE_COLUMNS - 1) at `at`; returns its end. */
uint8_t *wtr_encode_issues(const struct wtr_chunk *chunk, int column, uint8_t *at);

/* Reads the columns, which may hold anything, into `chunk`, whose spans and records have been read.
 * STATUS_CORRUPT if they do not fit the code and the records: *what says why. */
enum status wtr_decode_issues(struct wtr_cursor columns[WTR_ISSUE_COLUMNS],
                              const struct trace_code *code, struct wtr_chunk *chunk,
                              const char **what);

/* Where a reader of a span's instructions is; all zero at the start, but for `run` and `bank`,
 * which start at those of the span. */
struct wtr_issue_position {
    uint32_t run, within; /* in the chunk's runs, and instructions of that run that were read */
    uint32_t issued;      /* instructions of the span that were read */
    uint32_t record;      /* records of the span among them */
    uint32_t bank;        /* in the chunk's banks */
};

/* Fills a window with the next instructions of a span; false if none follow. */
bool wtr_copy_issues(const struct wtr_chunk *chunk, const struct wtr_span *span,
                     struct wtr_issue_position *position, struct instruction_window *window);
