#include "report/drawing/table.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "report/drawing/html.h"
#include "report/drawing/number.h"

enum { WORD_TEXT = 256 };

struct table_column {
    char *header; /* for people */
    char *key;    /* for programs */
    bool right;
};

struct table_cell {
    char *text; /* NULL: print the number */
    double number;
    bool numeric, flag; /* the number of a flag is 0 or 1 */
};

struct table {
    struct table_column *columns;
    size_t column_count;
    struct table_cell *cells;
    size_t count, capacity;
    size_t most;    /* width of the window; 0: no limit */
    bool failed;    /* a cell could not be kept */
    bool begun;     /* the header and some rows are printed */
    size_t *widths; /* of the columns, over all rows so far; printed rows cannot become wider */
};

const char *const table_format_names[] = {[TABLE_TEXT] = "table",
                                          [TABLE_CSV] = "csv",
                                          [TABLE_JSON] = "json",
                                          [TABLE_MARKDOWN] = "md",
                                          NULL};

/* Makes a name that every program accepts. */
static char *make_key(const char *header)
{
    const char *given = strchr(header, '|');
    char *key = strdup(given ? given + 1 : header), *to = key;
    for (const char *from = key; key && *from; from++) {
        bool plain = isalnum((unsigned char)*from) || *from == '.' || *from == '_';
        if (plain)
            *to++ = *from;
        else if (to > key && to[-1] != '_')
            *to++ = '_';
    }
    while (key && to > key && to[-1] == '_')
        to--;
    if (key)
        *to = '\0';
    return key;
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
        const char *header = headers[i] + table->columns[i].right;
        table->columns[i].header = strndup(header, strcspn(header, "|"));
        table->columns[i].key = make_key(header);
        if (!table->columns[i].header || !table->columns[i].key)
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
    for (size_t i = 0; table->columns && i < table->column_count; i++) {
        free(table->columns[i].header);
        free(table->columns[i].key);
    }
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->columns);
    free(table->cells);
    free(table->widths);
    free(table);
}

/* Takes over the text of the cell. If text is `wanted`, NULL means that its allocation failed. */
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
    if (!text || !strcmp(text, "-")) {
        table_number(table, NAN, text ? text : "");
        return;
    }
    add_cell(table, (struct table_cell){.text = strdup(text)}, true);
}

void table_number(struct table *table, double number, const char *text)
{
    struct table_cell cell = {
        .text = text ? strdup(text) : NULL, .number = number, .numeric = true};
    add_cell(table, cell, text != NULL);
}

void table_decimal(struct table *table, double number, int digits)
{
    char text[40] = "-";
    if (!isnan(number))
        snprintf(text, sizeof text, "%.*f", digits, number);
    table_number(table, number, text);
}

void table_whole(struct table *table, double count)
{
    table_decimal(table, count, 0);
}

void table_percent(struct table *table, double share)
{
    char text[40] = "-";
    if (!isnan(share))
        snprintf(text, sizeof text, "%.2f", 100 * share);
    table_number(table, isfinite(share) ? share : NAN, text);
}

void table_flag(struct table *table, bool flag)
{
    struct table_cell cell = {.text = strdup(flag ? "yes" : "no"), .number = flag, .flag = true};
    add_cell(table, cell, true);
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

/* The text of a cell for people; prints a bare number into `buffer`. "" after the last cell. */
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

/* Prints text for a terminal or a document: on one line, with `|` escaped in Markdown, and with
 * characters escaped that must not be printed raw (base/printable.h). `out` may be NULL to measure.
 * Returns the columns. */
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

static void table_measure(const struct table *table, bool markdown)
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

/* `row` SIZE_MAX is the header. */
static const char *text_at(const struct table *table, size_t row, size_t column,
                           char buffer[NUMBER_TEXT])
{
    return row == SIZE_MAX ? table->columns[column].header
                           : cell_text(table, row * table->column_count + column, buffer);
}

/* One line; `row` SIZE_MAX is the header. */
static void print_row(const struct table *table, size_t row, bool markdown, FILE *out)
{
    const size_t *widths = table->widths;
    size_t pending = 0; /* blanks to print before the next text; a line ends without blanks */
    char buffer[NUMBER_TEXT];
    for (size_t column = 0; column < table->column_count; column++) {
        const char *text = text_at(table, row, column, buffer);
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

/* ---- in a window ---- */

enum { WRAPPED_MIN = 24 /* columns below which wrapped text is hard to read */ };

void table_fit(struct table *table, size_t columns)
{
    table->most = columns;
}

/* Prints words, broken at `width`; indents all lines but the first by `indent`. */
void table_wrap(const char *text, size_t indent, size_t width, FILE *out)
{
    size_t used = 0;
    char word[WORD_TEXT];
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        length = length < WORD_TEXT ? length : WORD_TEXT - 1;
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        size_t columns = print_clean(word, false, NULL);
        if (used && used + 1 + columns > width) {
            putc('\n', out);
            print_repeated(' ', indent, out);
            used = 0;
        }
        print_repeated(' ', used ? 1 : 0, out);
        print_clean(word, false, out);
        used += (used ? 1 : 0) + columns;
        text += length;
    }
    putc('\n', out);
}

/* Prints a row with its last column wrapped. `indent` is where that column begins. */
static void print_wrapped_row(const struct table *table, size_t row, size_t indent, FILE *out)
{
    char buffer[NUMBER_TEXT];
    const size_t last = table->column_count - 1;
    for (size_t column = 0; column < last; column++) {
        const char *text = text_at(table, row, column, buffer);
        size_t blanks = table->widths[column] - print_clean(text, false, NULL);
        print_repeated(' ', table->columns[column].right ? blanks : 0, out);
        print_clean(text, false, out);
        print_repeated(' ', (table->columns[column].right ? 0 : blanks) + 2, out);
    }
    table_wrap(text_at(table, row, last, buffer), indent, table->most - indent, out);
}

/* Prints the first cell, and the others below it with their headers. */
static void print_paragraph(const struct table *table, size_t row, FILE *out)
{
    char buffer[NUMBER_TEXT];
    size_t header = 0;
    for (size_t column = 1; column < table->column_count; column++) {
        size_t width = print_clean(table->columns[column].header, false, NULL);
        header = width > header ? width : header;
    }
    const size_t indent = header + 4;
    print_clean(text_at(table, row, 0, buffer), false, out);
    putc('\n', out);
    for (size_t column = 1; column < table->column_count; column++) {
        const char *text = text_at(table, row, column, buffer);
        if (!*text)
            continue;
        size_t width = print_clean(table->columns[column].header, false, NULL);
        print_repeated(' ', 2, out);
        print_clean(table->columns[column].header, false, out);
        print_repeated(' ', indent - 2 - width, out);
        table_wrap(text, indent, table->most > indent + 1 ? table->most - indent : 1, out);
    }
}

/* If the table is wider than its window, prints it wrapped and returns true. */
static bool print_fitting(const struct table *table, FILE *out)
{
    size_t indent = 0, columns = table->column_count;
    for (size_t i = 0; i + 1 < columns; i++)
        indent += table->widths[i] + 2;
    if (!table->most || columns < 2 || indent + table->widths[columns - 1] <= table->most)
        return false;
    bool wrapped = indent + WRAPPED_MIN <= table->most;
    if (wrapped)
        print_wrapped_row(table, SIZE_MAX, indent, out);
    for (size_t row = 0; row < row_count(table); row++)
        if (wrapped)
            print_wrapped_row(table, row, indent, out);
        else
            print_paragraph(table, row, out);
    return true;
}

static void print_aligned(const struct table *table, bool markdown, FILE *out)
{
    table_measure(table, markdown);
    if (!markdown && print_fitting(table, out))
        return;
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
        print_csv_field(table->columns[column].key, out);
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

static json_t *cell_json(const struct table *table, size_t index)
{
    if (index >= table->count)
        return json_null();
    const struct table_cell *cell = &table->cells[index];
    if (cell->flag)
        return json_boolean(cell->number != 0);
    return cell->numeric ? number_json(cell->number) : text_json(cell->text);
}

/* One row as an object; NULL: no memory. */
static json_t *row_json(const struct table *table, size_t row)
{
    json_t *object = json_object();
    for (size_t column = 0; object && column < table->column_count; column++) {
        json_t *value = cell_json(table, row * table->column_count + column);
        if (json_object_set_new(object, table->columns[column].key, value)) {
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

/* Cells of more bytes are sentences: lines of them wrap. */
enum { CELL_WRAPPED = 40 };

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
            const char *text = cell_text(table, row * table->column_count + i, buffer);
            fprintf(out, "<td%s>",
                    table->columns[i].right       ? " class=\"n\""
                    : strlen(text) > CELL_WRAPPED ? " class=\"t\""
                                                  : "");
            html_escape(text, out);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    return ferror(out) ? STATUS_IO : STATUS_OK;
}
