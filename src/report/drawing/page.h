/* A document in one of three forms: HTML with inline SVG, Markdown with charts of characters, or
 * text for a terminal of PAGE_COLUMNS. A report is written once, against these calls.
 *
 * Errors are sticky: the first failure stays in `status`, the calls after it do nothing, and
 * page_end returns it. */
#pragma once

#include "report/drawing/svg.h"
#include "report/drawing/table.h"

enum page_format { PAGE_HTML, PAGE_MARKDOWN, PAGE_MARKDOWN_ASCII, PAGE_TEXT };
enum { PAGE_COLUMNS = 80 };

struct page {
    FILE *out;
    enum page_format format;
    enum status status; /* the first failure; later calls do nothing */
};

/* Starts a document on `out`. */
void page_begin(struct page *page, enum page_format format, const char *title, FILE *out);
/* Ends it. Returns the first failure; STATUS_IO if `out` failed. */
enum status page_end(struct page *page);

void page_heading(struct page *page, int level, const char *text);
void page_paragraph(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints and frees the table. A NULL table counts as STATUS_MEMORY. */
void page_table(struct page *page, struct table *table);
/* Preformatted text; in HTML folded away under `title`, which plain text leaves out. */
void page_code(struct page *page, const char *title, const char *text);
/* In HTML consecutive charts are placed side by side if there is room. */
void page_chart(struct page *page, const struct chart *chart, const struct svg_style *style);
