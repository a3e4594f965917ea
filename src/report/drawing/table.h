/* Tables for people and for programs: a table is filled once and prints as aligned text, CSV, JSON
 * or Markdown. All commands print their results through it, so --format means the same everywhere.
 *
 * Invariant: text is for people and may be rounded; CSV and JSON get the full double. Errors are
 * sticky: if a cell cannot be stored, the table prints nothing and returns STATUS_MEMORY. Cost: all
 * cells stay in memory until table_flush or table_free. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_MARKDOWN };

extern const char *const table_format_names[]; /* "table", "csv", "json", "md", ended by NULL */

struct table;

/* Column headers, ended by NULL. A leading '>' right-aligns the column and is not printed. CSV and
 * JSON name the column by its key: the text after '|' in the header or, without one, the header
 * with each run of other characters than letters, digits and dots as one '_'. */
struct table *table_create(const char *const *headers); /* NULL: no memory */
void table_free(struct table *table);

/* Append cells one after another, row by row. `text` is for people; `number` is what CSV and JSON
 * print, in full precision (NaN: empty / null). A NULL text, or "-", is a missing value: empty in
 * CSV, null in JSON. A flag is "yes" or "no" for people, true or false in JSON. */
void table_text(struct table *table, const char *text);
void table_flag(struct table *table, bool flag);
/* Numbers that people read as "-" if they are NaN: with so many decimals, whole, and a share as a
 * percentage with two. */
void table_decimal(struct table *table, double number, int digits);
void table_whole(struct table *table, double count);
void table_percent(struct table *table, double share);
void table_number(struct table *table, double number, const char *text);
void table_printf(struct table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Limits the width of TABLE_TEXT (0: no limit). The last column is wrapped; if too little room is
 * left for it, each row becomes a paragraph. Not for tables that are flushed. */
void table_fit(struct table *table, size_t columns);

/* Prints text that begins in column `indent`, broken at blanks after `width` columns, and indented
 * so from its second line on. */
void table_wrap(const char *text, size_t indent, size_t width, FILE *out);

/* Prints the table. STATUS_MEMORY if a cell could not be stored, STATUS_IO if `out` fails. JSON is
 * an array of objects by key. CSV is quoted as in RFC 4180. */
enum status table_print(const struct table *table, enum table_format format, FILE *out);

/* table_print followed by table_free. */
enum status table_finish(struct table *table, enum table_format format, FILE *out);

/* For tables of any length: prints the complete rows so far and frees them. table_print then prints
 * the rest and the end; the format must stay the same. Text columns are as wide as the cells seen
 * so far, so later rows may be out of line. */
enum status table_flush(struct table *table, enum table_format format, FILE *out);
size_t table_rows(const struct table *table); /* rows not flushed yet */

/* Prints the table as a <table> element. */
enum status table_print_html(const struct table *table, FILE *out);
