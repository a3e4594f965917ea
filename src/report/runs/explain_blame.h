/* Tables of blame (explore/explain/blaming.h): for each cache the arrays, instructions, launches
 * and sets with the most misses, who evicts whom, and what each array would gain. For
 * explain_report.c. */
#pragma once

#include <jansson.h>

#include "explore/explain/blaming.h"
#include "report/drawing/page.h"

/* Prints the tables for people, at most `limit` rows of each (0: all). */
void explain_blame_print(const struct blaming *blaming, const struct metric *metric, double noise,
                         uint64_t limit, struct page *page);

/* All rows as one CSV. STATUS_MEMORY, STATUS_IO. */
enum status explain_blame_csv(const struct blaming *blaming, FILE *out);

/* "blame" and "evictions" of the JSON; NULL: no memory. */
json_t *explain_blame_json(const struct blaming *blaming);
json_t *explain_evictions_json(const struct blaming *blaming);
