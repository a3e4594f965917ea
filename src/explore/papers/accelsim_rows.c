#include "explore/papers/accelsim_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "explore/papers/row_words.h"
#include "trace/csv_line.h"
#include "trace/text.h"

enum { CELLS_MAX = 256, ROWS_MAX = 1000000, KERNELS_MAX = 1000000 };

/* The columns that are text. */
#define TEXT_LIST(X)                                                                               \
    X(RUN, "run", run)                                                                             \
    X(FAMILY, "family", family)                                                                    \
    X(TRACE, "trace_cmd", trace)                                                                   \
    X(GPU, "gpu", gpu)                                                                             \
    X(OPTIONS, "options", options)                                                                 \
    X(NAME, "kernel_name", kernel_name)

enum column {
#define COLUMN_TEXT(id, ...)  COLUMN_##id,
#define COLUMN_COUNT(id, ...) COLUMN_COUNT_##id,
#define COLUMN_READ(id, ...)  COLUMN_READ_##id,
    COLUMN_KERNEL,
    TEXT_LIST(COLUMN_TEXT) ACCELSIM_COUNT_LIST(COLUMN_COUNT) ACCELSIM_READ_LIST(COLUMN_READ) COLUMNS
};
enum { COLUMN_COUNTS = COLUMN_COUNT_CYCLES, COLUMN_READS = COLUMN_READ_HIT };

static const char *const column_names[COLUMNS] = {
    [COLUMN_KERNEL] = "kernel",
#define NAME_TEXT(id, name, ...)  [COLUMN_##id] = (name),
#define NAME_COUNT(id, name, ...) [COLUMN_COUNT_##id] = (name),
#define NAME_READ(id, name)       [COLUMN_READ_##id] = (name),
    TEXT_LIST(NAME_TEXT) ACCELSIM_COUNT_LIST(NAME_COUNT) ACCELSIM_READ_LIST(NAME_READ)};

struct table_reader {
    struct text_reader text;
    const char *only;
    size_t width, at[COLUMNS]; /* of the header: its cells, and where each column stands */
};

static enum status read_header(struct table_reader *reader)
{
    char *cells[CELLS_MAX];
    const char *absent = NULL;
    reader->width =
        text_line(&reader->text) ? csv_line_cut(reader->text.line, ',', cells, CELLS_MAX) : 0;
    for (size_t k = 0; k < COLUMNS && reader->width <= CELLS_MAX; k++) {
        for (reader->at[k] = 0; reader->at[k] < reader->width; reader->at[k]++)
            if (!strcmp(cells[reader->at[k]], column_names[k]))
                break;
        if (reader->at[k] == reader->width && !absent)
            absent = column_names[k];
    }
    if (reader->text.status)
        return reader->text.status;
    if (reader->width > CELLS_MAX)
        text_problem(&reader->text, SEVERITY_ERROR, NULL, "more than %d columns", CELLS_MAX);
    else if (absent)
        text_problem(&reader->text, SEVERITY_ERROR, NULL,
                     "no column '%s'; expected the runs of Accel-Sim as CSV with a header", absent);
    return absent || reader->width > CELLS_MAX ? STATUS_INVALID : STATUS_OK;
}

/* Whether the row contains every word of reader->only. */
static bool is_chosen(const struct table_reader *reader, const struct accelsim_row *row)
{
    const char *const places[] = {row->family, row->gpu, row->trace, row->options};
    return row_has_words(reader->only, places, sizeof places / sizeof *places);
}

static bool read_number(struct table_reader *reader, char *const cells[], enum column column,
                        double *value)
{
    const char *text = cells[reader->at[column]];
    char *end;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= 0 && *value <= 0x1p53)
        return true;
    text_problem(&reader->text, SEVERITY_ERROR, NULL, "%s: expected a count, found '%.40s'",
                 column_names[column], text);
    return false;
}

static enum status fill_row(struct table_reader *reader, struct accelsim_row *row)
{
    char *cells[CELLS_MAX];
    double kernel;
    const size_t count = csv_line_cut(row->line, ',', cells, CELLS_MAX);
    if (count != reader->width) {
        text_problem(&reader->text, SEVERITY_ERROR, NULL,
                     "expected %zu cells as in the header, found %zu", reader->width, count);
        return STATUS_INVALID;
    }
#define FILL_TEXT(id, name, field) row->field = cells[reader->at[COLUMN_##id]];
    TEXT_LIST(FILL_TEXT)
#undef FILL_TEXT
    bool good = read_number(reader, cells, COLUMN_KERNEL, &kernel);
    for (size_t i = 0; i < ACCELSIM_COUNTS && good; i++) {
        good = read_number(reader, cells, (enum column)(COLUMN_COUNTS + i), &row->theirs[i]);
        row->ours[i] = NAN;
    }
    for (size_t i = 0; i < ACCELSIM_READS && good; i++)
        good = read_number(reader, cells, (enum column)(COLUMN_READS + i), &row->reads[i]);
    if (good && !(kernel >= 1 && kernel <= KERNELS_MAX)) {
        text_problem(&reader->text, SEVERITY_ERROR, NULL, "kernel: expected 1 to %d", KERNELS_MAX);
        good = false;
    }
    row->kernel = good ? (unsigned)kernel : 0;
    return good ? STATUS_OK : STATUS_INVALID;
}

static enum status read_rows(struct table_reader *reader, struct accelsim_rows *rows)
{
    enum status status = read_header(reader);
    while (!status && text_line(&reader->text)) {
        if (!reader->text.length)
            continue;
        struct accelsim_row row = {.line = strdup(reader->text.line)};
        status = row.line && rows->count < ROWS_MAX
                     ? array_reserve(&rows->items, &rows->capacity, rows->count + 1)
                     : STATUS_MEMORY;
        if (!status)
            status = fill_row(reader, &row);
        if (!status && is_chosen(reader, &row))
            rows->items[rows->count++] = row;
        else
            free(row.line);
    }
    return status ? status : reader->text.status;
}

static enum status add_rows(const char *path, const char *only, struct accelsim_rows *rows,
                            struct diagnostics *diagnostics)
{
    struct table_reader reader = {.only = only};
    enum status status = text_open(path, &reader.text, diagnostics);
    if (status)
        return status;
    status = read_rows(&reader, rows);
    text_close(&reader.text);
    return status;
}

enum status accelsim_rows_read(const char *const *paths, size_t count, const char *only,
                               struct accelsim_rows *rows, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    *rows = (struct accelsim_rows){0};
    for (size_t i = 0; i < count && !status; i++)
        status = add_rows(paths[i], only, rows, diagnostics);
    if (!status && !rows->count)
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                   "%s: no row has '%s' in its family, "
                                   "GPU, trace or options",
                                   paths[0], only ? only : "");
    if (status)
        accelsim_rows_free(rows);
    return status;
}

void accelsim_rows_free(struct accelsim_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->items[i].line);
    free(rows->items);
    *rows = (struct accelsim_rows){0};
}

bool accelsim_same_run(const struct accelsim_row *a, const struct accelsim_row *b)
{
    return !strcmp(a->run, b->run);
}
