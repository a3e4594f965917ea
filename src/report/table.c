#include "report/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"
#include "report/html.h"
#include "report/number.h"
#include "report/utf8.h"

struct table_column {
    char *header;
    bool right;
};

struct table_cell {
    char *text; /* NULL: the number itself */
    double number;
    bool numeric;
};

struct table {
    struct table_column *columns;
    size_t column_count;
    struct table_cell *cells;
    size_t count, capacity;
    bool failed;    /* a cell could not be kept */
    bool begun;     /* rows were flushed, behind the header */
    size_t *widths; /* of the columns, from all rows so far; what was flushed cannot be narrower */
};

enum status table_format_parse(const char *text, enum table_format *format)
{
    static const char *const names[] = {[TABLE_TEXT] = "table",
                                        [TABLE_CSV] = "csv",
                                        [TABLE_JSON] = "json",
                                        [TABLE_MARKDOWN] = "md"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(text, names[i])) {
            *format = (enum table_format)i;
            return STATUS_OK;
        }
    return STATUS_INVALID;
}

struct table *table_create(const char *const *headers)
{
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    while (headers[table->column_count])
        table->column_count++;
    table->columns = calloc(table->column_count + 1, sizeof *table->columns);
    table->widths = calloc(table->column_count + 1, sizeof *table->widths);
    if (!table->columns || !table->widths)
        goto failed;
    for (size_t i = 0; i < table->column_count; i++) {
        table->columns[i].right = headers[i][0] == '>';
        table->columns[i].header = strdup(headers[i] + table->columns[i].right);
        if (!table->columns[i].header)
            goto failed;
    }
    return table;
failed:
    table_free(table);
    return NULL;
}

void table_free(struct table *table)
{
    if (!table)
        return;
    for (size_t i = 0; table->columns && i < table->column_count; i++)
        free(table->columns[i].header);
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->columns);
    free(table->cells);
    free(table->widths);
    free(table);
}

/* Takes over `text`; a NULL of `wanted` text is a failed allocation. */
static void add_cell(struct table *table, struct table_cell cell, bool wanted)
{
    if ((wanted && !cell.text) ||
        array_reserve(&table->cells, &table->capacity, table->count + 1)) {
        free(cell.text);
        table->failed = true;
        return;
    }
    table->cells[table->count++] = cell;
}

void table_text(struct table *table, const char *text)
{
    add_cell(table, (struct table_cell){.text = strdup(text)}, true);
}

void table_number(struct table *table, double number, const char *text)
{
    struct table_cell cell = {
        .text = text ? strdup(text) : NULL, .number = number, .numeric = true};
    add_cell(table, cell, text != NULL);
}

void table_printf(struct table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct table_cell cell = {0};
    if (vasprintf(&cell.text, format, arguments) < 0)
        cell.text = NULL;
    va_end(arguments);
    add_cell(table, cell, true);
}

/* The text of a cell for people, `buffer` where it is only a number; "" beyond the last cell. */
static const char *cell_text(const struct table *table, size_t index, char buffer[NUMBER_TEXT])
{
    if (index >= table->count)
        return "";
    const struct table_cell *cell = &table->cells[index];
    return cell->text ? cell->text : number_print(cell->number, buffer);
}

static size_t row_count(const struct table *table)
{
    size_t columns = table->column_count;
    return columns ? (table->count + columns - 1) / columns : 0;
}

/* Text for a terminal or a document: one line, `|` escaped in Markdown, and what must not be
 * printed as it is (base/printable.h). `out` may be NULL to measure. Returns the columns. */
static size_t print_clean(const char *text, bool markdown, FILE *out)
{
    size_t columns = 0;
    while (*text) {
        const char *at = text;
        bool blank = *at == '\n' || *at == '\t', escaped = markdown && *at == '|';
        bool printable = printable_length(at) > 0;
        columns += printable ? (size_t)utf8_width(utf8_next(&text)) + escaped : PRINTABLE_ESCAPE;
        text += !printable;
        if (out && escaped)
            putc('\\', out);
        if (out)
            printable_put(blank ? " " : at, out);
    }
    return columns;
}

static void measure(const struct table *table, bool markdown)
{
    char buffer[NUMBER_TEXT];
    size_t *widths = table->widths;
    for (size_t column = 0; column < table->column_count; column++) {
        size_t header = print_clean(table->columns[column].header, markdown, NULL);
        if (markdown && header < 3)
            header = 3; /* the rule below the header is at least "---" */
        if (header > widths[column])
            widths[column] = header;
        for (size_t i = column; i < table->count; i += table->column_count) {
            size_t width = print_clean(cell_text(table, i, buffer), markdown, NULL);
            if (width > widths[column])
                widths[column] = width;
        }
    }
}

static void print_repeated(int character, size_t count, FILE *out)
{
    while (count--)
        putc(character, out);
}

/* One line; `row` SIZE_MAX is the header. */
static void print_row(const struct table *table, size_t row, bool markdown, FILE *out)
{
    const size_t *widths = table->widths;
    size_t pending = 0; /* blanks that only a later text makes worth printing */
    char buffer[NUMBER_TEXT];
    for (size_t column = 0; column < table->column_count; column++) {
        const char *text = row == SIZE_MAX
                               ? table->columns[column].header
                               : cell_text(table, row * table->column_count + column, buffer);
        size_t blanks = widths[column] - print_clean(text, markdown, NULL);
        size_t before = table->columns[column].right ? blanks : 0;
        if (markdown) {
            fputs(column ? " | " : "| ", out);
            print_repeated(' ', before, out);
            print_clean(text, true, out);
            print_repeated(' ', blanks - before, out);
            continue;
        }
        if (column)
            pending += 2;
        if (*text) {
            print_repeated(' ', pending + before, out);
            print_clean(text, false, out);
            pending = blanks - before;
        } else {
            pending += widths[column];
        }
    }
    fputs(markdown ? " |\n" : "\n", out);
}

static void print_rule(const struct table *table, FILE *out)
{
    for (size_t column = 0; column < table->column_count; column++) {
        bool right = table->columns[column].right;
        fputs(column ? " | " : "| ", out);
        print_repeated('-', table->widths[column] - right, out);
        fputs(right ? ":" : "", out);
    }
    fputs(table->column_count ? " |\n" : "", out);
}

static void print_aligned(const struct table *table, bool markdown, FILE *out)
{
    measure(table, markdown);
    if (!table->begun)
        print_row(table, SIZE_MAX, markdown, out);
    if (!table->begun && markdown)
        print_rule(table, out);
    for (size_t row = 0; row < row_count(table); row++)
        print_row(table, row, markdown, out);
}

static void print_csv_field(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

static void print_csv(const struct table *table, FILE *out)
{
    for (size_t column = 0; !table->begun && column < table->column_count; column++) {
        fputs(column ? "," : "", out);
        print_csv_field(table->columns[column].header, out);
    }
    if (!table->begun)
        putc('\n', out);
    for (size_t i = 0; i < row_count(table) * table->column_count; i++) {
        size_t column = i % table->column_count;
        char buffer[NUMBER_TEXT];
        fputs(column ? "," : "", out);
        if (i < table->count && table->cells[i].numeric)
            fputs(number_print(table->cells[i].number, buffer), out);
        else
            print_csv_field(cell_text(table, i, buffer), out);
        if (column + 1 == table->column_count)
            putc('\n', out);
    }
}

/* One row as an object; NULL: no memory. */
static json_t *row_json(const struct table *table, size_t row)
{
    json_t *object = json_object();
    for (size_t column = 0; object && column < table->column_count; column++) {
        size_t i = row * table->column_count + column;
        char buffer[NUMBER_TEXT];
        json_t *value = i >= table->count         ? json_null()
                        : table->cells[i].numeric ? number_json(table->cells[i].number)
                                                  : text_json(cell_text(table, i, buffer));
        if (json_object_set_new(object, table->columns[column].header, value)) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

static enum status print_json(const struct table *table, bool last, FILE *out)
{
    size_t rows = row_count(table);
    for (size_t row = 0; row < rows; row++) {
        json_t *object = row_json(table, row);
        if (!object)
            return STATUS_MEMORY;
        fputs(row || table->begun ? ",\n " : "[", out);
        json_dumpf(object, out, JSON_ENSURE_ASCII);
        json_decref(object);
    }
    if (last)
        fputs(rows || table->begun ? "]\n" : "[]\n", out);
    return STATUS_OK;
}

static enum status print(const struct table *table, enum table_format format, bool last, FILE *out)
{
    if (table->failed)
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    switch (format) {
    case TABLE_TEXT:
    case TABLE_MARKDOWN:
        print_aligned(table, format == TABLE_MARKDOWN, out);
        break;
    case TABLE_CSV:
        print_csv(table, out);
        break;
    case TABLE_JSON:
        status = print_json(table, last, out);
        break;
    }
    if (!status && (fflush(out) || ferror(out)))
        return STATUS_IO;
    return status;
}

enum status table_print(const struct table *table, enum table_format format, FILE *out)
{
    return print(table, format, true, out);
}

enum status table_finish(struct table *table, enum table_format format, FILE *out)
{
    enum status status = table_print(table, format, out);
    table_free(table);
    return status;
}

enum status table_flush(struct table *table, enum table_format format, FILE *out)
{
    if (!table->failed && !table->count)
        return STATUS_OK;
    enum status status = print(table, format, false, out);
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    table->count = 0;
    table->begun = true;
    return status;
}

size_t table_rows(const struct table *table)
{
    return row_count(table);
}

enum status table_print_html(const struct table *table, FILE *out)
{
    char buffer[NUMBER_TEXT];
    if (table->failed)
        return STATUS_MEMORY;
    fputs("<div class=\"wide\"><table>\n<thead><tr>", out);
    for (size_t i = 0; i < table->column_count; i++) {
        fprintf(out, "<th scope=\"col\"%s>", table->columns[i].right ? " class=\"n\"" : "");
        html_escape(table->columns[i].header, out);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t row = 0; row < row_count(table); row++) {
        fputs("<tr>", out);
        for (size_t i = 0; i < table->column_count; i++) {
            fprintf(out, "<td%s>", table->columns[i].right ? " class=\"n\"" : "");
            html_escape(cell_text(table, row * table->column_count + i, buffer), out);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    return ferror(out) ? STATUS_IO : STATUS_OK;
}
