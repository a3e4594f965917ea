/* CSV of ncu (a row or a column for each counter) and of nvprof (profile_times.c has its times).
 * Lines that the profiled program printed in between are left out: they have another number of
 * cells and no quotes where the header has some. */
#include <stdlib.h>
#include <string.h>

#include "trace/csv_line.h"
#include "trace/profile_build.h"

static const char *const column_names[PROFILE_COLUMNS] = {
#define PROFILE_COLUMN_NAME(id, name) [COLUMN_##id] = (name),
    PROFILE_COLUMN_LIST(PROFILE_COLUMN_NAME)
#undef PROFILE_COLUMN_NAME
};

void profile_sheet_free(struct profile_builder *builder)
{
    struct profile_sheet *sheet = &builder->sheet;
    for (size_t i = 0; sheet->names && i < sheet->width; i++)
        free(sheet->names[i]);
    free(sheet->names);
    free(sheet->counters);
    free(sheet->factors);
    *sheet = (struct profile_sheet){0};
}

static enum profile_tool tool_of(const char *name)
{
    return strstr(name, "__") ? PROFILE_NCU : PROFILE_DETAILS;
}

static void find_columns(struct profile_sheet *sheet, char **cells)
{
    for (size_t c = 0; c < PROFILE_COLUMNS; c++) {
        sheet->at[c] = -1;
        for (size_t i = 0; i < sheet->width && sheet->at[c] < 0; i++)
            if (!strcmp(cells[i], column_names[c]))
                sheet->at[c] = (int)i;
    }
}

static bool has(const struct profile_sheet *sheet, enum profile_column column)
{
    return sheet->at[column] >= 0;
}

const char *profile_cell(const struct profile_sheet *sheet, char **cells,
                         enum profile_column column)
{
    return has(sheet, column) ? cells[sheet->at[column]] : "";
}

/* What kind of table a header begins: SHEET_NONE if the line is no header. */
static int kind_of(const struct profile_sheet *sheet, char **cells)
{
    if (has(sheet, COLUMN_NVPROF_KERNEL) && has(sheet, COLUMN_INVOCATIONS) &&
        has(sheet, COLUMN_AVERAGE) && (has(sheet, COLUMN_METRIC) || has(sheet, COLUMN_EVENT)))
        return SHEET_NVPROF;
    if (has(sheet, COLUMN_SHARE) && has(sheet, COLUMN_CALLS) && has(sheet, COLUMN_AVERAGE) &&
        has(sheet, COLUMN_NAME))
        return SHEET_SUMMARY;
    if (has(sheet, COLUMN_DURATION) && has(sheet, COLUMN_GRID_X) && has(sheet, COLUMN_NAME))
        return SHEET_TRACE;
    if (!has(sheet, COLUMN_KERNEL))
        return SHEET_NONE;
    if (has(sheet, COLUMN_METRIC) && has(sheet, COLUMN_VALUE))
        return SHEET_ROWS;
    for (size_t i = 0; i < sheet->width; i++)
        if (strstr(cells[i], "__"))
            return SHEET_WIDE;
    return SHEET_NONE;
}

static bool is_named_column(const char *name)
{
    for (size_t c = 0; c < PROFILE_COLUMNS; c++)
        if (!strcmp(name, column_names[c]))
            return true;
    return false;
}

/* Keeps the header of a wide table: its counters are known with the row of units. */
static enum status keep_names(struct profile_sheet *sheet, char **cells)
{
    sheet->names = calloc(sheet->width, sizeof *sheet->names);
    sheet->counters = malloc(sheet->width * sizeof *sheet->counters);
    sheet->factors = malloc(sheet->width * sizeof *sheet->factors);
    if (!sheet->names || !sheet->counters || !sheet->factors)
        return STATUS_MEMORY;
    for (size_t i = 0; i < sheet->width; i++)
        if (!is_named_column(cells[i]) && !(sheet->names[i] = strdup(cells[i])))
            return STATUS_MEMORY;
    return STATUS_OK;
}

/* Begins a table if the line is a header. `line` is a copy that may be cut. */
static bool header_line(struct profile_builder *builder, char *line, char **cells)
{
    struct profile_sheet sheet = {.quoted = *line == '"'};
    sheet.separator = strchr(line, ',') ? ',' : ';';
    sheet.width = csv_line_cut(line, sheet.separator, cells, PROFILE_CELLS_MAX);
    if (sheet.width > PROFILE_CELLS_MAX)
        return false;
    find_columns(&sheet, cells);
    const int kind = kind_of(&sheet, cells);
    if (kind == SHEET_NONE)
        return false;
    profile_sheet_free(builder);
    builder->sheet = sheet;
    builder->sheet.kind = kind;
    builder->sheet.line = builder->text.number;
    if (kind == SHEET_WIDE)
        builder->status = keep_names(&builder->sheet, cells);
    return true;
}

/* The counters of a wide table: with the units of the row, or without any. */
static void name_counters(struct profile_builder *builder, char **units)
{
    struct profile_sheet *sheet = &builder->sheet;
    char base[UNIT_WORD];
    for (size_t i = 0; i < sheet->width && !builder->status; i++) {
        sheet->counters[i] = KEY_NONE;
        if (!sheet->names[i])
            continue;
        unit_read(units ? units[i] : "", base, &sheet->factors[i]);
        sheet->counters[i] =
            profile_build_counter(builder, tool_of(sheet->names[i]), sheet->names[i], base);
    }
    sheet->units_known = true;
}

static void begin_launch(struct profile_builder *builder, char **cells)
{
    const struct profile_sheet *sheet = &builder->sheet;
    const char *capability = profile_cell(sheet, cells, COLUMN_CAPABILITY);
    char device[UNIT_WORD];
    snprintf(device, sizeof device, "%s%.30s", *capability ? "CC " : "", capability);
    const struct launch_key key = {.kernel = profile_cell(sheet, cells, COLUMN_KERNEL),
                                   .device = device,
                                   .process = profile_cell(sheet, cells, COLUMN_PROCESS),
                                   .id = profile_cell(sheet, cells, COLUMN_ID),
                                   .block = profile_cell(sheet, cells, COLUMN_BLOCK),
                                   .grid = profile_cell(sheet, cells, COLUMN_GRID)};
    profile_build_launch(builder, &key);
}

static void wide_row(struct profile_builder *builder, char **cells)
{
    const struct profile_sheet *sheet = &builder->sheet;
    const bool units = !*profile_cell(sheet, cells, COLUMN_KERNEL);
    if (!sheet->units_known) {
        name_counters(builder, units ? cells : NULL);
        if (units)
            return;
    }
    if (!units)
        begin_launch(builder, cells);
    for (size_t i = 0; i < sheet->width && !builder->status && !units; i++)
        profile_build_number(builder, sheet->counters[i], cells[i], sheet->factors[i]);
}

static void counter_row(struct profile_builder *builder, char **cells)
{
    const struct profile_sheet *sheet = &builder->sheet;
    const char *name = profile_cell(sheet, cells, COLUMN_METRIC);
    if (!*name)
        return; /* a row of a rule */
    begin_launch(builder, cells);
    profile_build_value(builder, tool_of(name), name, profile_cell(sheet, cells, COLUMN_UNIT),
                        profile_cell(sheet, cells, COLUMN_VALUE));
}

static void nvprof_row(struct profile_builder *builder, char **cells)
{
    const struct profile_sheet *sheet = &builder->sheet;
    const char *name =
        profile_cell(sheet, cells, has(sheet, COLUMN_METRIC) ? COLUMN_METRIC : COLUMN_EVENT);
    const struct launch_key key = {
        .kernel = profile_cell(sheet, cells, COLUMN_NVPROF_KERNEL),
        .device = profile_cell(sheet, cells, COLUMN_DEVICE),
        .process = "",
        .id = "",
        .block = "",
        .grid = "",
        .invocations = strtoull(profile_cell(sheet, cells, COLUMN_INVOCATIONS), NULL, 10),
        .merged = true};
    profile_build_launch(builder, &key);
    profile_build_value(builder, PROFILE_NVPROF, name, "",
                        profile_cell(sheet, cells, COLUMN_AVERAGE));
}

/* Whether the line may be a header, so that most lines are not copied. */
static bool may_be_header(const char *line)
{
    return (strstr(line, column_names[COLUMN_KERNEL]) ||
            strstr(line, column_names[COLUMN_INVOCATIONS]) ||
            strstr(line, column_names[COLUMN_SHARE]) ||
            strstr(line, column_names[COLUMN_GRID_X])) &&
           strpbrk(line, ",;");
}

/* Whether a line names counters as a header of ncu does, although it is none. */
static bool names_counters(const char *line)
{
    return *line == '"' && (strstr(line, "\"Metric Name\"") ||
                            (strstr(line, "__") && strstr(line, "\"ID\"") == line));
}

bool profile_csv_line(struct profile_builder *builder)
{
    struct profile_sheet *sheet = &builder->sheet;
    char *line = builder->text.line, **cells = builder->cells;
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
    const bool times = sheet->kind == SHEET_SUMMARY || sheet->kind == SHEET_TRACE;
    if (!sheet->kind || (sheet->quoted != (*line == '"') && !times))
        return false;
    const size_t width = csv_line_cut(line, sheet->separator, cells, PROFILE_CELLS_MAX);
    if (width == sheet->width) {
        (times                       ? profile_times_row
         : sheet->kind == SHEET_ROWS ? counter_row
         : sheet->kind == SHEET_WIDE ? wide_row
                                     : nvprof_row)(builder, cells);
        return true;
    }
    if ((!sheet->quoted || times) && width < sheet->width)
        return false;
    builder->wrong_lines++;
    text_problem(&builder->text, SEVERITY_ERROR, NULL,
                 "expected %zu cells as in the header, found %zu%s", sheet->width, width,
                 sheet->quoted ? "" : "; numbers with commas need quotes");
    return true;
}
