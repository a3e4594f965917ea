#include "explore/papers/row_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "trace/csv_line.h"

enum { COLUMNS_MAX = 256, ROWS_MAX = 1000000, CELLS_MAX = 1 << 24, COUNT_MAX = 1000000 };

const char *const row_text_names[ROW_TEXTS] = {
#define TEXT_NAME(id, name, help) [ROW_##id] = (name),
    ROW_TEXT_LIST(TEXT_NAME)
#undef TEXT_NAME
};

static const char *const probe_names[ROW_PROBES] = {[ROW_PROBE_NONE] = "",
#define PROBE_NAME(id, name, help) [ROW_PROBE_##id] = (name),
                                                    ROW_PROBE_LIST(PROBE_NAME)
#undef PROBE_NAME
};

struct row_reader {
    struct text_reader text;
    const struct row_dialect *dialect;
    struct row_file *rows;
    char *line; /* a copy of the line, cut into cells */
};

/* The place of a cell in the line that it was copied from. */
static const char *place_of(const struct row_reader *reader, const char *cell)
{
    return reader->text.line + (cell - reader->line);
}

/* ---- the header ---- */

static char *trim(char *text)
{
    text += strspn(text, " \t");
    for (size_t length = strlen(text); length && strchr(" \t", text[length - 1]);)
        text[--length] = '\0';
    return text;
}

static enum row_text find_text(const char *name)
{
    enum row_text text = 0;
    while (text < ROW_TEXTS && strcasecmp(row_text_names[text], name) != 0)
        text++;
    return text;
}

static enum row_probe find_probe(const char *name)
{
    enum row_probe probe = ROW_PROBE_NONE + 1;
    while (probe < ROW_PROBES && strcmp(probe_names[probe], name) != 0)
        probe++;
    return probe < ROW_PROBES ? probe : ROW_PROBE_NONE;
}

static bool reads_cycles(const struct expression *expression)
{
    const struct expression_name *names;
    const size_t count = expression_names(expression, &names);
    for (size_t i = 0; i < count; i++)
        if (names[i].metric && !strcmp(names[i].metric->path, "core.cycles"))
            return true;
    return false;
}

static enum status read_meaning(struct row_reader *reader, const char *meaning,
                                struct row_column *column)
{
    const struct place place = {.file = reader->text.path, .line = reader->text.number};
    column->kind = ROW_IS_VALUE;
    column->probe = find_probe(meaning);
    column->points = !strcmp(column->unit, "%");
    if (column->probe)
        return STATUS_OK;
    const enum status status = expression_create(meaning, &place, SCOPE_POINT, &column->expression,
                                                 reader->text.diagnostics);
    column->is_time = !status && reads_cycles(column->expression);
    return status;
}

static enum status refuse_column(struct row_reader *reader, const char *cell, const char *name)
{
    const char *names[ROW_TEXTS + METRIC_COUNT];
    for (size_t i = 0; i < ROW_TEXTS; i++)
        names[i] = row_text_names[i];
    for (size_t i = 0; i < METRIC_COUNT; i++)
        names[ROW_TEXTS + i] = metric_table[i].path;
    const char *near = nearest_name(name, names, ROW_TEXTS + METRIC_COUNT);
    char hint[SUGGESTION_TEXT];
    text_problem(&reader->text, SEVERITY_ERROR, place_of(reader, cell), "unknown column '%s'%s%s",
                 name, suggestion(near, hint),
                 near ? "" : "; expected a metric, 'at NAME' or 'NAME [UNIT] = EXPRESSION'");
    return STATUS_INVALID;
}

/* Sets the column's name and unit from "NAME [UNIT]". */
static enum status name_column(struct row_column *column, char *head)
{
    char *name = trim(head), *end = name + strlen(name), *unit = end;
    if (end > name && end[-1] == ']' && strchr(name, '[')) {
        unit = strrchr(name, '[');
        end[-1] = *unit++ = '\0';
    }
    column->name = strdup(trim(name));
    column->unit = strdup(trim(unit));
    return column->name && column->unit ? STATUS_OK : STATUS_MEMORY;
}

/* Reads "NAME [UNIT] = EXPRESSION" and its shorter forms. */
static enum status read_column(struct row_reader *reader, const char *cell, char *head,
                               struct row_column *column)
{
    char *meaning = strchr(head, '=');
    const bool at = !strncmp(head, "at ", 3);
    if (meaning)
        *meaning++ = '\0';
    if (name_column(column, head + (at ? 3 : 0)))
        return STATUS_MEMORY;
    column->text = at ? ROW_TEXTS : find_text(column->name);
    column->kind = at ? ROW_IS_AT : ROW_IS_TEXT;
    if (!*column->name || (at && meaning))
        return refuse_column(reader, cell, column->name);
    if (meaning)
        return read_meaning(reader, trim(meaning), column);
    if (at || column->text < ROW_TEXTS)
        return STATUS_OK;
    return metric_find(column->name) ? read_meaning(reader, column->name, column)
                                     : refuse_column(reader, cell, column->name);
}

static const struct row_name *find_theirs(const struct row_dialect *dialect, const char *theirs)
{
    const struct row_name *name = dialect->names;
    while (name->theirs && strcmp(name->theirs, theirs) != 0)
        name++;
    return name->theirs ? name : NULL;
}

static enum status add_column(struct row_reader *reader, const char *cell, size_t i)
{
    struct row_file *rows = reader->rows;
    struct row_column *column = &rows->columns[i];
    const struct row_name *name = reader->dialect ? find_theirs(reader->dialect, cell) : NULL;
    column->base = i;
    if (reader->dialect && !(name && name->ours)) {
        column->kind = ROW_IS_OTHER;
        column->name = strdup(cell);
        column->unit = strdup("");
        return column->name && column->unit ? STATUS_OK : STATUS_MEMORY;
    }
    char *head = strdup(name ? name->ours : cell);
    enum status status = head ? read_column(reader, cell, head, column) : STATUS_MEMORY;
    free(head);
    if (status || column->kind != ROW_IS_TEXT)
        return status;
    if (rows->at[column->text] < rows->width) {
        text_problem(&reader->text, SEVERITY_ERROR, place_of(reader, cell), "a second column '%s'",
                     column->name);
        return STATUS_INVALID;
    }
    rows->at[column->text] = i;
    return STATUS_OK;
}

static size_t find_cell(char *const *cells, size_t count, const char *text)
{
    size_t i = 0;
    while (i < count && strcmp(cells[i], text) != 0)
        i++;
    return i;
}

/* All columns of the dialect are there; bases are found. */
static enum status settle_dialect(struct row_reader *reader, char *const *cells)
{
    struct row_file *rows = reader->rows;
    for (const struct row_name *name = reader->dialect->names; name->theirs; name++) {
        const size_t column = find_cell(cells, rows->width, name->theirs);
        const size_t base = find_cell(cells, rows->width, name->base ? name->base : name->theirs);
        if (column < rows->width && base < rows->width) {
            rows->columns[column].base = base;
            continue;
        }
        text_problem(&reader->text, SEVERITY_ERROR, reader->text.line,
                     "no column '%s'; expected %s as CSV with a header",
                     column < rows->width ? name->base : name->theirs, reader->dialect->what);
        return STATUS_INVALID;
    }
    return STATUS_OK;
}

static enum status check_columns(struct row_reader *reader)
{
    const struct row_file *rows = reader->rows;
    size_t values = 0;
    for (size_t i = 0; i < rows->width; i++)
        values += rows->columns[i].kind == ROW_IS_VALUE;
    if (values && (reader->dialect || rows->at[ROW_MACHINE] < rows->width))
        return STATUS_OK;
    text_problem(&reader->text, SEVERITY_ERROR, reader->text.line, "expected a column %s",
                 values ? "'machine'"
                        : "of measured values: a metric or 'NAME [UNIT] = "
                          "EXPRESSION'");
    return STATUS_INVALID;
}

static enum status make_columns(struct row_reader *reader, char *const *cells, size_t count)
{
    struct row_file *rows = reader->rows;
    enum status status = STATUS_OK;
    rows->columns = calloc(count, sizeof *rows->columns);
    if (!rows->columns)
        return STATUS_MEMORY;
    rows->width = count;
    for (size_t i = 0; i < ROW_TEXTS; i++)
        rows->at[i] = count;
    for (size_t i = 0; i < count && status != STATUS_MEMORY; i++) {
        const enum status one = add_column(reader, cells[i], i);
        status = status && one != STATUS_MEMORY ? status : one;
    }
    if (!status && reader->dialect)
        status = settle_dialect(reader, cells);
    return status ? status : check_columns(reader);
}

static enum status read_header(struct row_reader *reader)
{
    char *cells[COLUMNS_MAX];
    struct row_file *rows = reader->rows;
    if (rows->header) { /* of a file before this one */
        if (!strcmp(rows->header, reader->text.line))
            return STATUS_OK;
        text_problem(&reader->text, SEVERITY_ERROR, NULL, "expected the header of %s", rows->name);
        return STATUS_INVALID;
    }
    rows->header = strdup(reader->text.line);
    reader->line = strdup(reader->text.line);
    if (!rows->header || !reader->line) {
        free(reader->line);
        return STATUS_MEMORY;
    }
    const size_t count = csv_line_cut(reader->line, ',', cells, COLUMNS_MAX);
    enum status status = STATUS_INVALID;
    if (count <= COLUMNS_MAX)
        status = make_columns(reader, cells, count);
    else
        text_problem(&reader->text, SEVERITY_ERROR, NULL, "more than %d columns", COLUMNS_MAX);
    free(reader->line);
    return status;
}

/* ---- rows ---- */

/* A number that people write: no "inf", no "0x". */
static bool row_read_number(const char *text, double *value)
{
    char *end;
    if (text[strspn(text, "0123456789.eE+-")])
        return false;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value);
}

static const char *cell_of(const struct row_reader *reader, const struct row *row,
                           enum row_text text)
{
    const size_t at = reader->rows->at[text];
    return at < reader->rows->width ? row->cells[at] : "";
}

static bool row_refuse(struct row_reader *reader, const char *cell, const char *why)
{
    text_problem(&reader->text, SEVERITY_ERROR, place_of(reader, cell), "%s, found '%.40s'", why,
                 cell);
    return false;
}

static bool check_number(struct row_reader *reader, const char *cell, const char *name,
                         double least, double most)
{
    double value;
    if (!*cell || (row_read_number(cell, &value) && value >= least && value <= most))
        return true;
    text_problem(&reader->text, SEVERITY_ERROR, place_of(reader, cell),
                 "%s: expected a number from %g to %g, found '%.40s'", name, least, most, cell);
    return false;
}

/* Launches are numbered and counted in whole numbers. */
static bool check_launches(struct row_reader *reader, const struct row *row, enum row_text text)
{
    const char *const cell = cell_of(reader, row, text);
    if (!check_number(reader, cell, row_text_names[text], 1, COUNT_MAX))
        return false;
    if (!cell[strspn(cell, "0123456789")])
        return true;
    text_problem(&reader->text, SEVERITY_ERROR, place_of(reader, cell),
                 "%s: expected a whole number, found '%.40s'", row_text_names[text], cell);
    return false;
}

/* Counts, times and rates are none below 0; a change may be, and is one in %. */
static bool check_value(struct row_reader *reader, const struct row *row, size_t column)
{
    const struct row_column *about = &reader->rows->columns[column];
    const char *cell = row->cells[column];
    const bool change = *cell_of(reader, row, ROW_AGAINST);
    if (change && *cell && !about->points)
        return row_refuse(reader, cell, "a change against other settings is one in [%]");
    return check_number(reader, cell, about->name, change ? -0x1p53 : 0, 0x1p53);
}

static bool check_cells(struct row_reader *reader, const struct row *row)
{
    static const struct {
        enum row_text text;
        double least, most;
    } numbers[] = {{ROW_PER, 1, COUNT_MAX}, {ROW_TOLERANCE, 0, COUNT_MAX}};
    const char *const launch = cell_of(reader, row, ROW_LAUNCH);
    const char *const warm = cell_of(reader, row, ROW_WARM);
    bool good = check_launches(reader, row, ROW_LAUNCHES);
    good = check_launches(reader, row, ROW_LAUNCH) && good;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        good = check_number(reader, cell_of(reader, row, numbers[i].text),
                            row_text_names[numbers[i].text], numbers[i].least, numbers[i].most) &&
               good;
    for (size_t i = 0; i < reader->rows->width; i++)
        if (reader->rows->columns[i].kind == ROW_IS_VALUE)
            good = check_value(reader, row, i) && good;
    if (*launch && *cell_of(reader, row, ROW_AGAINST))
        good = row_refuse(reader, launch, "a change against other settings is none of one launch");
    if (*warm && strcmp(warm, "yes") != 0)
        good = row_refuse(reader, warm, "warm: expected yes or nothing");
    return good;
}

/* A row of values has what runs for them. */
static bool check_whole(struct row_reader *reader, const struct row_file *rows, size_t row)
{
    bool runs = false, probes = false;
    const char *absent = NULL;
    for (size_t i = 0; i < rows->width; i++)
        if (rows->columns[i].kind == ROW_IS_VALUE && *rows->items[row].cells[i])
            *(rows->columns[i].probe ? &probes : &runs) = true;
    if (!runs && !probes)
        absent = "a measured value";
    else if (runs && !*row_cell(rows, row, ROW_WORKLOAD))
        absent = "a workload";
    else if (!reader->dialect && !*row_cell(rows, row, ROW_MACHINE))
        absent = "a machine";
    if (absent)
        text_problem(&reader->text, SEVERITY_ERROR, reader->text.line, "expected %s in this row",
                     absent);
    return !absent;
}

/* Cuts the line into the cells of a row; those that it has not are empty. */
static enum status cut_row(struct row_reader *reader, struct row *row)
{
    const size_t width = reader->rows->width;
    row->line = strdup(reader->text.line);
    row->cells = calloc(width, sizeof *row->cells);
    row->number = reader->text.number;
    if (!row->line || !row->cells)
        return STATUS_MEMORY;
    char *end = row->line + strlen(row->line); /* the copy ends at a zero byte of the line */
    const size_t count = csv_line_cut(row->line, ',', row->cells, width);
    if (count > width || (reader->dialect && count < width)) {
        text_problem(&reader->text, SEVERITY_ERROR, NULL,
                     count > width ? "more than the %zu cells of the header"
                                   : "fewer than the %zu cells of the header",
                     width);
        return STATUS_INVALID;
    }
    for (size_t i = count; i < width; i++)
        row->cells[i] = end;
    return STATUS_OK;
}

static enum status row_read(struct row_reader *reader)
{
    struct row_file *rows = reader->rows;
    if (rows->count == ROWS_MAX || (rows->count + 1) * rows->width > CELLS_MAX) {
        text_problem(&reader->text, SEVERITY_ERROR, NULL,
                     "more than %d rows, or %d cells with those that short rows lack", ROWS_MAX,
                     CELLS_MAX);
        return STATUS_INVALID;
    }
    enum status status = array_reserve(&rows->items, &rows->capacity, rows->count + 1);
    if (status)
        return status;
    struct row *row = &rows->items[rows->count++];
    *row = (struct row){0};
    status = cut_row(reader, row);
    reader->line = row->line;
    if (!status && !(check_cells(reader, row) && check_whole(reader, rows, rows->count - 1)))
        status = STATUS_INVALID;
    return status;
}

/* People read a column with so many digits that its least value has three. */
static void choose_digits(struct row_file *rows)
{
    for (size_t i = 0; i < rows->width; i++) {
        struct row_column *column = &rows->columns[i];
        double least = INFINITY;
        for (size_t k = 0; k < rows->count && column->kind == ROW_IS_VALUE; k++)
            least = fmin(least, row_measured(rows, k, i));
        column->digits = column->points || least < 10 ? 2 : least < 100 ? 1 : 0;
    }
}

/* ---- files ---- */

/* Blank lines and remarks. */
static bool is_passed_over(const struct text_reader *text)
{
    return !text->line[strspn(text->line, " \t")] || *text->line == '#';
}

/* Up to TEXT_PROBLEMS_MAX wrong rows are reported. */
static enum status read_all(struct row_reader *reader)
{
    enum status status = STATUS_OK;
    bool header = false;
    while (text_line(&reader->text) && status != STATUS_MEMORY) {
        if (is_passed_over(&reader->text))
            continue;
        const enum status one = header ? row_read(reader) : read_header(reader);
        if (!header && one)
            return one;
        header = true;
        status = status && one != STATUS_MEMORY ? status : one;
        if (reader->text.problems > TEXT_PROBLEMS_MAX)
            break;
    }
    if (status || reader->text.status)
        return status ? status : reader->text.status;
    if (header && reader->rows->count)
        return STATUS_OK;
    text_problem(&reader->text, SEVERITY_ERROR, NULL, "expected a header and rows below it");
    return STATUS_INVALID;
}

static enum status read_source(struct row_reader *reader, const char *name)
{
    struct row_file *rows = reader->rows;
    enum status status = STATUS_OK;
    if (!rows->name && !(rows->name = strdup(name)))
        status = STATUS_MEMORY;
    if (!status)
        status = read_all(reader);
    text_close(&reader->text);
    if (status)
        row_file_free(rows);
    else
        choose_digits(rows);
    return status;
}

enum status row_file_read(const char *path, const struct row_dialect *dialect,
                          struct row_file *rows, struct diagnostics *diagnostics)
{
    struct row_reader reader = {.dialect = dialect, .rows = rows};
    const enum status status = text_open(path, &reader.text, diagnostics);
    if (!status)
        return read_source(&reader, path);
    row_file_free(rows);
    return status;
}

/* Delivers an embedded file as one piece. */
static ptrdiff_t read_embedded(void *argument, const void **bytes, const char **why)
{
    const struct embedded_file **file = argument;
    const ptrdiff_t size = *file ? (ptrdiff_t)(*file)->size : 0;
    *why = NULL;
    *bytes = *file ? (*file)->text : NULL;
    *file = NULL;
    return size;
}

enum status row_file_load(const char *name, struct row_file *rows, struct diagnostics *diagnostics)
{
    const struct embedded_file *file = embedded_find(embedded_rows, name);
    const struct text_source source = {.read = read_embedded, .argument = &file};
    struct row_reader reader = {.rows = rows};
    if (!file)
        return embedded_missing(embedded_rows, "measured rows", name, diagnostics);
    const enum status status = text_open_source(name, &source, &reader.text, diagnostics);
    return status ? status : read_source(&reader, name);
}

void row_file_free(struct row_file *rows)
{
    for (size_t i = 0; i < rows->width; i++) {
        free(rows->columns[i].name);
        free(rows->columns[i].unit);
        expression_free(rows->columns[i].expression);
    }
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->items[i].line);
        free(rows->items[i].cells);
    }
    free(rows->name);
    free(rows->header);
    free(rows->columns);
    free(rows->items);
    *rows = (struct row_file){0};
}

bool row_file_is(const char *path)
{
    enum { KNOWN = 2 };
    struct text_reader text;
    char *cells[COLUMNS_MAX];
    size_t known = 0, count = 0;
    if (text_open(path, &text, NULL))
        return false;
    bool line = text_line(&text);
    while (line && is_passed_over(&text))
        line = text_line(&text);
    if (line)
        count = csv_line_cut(text.line, ',', cells, COLUMNS_MAX);
    for (size_t i = 0; i < count && count <= COLUMNS_MAX; i++)
        known += find_text(cells[i]) < ROW_TEXTS;
    text_close(&text);
    return known >= KNOWN;
}

/* ---- cells ---- */

const char *row_cell(const struct row_file *rows, size_t row, enum row_text text)
{
    return rows->at[text] < rows->width ? rows->items[row].cells[rows->at[text]] : "";
}

double row_measured(const struct row_file *rows, size_t row, size_t column)
{
    double value;
    return column < rows->width && row_read_number(rows->items[row].cells[column], &value) ? value
                                                                                           : NAN;
}

double row_number(const struct row_file *rows, size_t row, enum row_text text, double otherwise)
{
    const double value = row_measured(rows, row, rows->at[text]);
    return isnan(value) ? otherwise : value;
}

size_t row_column_find(const struct row_file *rows, const char *name)
{
    size_t i = 0;
    while (i < rows->width && strcmp(rows->columns[i].name, name) != 0)
        i++;
    return i;
}

static bool has_word(const struct row_file *rows, size_t row, const char *word)
{
    for (size_t i = 0; i < rows->width; i++) {
        const enum row_kind kind = rows->columns[i].kind;
        if ((kind == ROW_IS_TEXT || kind == ROW_IS_AT) &&
            strcasestr(rows->items[row].cells[i], word))
            return true;
    }
    return false;
}

bool row_is_chosen(const struct row_file *rows, size_t row, const char *only)
{
    char word[256];
    int length = 0;
    for (const char *at = only; at && sscanf(at, " %255s%n", word, &length) == 1; at += length)
        if (!has_word(rows, row, word))
            return false;
    return true;
}
