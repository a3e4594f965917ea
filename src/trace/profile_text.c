/* Profiles as text: the tables of ncu, whose lines of dashes say where the columns stand, and those
 * of nvprof, whose columns are at least two blanks apart. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "trace/profile_build.h"

enum { NAME_MAX_LENGTH = 400 };

/* ---- Nsight Compute ---- */

/* Reads "    ------- ------ -----": the columns of a table. False if the line is another one, or of
 * a table with other columns than name, unit and value. */
static bool rule_line(const char *line, struct text_span spans[3], bool *three)
{
    size_t count = 0, at = strspn(line, " ");
    if (strspn(line + at, "-") < 4 || line[at + strspn(line + at, "- ")])
        return false;
    while (line[at]) {
        const size_t length = strspn(line + at, "-");
        if (count < 3)
            spans[count] = (struct text_span){at, at + length};
        count++;
        at += length + strspn(line + at + length, " ");
    }
    *three = count == 3;
    return true;
}

/* Copies what stands in a column, without the blanks around it. */
static const char *cut_span(const char *line, size_t length, struct text_span span,
                            char text[NAME_MAX_LENGTH])
{
    size_t begin = span.begin < length ? span.begin : length;
    size_t end = span.end < length ? span.end : length;
    while (begin < end && line[begin] == ' ')
        begin++;
    while (end > begin && line[end - 1] == ' ')
        end--;
    const size_t size = end - begin < NAME_MAX_LENGTH ? end - begin : NAME_MAX_LENGTH - 1;
    memcpy(text, line + begin, size);
    text[size] = '\0';
    return text;
}

static void table_row(struct profile_builder *builder)
{
    const char *line = builder->text.line;
    const size_t length = builder->text.length;
    char name[NAME_MAX_LENGTH], unit[NAME_MAX_LENGTH], value[NAME_MAX_LENGTH];
    const struct text_span rest = {builder->table[2].begin, length};
    cut_span(line, length, builder->table[0], name);
    cut_span(line, length, builder->table[1], unit);
    cut_span(line, length, rest, value);
    if (!strcmp(name, "Metric Name"))
        return;
    builder->table_rows = true;
    if (!builder->named) {
        const struct launch_key key = {"", "", "", "", "", "", 1, false};
        profile_build_launch(builder, &key); /* a table without the line above it */
        builder->named = true;
    }
    profile_build_value(builder, strstr(name, "__") ? PROFILE_NCU : PROFILE_DETAILS, name, unit,
                        value);
}

/* "  kernel(float *) (64, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.6", and before
 * 2022 "  kernel(float *), 2020-Oct-28 10:36:31, Context 1, Stream 7". */
static bool kernel_line(struct profile_builder *builder)
{
    char *line = builder->text.line, *context = strstr(line, ", Context ");
    char grid[NAME_MAX_LENGTH] = "", block[NAME_MAX_LENGTH] = "", device[UNIT_WORD] = "";
    if (!context || !strstr(context, ", Stream "))
        return false;
    const char *capability = strstr(context, ", CC ");
    if (capability)
        snprintf(device, sizeof device, "%.30s", capability + 2);
    *context = '\0';
    char *end = context, *shape = NULL;
    for (char *at = line; (at = strstr(at, ")x(")); at++)
        shape = at;
    if (shape) {
        snprintf(block, sizeof block, "%s", shape + 2);
        shape[1] = '\0';
        char *opens = strrchr(line, '(');
        end = opens ? opens : shape;
        snprintf(grid, sizeof grid, "%s", end);
    } else if ((shape = strrchr(line, ',')) &&
               isdigit((unsigned char)shape[1 + (shape[1] == ' ')]) && strchr(shape, ':')) {
        end = shape;
    }
    while (end > line && end[-1] == ' ')
        end--;
    *end = '\0';
    const struct launch_key key = {.kernel = line + strspn(line, " "),
                                   .device = device,
                                   .process = "",
                                   .id = "",
                                   .block = block,
                                   .grid = grid};
    profile_build_launch(builder, &key);
    builder->named = true;
    return true;
}

bool profile_ncu_line(struct profile_builder *builder)
{
    struct text_span spans[3];
    bool three;
    if (rule_line(builder->text.line, spans, &three)) {
        const bool begins = !builder->table[2].end || !builder->table_rows;
        memset(builder->table, 0, sizeof builder->table);
        if (begins && three)
            memcpy(builder->table, spans, sizeof spans);
        builder->table_rows = false;
        return true;
    }
    if (kernel_line(builder)) {
        memset(builder->table, 0, sizeof builder->table);
        return true;
    }
    if (!builder->table[2].end)
        return false;
    if (!builder->text.line[strspn(builder->text.line, " ")])
        memset(builder->table, 0, sizeof builder->table); /* cut off */
    else
        table_row(builder);
    return true;
}

/* ---- nvprof ---- */

size_t profile_cut_blanks(char *line, char *cells[NVPROF_CELLS])
{
    size_t count = 0;
    for (char *at = line + strspn(line, " "); *at && count < NVPROF_CELLS;) {
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
    if (strncmp(line + strspn(line, " "), "Invocations", strlen("Invocations")) != 0)
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
    const char *at = builder->text.line + strspn(builder->text.line, " ");
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

bool profile_nvprof_line(struct profile_builder *builder)
{
    char *cells[NVPROF_CELLS];
    if (!strncmp(builder->text.line, "==", 2) || nvprof_header(builder))
        return true;
    if (!builder->value_cell || keep_after(builder, "Device ", &builder->device) ||
        keep_after(builder, "Kernel: ", &builder->kernel))
        return builder->value_cell > 0;
    const size_t count = profile_cut_blanks(builder->text.line, cells);
    if (!builder->kernel || count <= (size_t)builder->value_cell || !number_length(cells[0]))
        return false;
    const struct launch_key key = {.kernel = builder->kernel,
                                   .device = builder->device ? builder->device : "",
                                   .process = "",
                                   .id = "",
                                   .block = "",
                                   .grid = "",
                                   .invocations = strtoull(cells[0], NULL, 10),
                                   .merged = true};
    profile_build_launch(builder, &key);
    profile_build_value(builder, PROFILE_NVPROF, cells[builder->name_cell], "",
                        cells[builder->value_cell]);
    return true;
}
