/* Times of kernels: what nvprof's --print-gpu-summary and nsys's cuda_gpu_kern_sum print (a row for
 * each kernel), and --print-gpu-trace and cuda_gpu_trace (a row for each launch, with its size).
 * Copies, fills and calls of the host are left out. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "trace/profile_build.h"

enum { EXTENT_TEXT = 80 };

static bool is_kernel(const char *name)
{
    return *name && strncmp(name, "[CUDA", strlen("[CUDA")) != 0;
}

void profile_cut_correlation(char *name)
{
    char *opens = strrchr(name, '[');
    if (opens > name && opens[-1] == ' ' && isdigit((unsigned char)opens[1]) &&
        opens[1 + strspn(opens + 1, "0123456789")] == ']')
        opens[-1] = '\0';
}

static void put_time(struct profile_builder *builder, const char *text, double factor)
{
    char unit[UNIT_WORD];
    double own = 1; /* as text: "3.7037ms" */
    unit_read(text + number_length(text), unit, &own);
    profile_build_number(builder,
                         profile_build_counter(builder, PROFILE_NVPROF, "Duration", "second"), text,
                         factor * own);
}

static void put_summary(struct profile_builder *builder, const struct launch_key *key,
                        const char *average, double factor)
{
    profile_build_launch(builder, key);
    put_time(builder, average, factor);
}

static void put_trace(struct profile_builder *builder, char *name, const struct launch_key *size,
                      const char *duration, const char *registers, double factor)
{
    struct launch_key key = *size;
    profile_cut_correlation(name);
    key.kernel = name;
    key.view = VIEW_TRACED;
    profile_build_launch(builder, &key);
    put_time(builder, duration, factor);
    profile_build_value(builder, PROFILE_NVPROF, "Registers Per Thread", "", registers);
}

/* ---- tables with columns ---- */

/* "(20, 10, 1)" of three columns from `first` on. */
static void join_extent(const struct profile_sheet *sheet, char **cells, enum profile_column first,
                        char text[EXTENT_TEXT])
{
    snprintf(text, EXTENT_TEXT, "(%.20s, %.20s, %.20s)", profile_cell(sheet, cells, first),
             profile_cell(sheet, cells, first + 1), profile_cell(sheet, cells, first + 2));
}

/* The kernel that a row is about, or NULL. */
static char *kernel_of(const struct profile_builder *builder, const struct profile_sheet *sheet,
                       char **cells)
{
    const char *category = profile_cell(sheet, cells, COLUMN_CATEGORY);
    const bool named = profile_has(sheet, COLUMN_NAME);
    char *name = cells[sheet->at[named ? COLUMN_NAME : COLUMN_OPERATION]];
    if (!is_kernel(name) || builder->times.calls ||
        !strcmp(profile_cell(sheet, cells, COLUMN_TYPE), "API calls"))
        return NULL;
    return named || strstr(category, "KERN") ? name : NULL;
}

static void summary_cells(struct profile_builder *builder, const struct profile_sheet *sheet,
                          char **cells, const char *kernel)
{
    const struct launch_key key = {
        .kernel = kernel,
        .grid = profile_cell(sheet, cells, COLUMN_GRID),
        .block = profile_cell(sheet, cells, COLUMN_BLOCK),
        .invocations = strtoull(profile_cell(sheet, cells, COLUMN_CALLS), NULL, 10),
        .view = profile_has(sheet, COLUMN_GRID) ? VIEW_SIZED : VIEW_SUMMARY};
    put_summary(builder, &key, profile_cell(sheet, cells, COLUMN_AVERAGE), sheet->time_factor);
}

static void trace_cells(struct profile_builder *builder, const struct profile_sheet *sheet,
                        char **cells, char *kernel)
{
    char grid[EXTENT_TEXT], block[EXTENT_TEXT];
    join_extent(sheet, cells, COLUMN_GRID_X, grid);
    join_extent(sheet, cells, COLUMN_BLOCK_X, block);
    const struct launch_key size = {
        .grid = grid, .block = block, .device = profile_cell(sheet, cells, COLUMN_DEVICE)};
    if (*profile_cell(sheet, cells, COLUMN_GRID_X))
        put_trace(builder, kernel, &size, profile_cell(sheet, cells, COLUMN_DURATION),
                  profile_cell(sheet, cells, COLUMN_REGISTERS), sheet->time_factor);
}

void profile_times_row(struct profile_builder *builder, struct profile_sheet *sheet, char **cells)
{
    const bool summary = sheet->kind == SHEET_SUMMARY;
    const char *time = profile_cell(sheet, cells, summary ? COLUMN_AVERAGE : COLUMN_DURATION);
    char unit[UNIT_WORD];
    if (!sheet->time_factor) { /* the first row has the units */
        sheet->time_factor = 1;
        if (!number_length(time) && unit_read(time, unit, &sheet->time_factor))
            return;
    }
    char *kernel = kernel_of(builder, sheet, cells);
    if (kernel && summary)
        summary_cells(builder, sheet, cells, kernel);
    else if (kernel)
        trace_cells(builder, sheet, cells, kernel);
}

/* ---- nvprof as text ---- */

static int find_cell(char *const *cells, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(cells[i], name))
            return (int)i;
    return -1;
}

/* "Type  Time(%)  Time  Calls  Avg  Min  Max  Name" (older versions have no type) or "Start
 * Duration Grid Size  Block Size  Regs*  ...  Name". */
static bool begin_table(struct profile_builder *builder, char **cells, size_t count)
{
    if (count < 4 || strcmp(cells[count - 1], "Name") != 0)
        return false;
    struct profile_times times = {.calls = builder->times.calls,
                                  .width = count,
                                  .duration = find_cell(cells, count, "Duration"),
                                  .grid = find_cell(cells, count, "Grid Size"),
                                  .block = find_cell(cells, count, "Block Size"),
                                  .registers = find_cell(cells, count, "Regs*")};
    if (times.duration >= 0 && times.grid >= 0 && times.block >= 0)
        times.kind = TIMES_TRACE;
    else if (find_cell(cells, count, "Time(%)") >= 0 && find_cell(cells, count, "Calls") >= 0)
        times.kind = TIMES_SUMMARY;
    if (times.kind)
        builder->times = times;
    return times.kind != TIMES_NONE;
}

/* "GPU activities:  99.1%  12.9ms  2  6.4ms  288us  12.6ms  add(int)"; the type stands in its first
 * row alone. */
static bool summary_row(struct profile_builder *builder, char **cells, size_t count)
{
    enum { VALUES = 7, CALLS = 5, AVERAGE = 4 }; /* counted from behind */
    if (count == VALUES + 1)
        builder->times.calls = !strcmp(cells[0], "API calls:");
    if (count < VALUES || count > VALUES + 1 || !number_length(cells[count - CALLS]))
        return false;
    const struct launch_key key = {.kernel = cells[count - 1],
                                   .invocations = strtoull(cells[count - CALLS], NULL, 10),
                                   .view = VIEW_SUMMARY};
    if (!builder->times.calls && is_kernel(key.kernel))
        put_summary(builder, &key, cells[count - AVERAGE], 1);
    return true;
}

static bool trace_row(struct profile_builder *builder, char **cells, size_t count)
{
    const struct profile_times *times = &builder->times;
    if (count != times->width || !number_length(cells[times->duration]))
        return false;
    const struct launch_key size = {.grid = cells[times->grid], .block = cells[times->block]};
    if (is_kernel(cells[count - 1]) && *size.grid == '(')
        put_trace(builder, cells[count - 1], &size, cells[times->duration],
                  times->registers < 0 ? "" : cells[times->registers], 1);
    return true;
}

bool profile_times_line(struct profile_builder *builder)
{
    char *cells[NVPROF_CELLS], *line = builder->text.line;
    if (!strncmp(line, "==", 2)) { /* "==4711== API calls:" of older versions, as CSV too */
        builder->times.calls |= strstr(line, "API calls:") != NULL;
        builder->times.calls &=
            !strstr(line, "Profiling result:") && !strstr(line, "Trace result:");
        return false;
    }
    if (!builder->times.kind && !strstr(line, "Name"))
        return false;
    char *copy = strdup(line);
    if (!copy) {
        builder->status = STATUS_MEMORY;
        return true;
    }
    const size_t count = profile_cut_blanks(copy, cells, NVPROF_CELLS);
    const bool taken =
        begin_table(builder, cells, count) ||
        (builder->times.kind == TIMES_SUMMARY && summary_row(builder, cells, count)) ||
        (builder->times.kind == TIMES_TRACE && trace_row(builder, cells, count));
    free(copy);
    return taken;
}
