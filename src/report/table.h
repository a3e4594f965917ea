/* Tables for people and for programs: one filled table prints as aligned text, CSV, JSON or
 * Markdown. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_MARKDOWN };

extern const char *const table_format_names[]; /* "table", "csv", "json", "md", ended by NULL */

struct table;

/* Column headers, ended by NULL. A header that starts with '>' is right-aligned; the '>' is not
 * part of it. CSV and JSON name the column by its key: what stands behind a '|' in the header, else
 * the header with everything but letters, digits and dots as '_'. */
struct table *table_create(const char *const *headers); /* NULL: no memory */
void table_free(struct table *table);

/* One cell after the other, row by row. `text` is for people; `number`, where given, is what CSV
 * and JSON print (with full precision; NaN becomes empty / null). A text of NULL is a value that
 * does not exist: empty, null in JSON. A flag is "yes" or "no", true or false in JSON. */
void table_text(struct table *table, const char *text);
void table_flag(struct table *table, bool flag);
void table_number(struct table *table, double number, const char *text);
void table_printf(struct table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* As text the table shall be at most so wide (0: as wide as it is): the last column is wrapped, or
 * where too little is left for it each row becomes a paragraph. Not for tables that are flushed. */
void table_fit(struct table *table, size_t columns);

/* STATUS_MEMORY if any cell could not be kept, STATUS_IO if `out` fails. JSON is an array of
 * objects by key. CSV quotes as RFC 4180. */
enum status table_print(const struct table *table, enum table_format format, FILE *out);

/* table_print and table_free: the end of a table that is printed once. */
enum status table_finish(struct table *table, enum table_format format, FILE *out);

/* For tables of any length: prints the whole rows so far and forgets them; table_print prints the
 * others and the end, always in the same format. Columns of text are as wide as what came until
 * then. */
enum status table_flush(struct table *table, enum table_format format, FILE *out);
size_t table_rows(const struct table *table); /* that are not flushed */

/* The same as a <table>. */
enum status table_print_html(const struct table *table, FILE *out);
