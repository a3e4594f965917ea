/* A document as HTML with inline SVG, or as Markdown with charts of characters, of ASCII alone
 * where a terminal has no others. */
#pragma once

#include "report/svg.h"
#include "report/table.h"

enum page_format { PAGE_HTML, PAGE_MARKDOWN, PAGE_MARKDOWN_ASCII };

struct page {
    FILE *out;
    enum page_format format;
    enum status status; /* the first failure; everything after it does nothing */
};

void page_begin(struct page *page, enum page_format format, const char *title, FILE *out);
enum status page_end(struct page *page);

void page_heading(struct page *page, int level, const char *text);
void page_paragraph(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Takes over and frees the table; NULL is STATUS_MEMORY. */
void page_table(struct page *page, struct table *table);
/* Text as it stands; folded away under `title` in HTML. */
void page_code(struct page *page, const char *title, const char *text);
/* In HTML charts that follow each other stand side by side where there is room. */
void page_chart(struct page *page, const struct chart *chart, const struct svg_style *style);
