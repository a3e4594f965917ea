/* Metrics and events of nvprof as text, whose columns are at least two blanks apart. */
#include <stdlib.h>
#include <string.h>

#include "trace/profile_build.h"

size_t profile_cut_blanks(char *line, char *cells[NVPROF_CELLS])
{
    size_t count = 0;
    for (char *at = line + strspn(line, " \t"); *at && count < NVPROF_CELLS;) {
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
    const size_t count = profile_cut_blanks(line, cells);
    builder->name_cell = builder->value_cell = 0;
    for (size_t i = 1; i < count; i++) {
        if (!strcmp(cells[i], "Metric Name") || !strcmp(cells[i], "Event Name"))
            builder->name_cell = (int)i;
        if (!strcmp(cells[i], "Avg"))
            builder->value_cell = (int)i;
    }
    return builder->name_cell && builder->value_cell;
}

/* Keeps what stands behind `word`, if the line begins with it. */
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
    if (nvprof_header(builder))
        return true;
    if (!builder->value_cell || keep_after(builder, "Device ", &builder->device) ||
        keep_after(builder, "Kernel: ", &builder->kernel))
        return builder->value_cell > 0;
    const size_t count = profile_cut_blanks(builder->text.line, cells);
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
