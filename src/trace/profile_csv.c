/* Lines of comma-separated values. What the profiled program printed in between is left out: its
 * lines have another number of cells, no quotes where the header has some, or no number where all
 * rows of the table have one. */
#include <stdlib.h>
#include <string.h>

#include "trace/csv_line.h"
#include "trace/profile_build.h"

static char separator_of(const char *line)
{
    return strchr(line, '\t') ? '\t' : strchr(line, ',') ? ',' : ';';
}

static bool has_times(const struct profile_sheet *sheet)
{
    return sheet->kind == SHEET_SUMMARY || sheet->kind == SHEET_TRACE;
}

/* Whether rows may begin without the quotes that the header has: where they have times, and the row
 * of units of nvprof. */
static bool is_loose(const struct profile_sheet *sheet)
{
    return has_times(sheet) ||
           (sheet->kind == SHEET_WIDE && profile_has(sheet, COLUMN_NVPROF_KERNEL));
}

/* Begins a table if the line is a header. `line` is a copy that may be cut. */
static bool header_line(struct profile_builder *builder, char *line, char **cells)
{
    struct profile_sheet sheet = {
        .quoted = *line == '"', .separator = separator_of(line), .line = builder->text.number};
    const size_t width = csv_line_cut(line, sheet.separator, cells, PROFILE_CELLS_MAX);
    if (width > PROFILE_CELLS_MAX || !profile_sheet_begin(&sheet, cells, width))
        return false;
    profile_sheet_free(&builder->sheet);
    builder->sheet = sheet;
    if (sheet.kind == SHEET_WIDE)
        builder->status = profile_sheet_keep(&builder->sheet, cells);
    return true;
}

/* Whether the line may be a header, so that most lines are not copied. */
static bool may_be_header(const char *line)
{
    return (strstr(line, "Name") || strstr(line, "Kernel") || strstr(line, "Operation")) &&
           strpbrk(line, ",;\t");
}

/* Whether a line names counters as a header of ncu does, although it is none. */
static bool names_counters(const char *line)
{
    return *line == '"' && !strstr(line, "Metric Description") &&
           (strstr(line, "\"Metric Name\"") ||
            (strstr(line, "__") && strstr(line, "\"ID\"") == line));
}

/* The cells that a row has at least. ncu ends rows of counters after the value since 2022.4, and
 * only rows of rules have all cells. */
static size_t least_width(const struct profile_sheet *sheet)
{
    const bool rows = sheet->kind == SHEET_ROWS && profile_has(sheet, COLUMN_VALUE);
    return rows ? (size_t)sheet->at[COLUMN_VALUE] + 1 : sheet->width;
}

/* Whether cells that are too few or too many are a row all the same: one that a launch's number
 * begins, and not a rule's, whose words may hold anything. */
static bool is_broken_row(const struct profile_sheet *sheet, char **cells, size_t width)
{
    const size_t metric = profile_has(sheet, COLUMN_METRIC) ? (size_t)sheet->at[COLUMN_METRIC] : 0;
    if (!sheet->quoted || is_loose(sheet))
        return width > sheet->width;
    if (sheet->kind == SHEET_ROWS && metric < width && !*cells[metric])
        return false;
    return !profile_has(sheet, COLUMN_ID) || number_length(cells[0]);
}

/* A name of a kernel at the end of a row has commas, and scripts that write tables again drop the
 * quotes around it: what is more than the header has belongs to it. Returns the cells then. */
static size_t join_name(const struct profile_sheet *sheet, char **cells, size_t width)
{
    const int last = (int)sheet->width - 1;
    if (width <= sheet->width || width > PROFILE_CELLS_MAX ||
        (sheet->at[COLUMN_NAME] != last && sheet->at[COLUMN_KERNEL] != last))
        return width;
    for (size_t i = sheet->width; i < width; i++)
        cells[i][-1] = sheet->separator;
    return sheet->width;
}

/* A table of times ends with an empty line; one of nsys also where no number begins a line, which
 * is the header of a table that has no kernels. */
static bool ends_table(const struct profile_sheet *sheet, const char *line)
{
    return has_times(sheet) && (!*line || (sheet->nsys && !number_length(line + (*line == '"'))));
}

bool profile_csv_line(struct profile_builder *builder)
{
    struct profile_sheet *sheet = &builder->sheet;
    char *line = builder->text.line, **cells = builder->cells;
    for (size_t length = strlen(line); length && line[length - 1] == ' ';)
        line[--length] = '\0'; /* what was copied from a terminal */
    if (may_be_header(line)) {
        char *copy = strdup(line);
        const bool begins = copy && header_line(builder, copy, cells);
        if (!copy)
            builder->status = STATUS_MEMORY;
        free(copy);
        if (begins || builder->status)
            return true;
    }
    if (!sheet->kind && names_counters(line)) {
        builder->wrong_lines++;
        text_problem(&builder->text, SEVERITY_ERROR, NULL,
                     "expected a header with the columns 'Kernel Name' and counters, or 'Kernel "
                     "Name', 'Metric Name' and 'Metric Value'; found one without");
        return true;
    }
    if (ends_table(sheet, line)) {
        profile_sheet_free(sheet);
        return false;
    }
    if (!sheet->kind || (sheet->quoted != (*line == '"') && !is_loose(sheet)))
        return false;
    const bool plain = !strchr(line, '"');
    size_t width = csv_line_cut(line, sheet->separator, cells, PROFILE_CELLS_MAX);
    if (plain)
        width = join_name(sheet, cells, width);
    if (width >= least_width(sheet) && width <= sheet->width) {
        for (size_t i = width; i < sheet->width; i++)
            cells[i] = line + strlen(line);
        profile_sheet_row(builder, sheet, cells);
        return true;
    }
    if (!is_broken_row(sheet, cells, width))
        return false;
    builder->wrong_lines++;
    text_problem(&builder->text, SEVERITY_ERROR, NULL,
                 "expected %zu cells as in the header, found %zu%s", sheet->width, width,
                 sheet->quoted ? "" : "; numbers with commas need quotes");
    return true;
}
