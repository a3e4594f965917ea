#include "report/drawing/page.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/printable.h"
#include "report/drawing/html.h"

enum { CELL_WIDTH = 9, CELL_HEIGHT = 18 }; /* size of a character in pixels */

/* Writes escaped text between Markdown marks, which are not escaped. */
static void put_marked(const char *before, const char *text, const char *after, FILE *out)
{
    fputs(before, out);
    printable_write(text, out);
    fputs(after, out);
}

void page_begin(struct page *page, enum page_format format, const char *title, FILE *out)
{
    *page = (struct page){out, format, STATUS_OK};
    if (format == PAGE_HTML)
        html_begin(title, out);
    else if (format == PAGE_TEXT)
        put_marked("", title, "\n", out);
    else
        put_marked("# ", title, "\n", out);
}

enum status page_end(struct page *page)
{
    if (page->format == PAGE_HTML)
        html_end(page->out);
    if (!page->status && ferror(page->out))
        page->status = STATUS_IO;
    return page->status;
}

void page_heading(struct page *page, int level, const char *text)
{
    if (page->format == PAGE_TEXT) {
        put_marked("\n", text, "\n", page->out);
        return;
    }
    if (page->format != PAGE_HTML) {
        fprintf(page->out, "\n%.*s", level, "######");
        put_marked(" ", text, "\n", page->out);
        return;
    }
    fprintf(page->out, "<h%d>", level);
    html_escape(text, page->out);
    fprintf(page->out, "</h%d>\n", level);
}

void page_paragraph(struct page *page, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        page->status = STATUS_MEMORY;
        return;
    }
    if (page->format == PAGE_HTML) {
        fputs("<p>", page->out);
        html_escape(text, page->out);
        fputs("</p>\n", page->out);
    } else {
        put_marked(page->format == PAGE_TEXT ? "" : "\n", text, "\n", page->out);
    }
    free(text);
}

void page_table(struct page *page, struct table *table)
{
    enum status status = STATUS_MEMORY;
    if (table && page->format == PAGE_HTML) {
        status = table_print_html(table, page->out);
    } else if (table && page->format == PAGE_TEXT) {
        table_fit(table, PAGE_COLUMNS);
        status = table_print(table, TABLE_TEXT, page->out);
    } else if (table) {
        fputc('\n', page->out);
        status = table_print(table, TABLE_MARKDOWN, page->out);
    }
    table_free(table);
    page->status = page->status ? page->status : status;
}

void page_code(struct page *page, const char *title, const char *text)
{
    if (page->format == PAGE_HTML) {
        fputs("<details><summary>", page->out);
        html_escape(title, page->out);
        fputs("</summary>\n<pre>", page->out);
        html_escape(text, page->out);
        fputs("</pre></details>\n", page->out);
        return;
    }
    if (page->format == PAGE_TEXT) {
        fprintf(page->out, "\n%s", text);
        return;
    }
    /* Indent the code: unlike with a fence, no text can end the block. */
    put_marked("\n", title, ":\n\n    ", page->out);
    while (*text) {
        bool newline = *text == '\n';
        text = printable_put(text, page->out);
        if (newline && *text)
            fputs("    ", page->out);
    }
    fputc('\n', page->out);
}

void page_chart(struct page *page, const struct chart *chart, const struct svg_style *style)
{
    if (page->format == PAGE_HTML) {
        fputs("<figure>\n", page->out);
        svg_draw(chart, style, page->out);
        fputs("<figcaption>", page->out);
        html_escape(chart->title ? chart->title : "", page->out);
        fputs("</figcaption></figure>\n", page->out);
        return;
    }
    /* Print the title above the picture: some titles are wider than the chart. */
    struct chart picture = *chart;
    picture.title = NULL;
    if (page->format == PAGE_MARKDOWN_ASCII)
        picture.glyphs = GLYPHS_ASCII;
    if (chart->title)
        put_marked("\n**", chart->title, "**\n", page->out);
    fputs("\n```text\n", page->out);
    if (chart_print(&picture, style->height / CELL_HEIGHT, style->width / CELL_WIDTH, page->out))
        page->status = STATUS_MEMORY;
    put_marked("```\n\n", style->description, "\n", page->out);
}
