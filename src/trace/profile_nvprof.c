/* Metrics and events of nvprof as text, whose columns are at least two blanks apart. */
#include <stdlib.h>
#include <string.h>

#include "trace/profile_build.h"

size_t profile_cut_blanks(char *line, char **cells, size_t most)
{
    size_t count = 0;
    for (char *at = line + strspn(line, " \t"); *at && count < most;) {
        char *gap = strstr(at, "  ");
        cells[count++] = at;
        if (!gap)
            break;
        *gap = '\0';
        at = gap + 1 + strspn(gap + 1, " ");
    }
    return count;
}

/* "Invocations   Metric Name   Metric Description   Min   Max   Avg" */
static bool nvprof_header(struct profile_builder *builder)
{
    char *cells[NVPROF_CELLS], *line = builder->text.line;
    if (strncmp(line + strspn(line, " \t"), "Invocations", strlen("Invocations")) != 0)
        return false;
    const size_t count = profile_cut_blanks(line, cells, NVPROF_CELLS);
    profile_sheet_free(&builder->launches);
    builder->name_cell = builder->value_cell = 0;
    for (size_t i = 1; i < count; i++) {
        if (!strcmp(cells[i], "Metric Name") || !strcmp(cells[i], "Event Name"))
            builder->name_cell = (int)i;
        if (!strcmp(cells[i], "Avg"))
            builder->value_cell = (int)i;
    }
    return builder->name_cell && builder->value_cell;
}

/* "Device   Context   Stream   Kernel   gld_transactions   dram_read_throughput": --print-gpu-trace
 * with counters, of which each has a column. */
static bool launches_header(struct profile_builder *builder)
{
    char *line = builder->text.line;
    if (!strstr(line, "Device") || !strstr(line, "Context") || !strstr(line, "Stream") ||
        !strstr(line, "Kernel"))
        return false;
    struct profile_sheet sheet = {.line = builder->text.number};
    const size_t width = profile_cut_blanks(line, builder->cells, PROFILE_CELLS_MAX);
    if (profile_sheet_begin(&sheet, builder->cells, width) != SHEET_WIDE ||
        !profile_has(&sheet, COLUMN_NVPROF_KERNEL))
        return false;
    profile_sheet_free(&builder->launches);
    builder->launches = sheet;
    builder->value_cell = 0;
    builder->times.kind = TIMES_NONE;
    builder->status = profile_sheet_keep(&builder->launches, builder->cells);
    return true;
}

static bool launches_row(struct profile_builder *builder)
{
    struct profile_sheet *sheet = &builder->launches;
    char **cells = builder->cells;
    if (profile_cut_blanks(builder->text.line, cells, PROFILE_CELLS_MAX) != sheet->width ||
        !number_length(profile_cell(sheet, cells, COLUMN_STREAM)))
        return false;
    profile_cut_correlation(cells[sheet->at[COLUMN_NVPROF_KERNEL]]);
    profile_sheet_row(builder, sheet, cells);
    return true;
}

/* Keeps what stands after `word`, if the line begins with it. */
static bool keep_after(struct profile_builder *builder, const char *word, char **kept)
{
    const char *at = builder->text.line + strspn(builder->text.line, " \t");
    if (strncmp(at, word, strlen(word)) != 0)
        return false;
    free(*kept);
    at += strlen(word);
    const size_t length = strlen(at), quoted = length > 1 && *at == '"' && at[length - 1] == '"';
    *kept = strndup(at + quoted, length - 2 * quoted);
    if (!*kept)
        builder->status = STATUS_MEMORY;
    return true;
}

/* "==4711== Profiling result:" begins the tables of a process. Its kernels are not those of another
 * process, whatever their names. */
static void begin_process(struct profile_builder *builder)
{
    const char *line = builder->text.line;
    const uint64_t process = strtoull(line + strspn(line, "="), NULL, 10);
    if (!strstr(line, "Profiling result:"))
        return;
    if (process != builder->process)
        key_table_free(&builder->merged);
    builder->process = process;
}

bool profile_nvprof_line(struct profile_builder *builder)
{
    char *cells[NVPROF_CELLS];
    if (!strncmp(builder->text.line, "==", 2)) {
        begin_process(builder);
        return false;
    }
    if (nvprof_header(builder) || launches_header(builder))
        return true;
    if (builder->launches.kind)
        return launches_row(builder);
    if (!builder->value_cell || keep_after(builder, "Device ", &builder->device) ||
        keep_after(builder, "Kernel: ", &builder->kernel))
        return builder->value_cell > 0;
    const size_t count = profile_cut_blanks(builder->text.line, cells, NVPROF_CELLS);
    if (!builder->kernel || count <= (size_t)builder->value_cell || !number_length(cells[0]))
        return false;
    const struct launch_key key = {.kernel = builder->kernel,
                                   .device = builder->device,
                                   .invocations = strtoull(cells[0], NULL, 10),
                                   .view = VIEW_COUNTED};
    profile_build_launch(builder, &key);
    profile_build_value(builder, PROFILE_NVPROF, cells[builder->name_cell], "",
                        cells[builder->value_cell]);
    return true;
}
