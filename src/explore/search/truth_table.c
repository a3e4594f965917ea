#include "explore/search/truth_table.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "explore/results/hypervolume.h"
#include "explore/search/population.h"
#include "trace/csv_line.h"

#define TRUTH_STEPS UINT64_C(1000000000) /* of a hypervolume */

/* ---- the file ---- */

struct truth_reader {
    const char *path;
    char **cells; /* [row * column_count + column], in `lines` */
    char **lines; /* owned; the first one is the header */
    size_t line_count, line_capacity, cell_capacity;
    char *names[TRUTH_COLUMNS + 1];
    size_t column_count;
    size_t objectives[TRUTH_OBJECTIVES]; /* columns */
    bool larger[TRUTH_OBJECTIVES];       /* is better */
    bool exact[TRUTH_OBJECTIVES];        /* known of every row */
    size_t objective_count;
    bool used[TRUTH_COLUMNS]; /* as an objective, or ignored */
    struct diagnostics *diagnostics;
};

static enum status truth_refuse(const struct truth_reader *reader, size_t line, const char *message)
{
    const struct place place = {.file = reader->path, .line = (unsigned)line};
    diagnostics_add(reader->diagnostics, SEVERITY_ERROR, &place, "%s", message);
    return STATUS_INVALID;
}

static enum status take_line(struct truth_reader *reader, char *line)
{
    char *found[TRUTH_COLUMNS + 1], message[120];
    line[strcspn(line, "\r\n")] = '\0';
    const size_t count = csv_line_cut(line, ',', found, TRUTH_COLUMNS);
    if (count > TRUTH_COLUMNS)
        return truth_refuse(reader, reader->line_count, "more columns than a table may have");
    if (reader->line_count == 1) {
        reader->column_count = count;
        memcpy(reader->names, found, count * sizeof *found);
        return STATUS_OK;
    }
    if (count != reader->column_count) {
        snprintf(message, sizeof message, "expected %zu cells as in the header, found %zu",
                 reader->column_count, count);
        return truth_refuse(reader, reader->line_count, message);
    }
    const size_t first = (reader->line_count - 2) * count;
    if (array_reserve(&reader->cells, &reader->cell_capacity, first + count))
        return STATUS_MEMORY;
    memcpy(reader->cells + first, found, count * sizeof *found);
    return STATUS_OK;
}

static enum status read_lines(struct truth_reader *reader)
{
    FILE *file = fopen(reader->path, "r");
    enum status status = STATUS_OK;
    char *line = NULL;
    size_t size = 0;
    if (!file)
        return diagnostics_error(reader->diagnostics, STATUS_IO, "%s: %s", reader->path,
                                 strerror(errno));
    while (!status && getline(&line, &size, file) >= 0) {
        if (!line[strspn(line, " \t\r\n")])
            continue;
        if (array_reserve(&reader->lines, &reader->line_capacity, reader->line_count + 1)) {
            status = STATUS_MEMORY;
            break;
        }
        reader->lines[reader->line_count++] = line;
        status = take_line(reader, line);
        line = NULL;
        size = 0;
    }
    if (!status && ferror(file))
        status = diagnostics_error(reader->diagnostics, STATUS_IO, "%s: %s", reader->path,
                                   strerror(errno));
    free(line);
    fclose(file);
    if (!status && reader->line_count < 3)
        status = truth_refuse(reader, 0, "expected a header and at least two rows");
    return status;
}

/* ---- which columns are what ---- */

/* Finds a column of a name that begins with `prefix`, which belongs to the option. */
static enum status find_column(struct truth_reader *reader, const char *name, const char *option,
                               size_t *column)
{
    const char *names[TRUTH_COLUMNS];
    char hint[SUGGESTION_TEXT];
    for (*column = 0; *column < reader->column_count; ++*column) {
        names[*column] = reader->names[*column];
        if (!strcmp(names[*column], name))
            break;
    }
    if (*column == reader->column_count)
        return diagnostics_error(reader->diagnostics, STATUS_NOT_FOUND,
                                 "%s: %s has no column '%.60s'%s", option, reader->path, name,
                                 suggestion(nearest_name(name, names, reader->column_count), hint));
    if (reader->used[*column])
        return diagnostics_error(reader->diagnostics, STATUS_INVALID, "%s: %s is named twice",
                                 option, name);
    reader->used[*column] = true;
    return STATUS_OK;
}

static enum status take_objective(struct truth_reader *reader, const char *word)
{
    const bool larger = !strncmp(word, "max:", 4);
    if (!larger && strncmp(word, "min:", 4) != 0)
        return diagnostics_error(reader->diagnostics, STATUS_INVALID,
                                 "--objectives: expected max:COLUMN or min:COLUMN, got '%.60s'",
                                 word);
    if (reader->objective_count == TRUTH_OBJECTIVES)
        return diagnostics_error(reader->diagnostics, STATUS_INVALID,
                                 "--objectives: at most %d are compared", TRUTH_OBJECTIVES);
    reader->larger[reader->objective_count] = larger;
    return find_column(reader, word + 4, "--objectives",
                       &reader->objectives[reader->objective_count++]);
}

static enum status take_ignored(struct truth_reader *reader, const char *word)
{
    size_t column;
    return find_column(reader, word, "--ignore", &column);
}

/* An objective that is known of every row. */
static enum status take_exact(struct truth_reader *reader, const char *word)
{
    for (size_t d = 0; d < reader->objective_count; d++) {
        const char *name = reader->names[reader->objectives[d]];
        assert(name); /* take_objective found it */
        if (!strcmp(name, word)) {
            reader->exact[d] = true;
            return STATUS_OK;
        }
    }
    return diagnostics_error(reader->diagnostics, STATUS_NOT_FOUND,
                             "--exact: expected columns of --objectives, got '%.60s'", word);
}

static enum status take_words(struct truth_reader *reader, const char *text,
                              enum status (*take)(struct truth_reader *, const char *))
{
    char *copy = strdup(text ? text : ""), *rest = copy;
    enum status status = copy ? STATUS_OK : STATUS_MEMORY;
    for (char *word; copy && (word = strsep(&rest, ","));)
        if (*word) {
            const enum status taken = take(reader, word);
            status = status ? status : taken;
        }
    free(copy);
    return status;
}

/* ---- numbers ---- */

static bool read_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end > text && !*end && isfinite(*number);
}

static const char *cell_of(const struct truth_reader *reader, size_t row, size_t column)
{
    return reader->cells[row * reader->column_count + column];
}

/* Keeps the rows whose objectives are all numbers; `rows` gets their places in the file. */
static size_t choose_rows(const struct truth_reader *reader, size_t *rows)
{
    size_t count = 0;
    for (size_t row = 0; row + 1 < reader->line_count; row++) {
        bool whole = true;
        double number;
        for (size_t d = 0; d < reader->objective_count; d++)
            whole = whole && read_number(cell_of(reader, row, reader->objectives[d]), &number);
        if (whole)
            rows[count++] = row;
    }
    return count;
}

/* Standardises an objective over the table. */
static void take_costs(const struct truth_reader *reader, size_t objective, const size_t *rows,
                       struct truth_table *table)
{
    const size_t width = table->objective_count, count = table->row_count;
    double sum = 0, squares = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        double *cost = &table->costs[i * width + objective];
        (void)read_number(cell_of(reader, rows[i], reader->objectives[objective]), cost);
        *cost = reader->larger[objective] ? -*cost : *cost;
        sum += *cost;
    }
    for (size_t i = 0; i < count; i++) {
        const double apart = table->costs[i * width + objective] - sum / (double)count;
        squares += apart * apart;
    }
    const double deviation = squares > 0 ? sqrt(squares / (double)count) : 1;
    for (size_t i = 0; i < count; i++) {
        double *cost = &table->costs[i * width + objective];
        *cost = (*cost - sum / (double)count) / deviation;
        most = fmax(most, fabs(*cost));
    }
    table->reference[objective] = TRUTH_REFERENCE * most;
}

struct truth_cell {
    const char *text;
    double number;
    bool is_number;
    size_t row;
};

static int compare_cells(const void *a, const void *b)
{
    const struct truth_cell *left = a, *right = b;
    if (left->is_number != right->is_number)
        return left->is_number ? -1 : 1;
    if (left->is_number && left->number != right->number)
        return left->number < right->number ? -1 : 1;
    if (!left->is_number && strcmp(left->text, right->text) != 0)
        return strcmp(left->text, right->text);
    return left->row < right->row ? -1 : left->row > right->row;
}

static bool same_cell(const struct truth_cell *a, const struct truth_cell *b)
{
    return a->is_number == b->is_number &&
           (a->is_number ? a->number == b->number : !strcmp(a->text, b->text));
}

/* Makes an axis of a column; none if all its cells are equal. `cells` is scratch for all rows. */
static void take_axis(const struct truth_reader *reader, size_t column, const size_t *rows,
                      struct truth_cell *cells, struct truth_table *table)
{
    const size_t count = table->row_count, axis = table->axis_count;
    size_t levels = 0, numbers = 0;
    for (size_t i = 0; i < count; i++) {
        cells[i] = (struct truth_cell){.text = cell_of(reader, rows[i], column), .row = i};
        cells[i].is_number = read_number(cells[i].text, &cells[i].number);
        numbers += cells[i].is_number;
    }
    qsort(cells, count, sizeof *cells, compare_cells);
    for (size_t i = 0; i < count; i++)
        levels += !i || !same_cell(&cells[i - 1], &cells[i]);
    if (levels < 2)
        return;
    const bool cut = numbers == count && levels > TRUTH_LEVELS;
    uint32_t digit = 0;
    for (size_t i = 0; i < count; i++) {
        const bool next = i && !same_cell(&cells[i - 1], &cells[i]);
        if (next) /* equal cells stay together */
            digit = cut ? (uint32_t)(i * TRUTH_LEVELS / count) : digit + 1;
        table->digits[cells[i].row * reader->column_count + axis] = digit;
    }
    table->counts[table->axis_count++] = cut ? TRUTH_LEVELS : levels;
}

/* ---- the front ---- */

static bool equal_costs(const double *a, const double *b, size_t width)
{
    return !memcmp(a, b, width * sizeof *a);
}

/* Marks the front: `members` gets its rows, and those that a later row dominates leave it. */
static enum status find_front(struct truth_table *table)
{
    const size_t width = table->objective_count;
    size_t *members = calloc(table->row_count + 1, sizeof *members), count = 0;
    if (!members)
        return STATUS_MEMORY;
    for (size_t i = 0; i < table->row_count; i++) {
        const double *costs = table->costs + i * width;
        size_t kept = 0;
        bool beaten = false;
        for (size_t k = 0; k < count && !beaten; k++) {
            const double *other = table->costs + members[k] * width;
            beaten = costs_dominate(other, costs, width) || equal_costs(other, costs, width);
        }
        for (size_t k = 0; k < count && !beaten; k++)
            if (!costs_dominate(costs, table->costs + members[k] * width, width))
                members[kept++] = members[k];
        if (beaten)
            continue;
        members[kept] = i;
        count = kept + 1;
    }
    for (size_t k = 0; k < count; k++)
        table->front[members[k]] = 1;
    table->front_count = count;
    free(members);
    return STATUS_OK;
}

static enum status measure_front(struct truth_table *table)
{
    const size_t width = table->objective_count;
    double *costs = malloc((table->front_count + 1) * width * sizeof *costs);
    size_t count = 0;
    if (!costs)
        return STATUS_MEMORY;
    for (size_t i = 0; i < table->row_count; i++)
        if (table->front[i])
            memcpy(costs + count++ * width, table->costs + i * width, width * sizeof *costs);
    table->volume = hypervolume(costs, count, width, table->reference, TRUTH_STEPS);
    free(costs);
    return STATUS_OK;
}

/* ---- the whole ---- */

static enum status fill_table(const struct truth_reader *reader, struct truth_table *table)
{
    const size_t rows = reader->line_count, columns = reader->column_count;
    size_t *kept = calloc(rows, sizeof *kept);
    struct truth_cell *cells = calloc(rows, sizeof *cells);
    table->counts = calloc(columns, sizeof *table->counts);
    table->digits = calloc(rows * columns, sizeof *table->digits);
    table->costs = calloc(rows * reader->objective_count, sizeof *table->costs);
    table->front = calloc(rows, sizeof *table->front);
    enum status status = STATUS_MEMORY;
    if (kept && cells && table->counts && table->digits && table->costs && table->front) {
        table->objective_count = reader->objective_count;
        table->row_count = choose_rows(reader, kept);
        memcpy(table->exact, reader->exact, sizeof table->exact);
        for (size_t d = 0; d < table->objective_count; d++)
            take_costs(reader, d, kept, table);
        for (size_t c = 0; c < columns; c++)
            if (!reader->used[c])
                take_axis(reader, c, kept, cells, table);
        for (size_t i = 0; i < table->row_count; i++) /* of columns, only axes are left */
            memmove(table->digits + i * table->axis_count, table->digits + i * columns,
                    table->axis_count * sizeof *table->digits);
        status = STATUS_OK;
    }
    free(kept);
    free(cells);
    return status;
}

static enum status check_table(const struct truth_reader *reader, const struct truth_table *table)
{
    if (table->row_count < 2)
        return truth_refuse(reader, 0, "fewer than two rows have numbers in all objectives");
    for (size_t d = 0; d < table->objective_count; d++)
        if (!(table->reference[d] > 0))
            return truth_refuse(reader, 0, "an objective has one value in all rows");
    if (!table->axis_count)
        return truth_refuse(reader, 0, "no column beside the objectives has two values");
    return STATUS_OK;
}

enum status truth_table_read(const char *path, const struct truth_columns *columns,
                             struct truth_table *table, struct diagnostics *diagnostics)
{
    struct truth_reader reader = {.path = path, .diagnostics = diagnostics};
    *table = (struct truth_table){0};
    enum status status = read_lines(&reader);
    if (!status)
        status = take_words(&reader, columns->objectives, take_objective);
    if (!status && !reader.objective_count)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "--objectives: expected max:COLUMN,min:COLUMN");
    if (!status)
        status = take_words(&reader, columns->exact, take_exact);
    if (!status)
        status = take_words(&reader, columns->ignored, take_ignored);
    if (!status)
        status = fill_table(&reader, table);
    if (!status)
        status = check_table(&reader, table);
    if (!status)
        status = find_front(table);
    if (!status)
        status = measure_front(table);
    for (size_t i = 0; i < reader.line_count; i++)
        free(reader.lines[i]);
    free(reader.lines);
    free(reader.cells);
    return status;
}

void truth_table_free(struct truth_table *table)
{
    free(table->counts);
    free(table->digits);
    free(table->costs);
    free(table->front);
    *table = (struct truth_table){0};
}

enum status truth_table_share(const struct truth_table *table, const size_t *rows, size_t count,
                              struct truth_share *share)
{
    const size_t width = table->objective_count;
    double *costs = malloc((count + 1) * width * sizeof *costs);
    size_t found = 0;
    if (!costs)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        memcpy(costs + i * width, table->costs + rows[i] * width, width * sizeof *costs);
    for (size_t i = 0; i < table->row_count; i++)
        for (size_t k = 0; table->front[i] && k < count; k++)
            if (equal_costs(costs + k * width, table->costs + i * width, width)) {
                found++;
                break;
            }
    share->volume = hypervolume(costs, count, width, table->reference, TRUTH_STEPS) / table->volume;
    share->front = (double)found / (double)table->front_count;
    free(costs);
    return STATUS_OK;
}
