/* The tables of a ladder (explore/explain/ladder.h): limits alone, rungs and pairs, for
 * explain_report.c. */
#pragma once

#include "explore/explain/explain.h"
#include "report/drawing/page.h"

/* Prints the tables for people, at most `limit` limits (0: all). */
void explain_ladder_print(const struct explanation *explanation, uint64_t limit, struct page *page);

/* Adds the rows of a CSV with the columns of explain_csv_headers. */
extern const char *const explain_csv_headers[];
void explain_ladder_csv(const struct explanation *explanation, struct table *table);

/* Adds one row to such a CSV; NaN: empty. */
struct explain_csv_row {
    const char *part, *name, *level;
    double share, value, cycles, gain, held, noise, area, bits, energy;
};
/* A row of which only this is known. */
struct explain_csv_row explain_csv_row(const char *part, const char *name);
void explain_csv_add(struct table *table, const struct explain_csv_row *row);

/* The header of a column of gains: what a change saves, or gains. */
const char *explain_gain_header(const struct metric *metric);
/* A gain in percent, with ~ in front where it is within the noise. */
void explain_add_gain(struct table *table, double gain, double noise);

/* Prints and frees a table of which `left` rows are not shown, and says what they are. */
void explain_finish(struct table *table, size_t left, const char *what, struct page *page);
/* How many of `count` rows are shown where people want at most `limit`; 0: all. */
static inline size_t explain_rows(size_t count, uint64_t limit)
{
    return limit && limit < count ? (size_t)limit : count;
}
