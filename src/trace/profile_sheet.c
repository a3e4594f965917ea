/* Tables of profilers, whatever their cells stood between: which columns a header has, what table
 * it begins, and what its rows say (profile_times.c takes those of times). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/profile_build.h"

static const char *const column_names[PROFILE_COLUMNS] = {
#define PROFILE_COLUMN_NAME(id, names) [COLUMN_##id] = (names),
    PROFILE_COLUMN_LIST(PROFILE_COLUMN_NAME)
#undef PROFILE_COLUMN_NAME
};

void profile_sheet_free(struct profile_sheet *sheet)
{
    for (size_t i = 0; sheet->names && i < sheet->width; i++)
        free(sheet->names[i]);
    free(sheet->names);
    free(sheet->units);
    *sheet = (struct profile_sheet){0};
}

/* ---- columns ---- */

/* Whether a cell is one of the names of a column, with the unit of a time after it or without. */
static bool names_column(const char *names, const char *cell, double *factor)
{
    const size_t cell_length = strlen(cell);
    for (const char *at = names; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
        const size_t length = strcspn(at, "|");
        char word[UNIT_WORD], unit[UNIT_WORD];
        *factor = 0;
        if (strncmp(at, cell, length) != 0)
            continue;
        if (!cell[length])
            return true;
        if (cell_length < length + 4 || strncmp(cell + length, " (", 2) != 0 ||
            cell[cell_length - 1] != ')' || cell_length - length - 3 >= UNIT_WORD)
            continue;
        snprintf(word, sizeof word, "%.*s", (int)(cell_length - length - 3), cell + length + 2);
        if (unit_read(word, unit, factor) && !strcmp(unit, "second"))
            return true;
    }
    return false;
}

static void find_columns(struct profile_sheet *sheet, char **cells)
{
    double factors[PROFILE_COLUMNS] = {0}, factor;
    for (size_t c = 0; c < PROFILE_COLUMNS; c++) {
        sheet->at[c] = -1;
        for (size_t i = 0; i < sheet->width && sheet->at[c] < 0; i++)
            if (names_column(column_names[c], cells[i], &factor)) {
                sheet->at[c] = (int)i;
                factors[c] = factor;
            }
    }
    sheet->time_factor = factors[COLUMN_DURATION] > 0  ? factors[COLUMN_DURATION]
                         : factors[COLUMN_AVERAGE] > 0 ? factors[COLUMN_AVERAGE]
                                                       : factors[COLUMN_TOTAL];
    sheet->nsys = sheet->time_factor > 0;
}

bool profile_has(const struct profile_sheet *sheet, enum profile_column column)
{
    return sheet->at[column] >= 0;
}

const char *profile_cell(const struct profile_sheet *sheet, char **cells,
                         enum profile_column column)
{
    return profile_has(sheet, column) ? cells[sheet->at[column]] : "";
}

static bool is_named_column(const char *name)
{
    double factor;
    for (size_t c = 0; c < PROFILE_COLUMNS; c++)
        if (names_column(column_names[c], name, &factor))
            return true;
    return false;
}

static enum profile_tool tool_of(const char *name)
{
    return strstr(name, "__") ? PROFILE_NCU : PROFILE_DETAILS;
}

/* Which table a line of headings begins. The order matters: a table may have the columns of a later
 * kind as well. */
static enum sheet_kind kind_of(const struct profile_sheet *sheet, char **cells)
{
    const bool average = profile_has(sheet, COLUMN_AVERAGE);
    const bool metric = profile_has(sheet, COLUMN_METRIC);
    const bool named = profile_has(sheet, COLUMN_NAME) || (profile_has(sheet, COLUMN_CATEGORY) &&
                                                           profile_has(sheet, COLUMN_OPERATION));
    if (profile_has(sheet, COLUMN_NVPROF_KERNEL) && profile_has(sheet, COLUMN_INVOCATIONS) &&
        average && (metric || profile_has(sheet, COLUMN_EVENT)))
        return SHEET_NVPROF;
    if (metric && (profile_has(sheet, COLUMN_VALUE) ? profile_has(sheet, COLUMN_KERNEL)
                                                    : average && profile_has(sheet, COLUMN_UNIT)))
        return SHEET_ROWS;
    if (profile_has(sheet, COLUMN_SHARE) && profile_has(sheet, COLUMN_CALLS) && average && named)
        return SHEET_SUMMARY;
    if (profile_has(sheet, COLUMN_DURATION) && profile_has(sheet, COLUMN_GRID_X) &&
        profile_has(sheet, COLUMN_NAME))
        return SHEET_TRACE;
    if (profile_has(sheet, COLUMN_NVPROF_KERNEL) && profile_has(sheet, COLUMN_DEVICE) &&
        profile_has(sheet, COLUMN_STREAM))
        return SHEET_WIDE;
    for (size_t i = 0; profile_has(sheet, COLUMN_KERNEL) && i < sheet->width; i++)
        if (strstr(cells[i], "__"))
            return SHEET_WIDE;
    return SHEET_NONE;
}

enum sheet_kind profile_sheet_begin(struct profile_sheet *sheet, char **cells, size_t width)
{
    sheet->width = width;
    find_columns(sheet, cells);
    return sheet->kind = kind_of(sheet, cells);
}

enum status profile_sheet_keep(struct profile_sheet *sheet, char **cells)
{
    sheet->names = calloc(sheet->width, sizeof *sheet->names);
    sheet->units = calloc(sheet->width, sizeof *sheet->units);
    if (!sheet->names || !sheet->units)
        return STATUS_MEMORY;
    for (size_t i = 0; i < sheet->width; i++)
        if (!is_named_column(cells[i]) && !(sheet->names[i] = strdup(cells[i])))
            return STATUS_MEMORY;
    return STATUS_OK;
}

/* ---- rows ---- */

static void begin_launch(struct profile_builder *builder, const struct profile_sheet *sheet,
                         char **cells)
{
    const char *capability = profile_cell(sheet, cells, COLUMN_CAPABILITY);
    const bool ours = profile_has(sheet, COLUMN_NVPROF_KERNEL); /* nvprof names its devices */
    char device[UNIT_WORD], number[UNIT_WORD];
    snprintf(device, sizeof device, "%s%.30s", *capability ? "CC " : "", capability);
    snprintf(number, sizeof number, "%.30s", profile_cell(sheet, cells, COLUMN_DEVICE));
    const struct launch_key key = {
        .kernel = profile_cell(sheet, cells, ours ? COLUMN_NVPROF_KERNEL : COLUMN_KERNEL),
        .device = ours ? profile_cell(sheet, cells, COLUMN_DEVICE) : device,
        .process = profile_cell(sheet, cells, COLUMN_PROCESS),
        /* A summary has no numbers of launches: what is not another kernel, size or device is the
         * same. */
        .id = profile_has(sheet, COLUMN_ID) ? profile_cell(sheet, cells, COLUMN_ID)
              : ours                        ? ""
              : *number                     ? number
                                            : "0",
        .block = profile_cell(sheet, cells, COLUMN_BLOCK),
        .grid = profile_cell(sheet, cells, COLUMN_GRID),
        .invocations = strtoull(profile_cell(sheet, cells, COLUMN_INVOCATIONS), NULL, 10)};
    profile_build_launch(builder, &key);
}

/* The row below the header has units, if it has no kernel. */
static bool units_row(struct profile_sheet *sheet, char **cells, const char *kernel)
{
    if (sheet->units_known)
        return false;
    sheet->units_known = true;
    for (size_t i = 0; !*kernel && i < sheet->width; i++)
        snprintf(sheet->units[i].text, UNIT_WORD, "%s", cells[i]);
    return !*kernel;
}

/* Adds a cell of ncu's page raw: a number in the unit of its column. */
static void wide_cell(struct profile_builder *builder, const char *name, struct sheet_unit *unit,
                      const char *cell)
{
    char base[UNIT_WORD];
    if (!unit->counted) {
        unit_read(unit->text, base, &unit->factor);
        unit->counter = profile_build_counter(builder, tool_of(name), name, base);
        unit->counted = true;
    }
    profile_build_alone(builder, unit->counter, cell, unit->factor);
}

static void wide_row(struct profile_builder *builder, struct profile_sheet *sheet, char **cells)
{
    const bool nvprof = profile_has(sheet, COLUMN_NVPROF_KERNEL);
    const char *kernel = profile_cell(sheet, cells, nvprof ? COLUMN_NVPROF_KERNEL : COLUMN_KERNEL);
    if (units_row(sheet, cells, kernel) || !*kernel)
        return;
    begin_launch(builder, sheet, cells);
    for (size_t i = 0; i < sheet->width && !builder->status; i++)
        if (sheet->names[i] && nvprof)
            profile_build_value(builder, PROFILE_NVPROF, sheet->names[i], sheet->units[i].text,
                                cells[i]);
        else if (sheet->names[i])
            wide_cell(builder, sheet->names[i], &sheet->units[i], cells[i]);
}

void profile_counter_cells(struct profile_builder *builder, const struct profile_sheet *sheet,
                           char **cells)
{
    const char *name = profile_cell(sheet, cells, COLUMN_METRIC);
    const bool summary = !profile_has(sheet, COLUMN_VALUE);
    profile_build_value(builder, tool_of(name), name, profile_cell(sheet, cells, COLUMN_UNIT),
                        profile_cell(sheet, cells, summary ? COLUMN_AVERAGE : COLUMN_VALUE));
}

static void counter_row(struct profile_builder *builder, struct profile_sheet *sheet, char **cells)
{
    if (!*profile_cell(sheet, cells, COLUMN_METRIC))
        return; /* a row of a rule */
    begin_launch(builder, sheet, cells);
    profile_counter_cells(builder, sheet, cells);
}

static void nvprof_row(struct profile_builder *builder, struct profile_sheet *sheet, char **cells)
{
    const bool metric = profile_has(sheet, COLUMN_METRIC);
    const char *name = profile_cell(sheet, cells, metric ? COLUMN_METRIC : COLUMN_EVENT);
    const struct launch_key key = {
        .kernel = profile_cell(sheet, cells, COLUMN_NVPROF_KERNEL),
        .device = profile_cell(sheet, cells, COLUMN_DEVICE),
        .invocations = strtoull(profile_cell(sheet, cells, COLUMN_INVOCATIONS), NULL, 10),
        .view = VIEW_COUNTED};
    profile_build_launch(builder, &key);
    profile_build_value(builder, PROFILE_NVPROF, name, "",
                        profile_cell(sheet, cells, COLUMN_AVERAGE));
}

void profile_sheet_row(struct profile_builder *builder, struct profile_sheet *sheet, char **cells)
{
    static void (*const rows[])(struct profile_builder *, struct profile_sheet *,
                                char **) = {[SHEET_ROWS] = counter_row,
                                            [SHEET_WIDE] = wide_row,
                                            [SHEET_NVPROF] = nvprof_row,
                                            [SHEET_SUMMARY] = profile_times_row,
                                            [SHEET_TRACE] = profile_times_row};
    rows[sheet->kind](builder, sheet, cells);
}
