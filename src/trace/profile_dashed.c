/* Tables as text whose lines of dashes say where the columns stand: those of ncu, with the names of
 * launches above them, and those of nsys. A header stands between two such lines, above the only
 * one (summaries of ncu until 2022, and nsys), or nowhere (ncu until 2022: name, unit and value).
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "trace/profile_build.h"

enum { CELL_MAX = 400, HEADERLESS_COLUMNS = 3 };

/* Reads "    ------- ------ -----" or "+------+-----+". */
static bool dashes_line(struct profile_dashed *dashed, const char *line)
{
    size_t count = 0, at = strspn(line, " +");
    if (strspn(line + at, "-=") < 4 || line[at + strspn(line + at, "-=+ ")])
        return false;
    while (line[at]) {
        const size_t length = strspn(line + at, "-=");
        if (count < DASHED_COLUMNS)
            dashed->spans[count] = (struct text_span){at, at + length};
        count++;
        at += length + strspn(line + at + length, " +");
    }
    dashed->count = count <= DASHED_COLUMNS ? count : 0;
    return true;
}

static bool is_gap(char c)
{
    return c == ' ' || c == '|';
}

/* Copies what stands in a column, without what is blank around it; the last takes the rest of the
 * line. What stands between two columns belongs to the left one if it goes on from there. */
static void cut_column(const struct profile_dashed *dashed, const char *line, size_t column,
                       char text[CELL_MAX])
{
    const size_t length = strlen(line);
    const bool last = column + 1 == dashed->count;
    size_t before = column ? dashed->spans[column - 1].end : 0;
    const size_t after = last ? length : dashed->spans[column + 1].begin;
    size_t begin = dashed->spans[column].begin, end = last ? length : dashed->spans[column].end;
    begin = begin < length ? begin : length;
    end = end < length ? end : length;
    before = before < begin ? before : begin;
    size_t earlier = begin;
    while (earlier > before && !is_gap(line[earlier - 1]))
        earlier--;
    if (earlier > before || !before || is_gap(line[before - 1]))
        begin = earlier;
    while (end > begin && end < after && end < length && !is_gap(line[end - 1]) &&
           !is_gap(line[end]))
        end++;
    while (begin < end && is_gap(line[begin]))
        begin++;
    while (end > begin && is_gap(line[end - 1]))
        end--;
    const size_t size = end - begin < CELL_MAX ? end - begin : CELL_MAX - 1;
    memcpy(text, line + begin, size);
    text[size] = '\0';
}

static size_t cut_columns(const struct profile_dashed *dashed, const char *line,
                          char text[DASHED_COLUMNS][CELL_MAX], char *cells[DASHED_COLUMNS])
{
    for (size_t i = 0; i < dashed->count; i++) {
        cut_column(dashed, line, i, text[i]);
        cells[i] = text[i];
    }
    return dashed->count;
}

/* Begins the table whose header stands above the line of dashes; false if it is none of ours. */
static bool begin_below_header(struct profile_dashed *dashed)
{
    char text[DASHED_COLUMNS][CELL_MAX], *cells[DASHED_COLUMNS];
    const size_t count = cut_columns(dashed, dashed->header, text, cells);
    struct profile_sheet *sheet = &dashed->sheet;
    *sheet = (struct profile_sheet){.line = dashed->header_line};
    profile_sheet_begin(sheet, cells, count);
    if (profile_has(sheet, COLUMN_METRIC) &&
        (profile_has(sheet, COLUMN_VALUE) || profile_has(sheet, COLUMN_AVERAGE)))
        sheet->kind = SHEET_ROWS;
    return sheet->kind == SHEET_ROWS || sheet->kind == SHEET_SUMMARY || sheet->kind == SHEET_TRACE;
}

static void begin_headerless(struct profile_dashed *dashed, unsigned line)
{
    dashed->sheet =
        (struct profile_sheet){.kind = SHEET_ROWS, .line = line, .width = HEADERLESS_COLUMNS};
    for (size_t i = 0; i < PROFILE_COLUMNS; i++)
        dashed->sheet.at[i] = -1;
    dashed->sheet.at[COLUMN_METRIC] = 0;
    dashed->sheet.at[COLUMN_UNIT] = 1;
    dashed->sheet.at[COLUMN_VALUE] = 2;
}

static void begin_or_end(struct profile_dashed *dashed, unsigned line)
{
    const bool ends = dashed->open && dashed->any_row;
    if (dashed->header && dashed->header_line + 1 == line) {
        dashed->open = begin_below_header(dashed);
    } else {
        dashed->open = !ends && dashed->count == HEADERLESS_COLUMNS;
        if (dashed->open)
            begin_headerless(dashed, line);
    }
    dashed->any_row = false;
}

static bool may_be_header(const char *line)
{
    return strstr(line, "Name") || strstr(line, "Operation");
}

static void keep_header(struct profile_builder *builder)
{
    struct profile_dashed *dashed = &builder->dashed;
    free(dashed->header);
    dashed->header = strdup(builder->text.line);
    dashed->header_line = builder->text.number;
    if (!dashed->header)
        builder->status = STATUS_MEMORY;
}

static void table_row(struct profile_builder *builder)
{
    struct profile_dashed *dashed = &builder->dashed;
    char text[DASHED_COLUMNS][CELL_MAX], *cells[DASHED_COLUMNS];
    cut_columns(dashed, builder->text.line, text, cells);
    dashed->any_row = true;
    if (dashed->sheet.kind != SHEET_ROWS) {
        profile_times_row(builder, &dashed->sheet, cells);
        return;
    }
    if (!dashed->named) { /* a table without the line above it */
        const struct launch_key key = {.kernel = ""};
        profile_build_launch(builder, &key);
        dashed->named = true;
    }
    profile_counter_cells(builder, &dashed->sheet, cells);
}

/* ---- names of launches ---- */

/* Cuts " (64, 1, 1)x(256, 1, 1)" from the end of a line. */
static bool cut_size(char *line, char grid[CELL_MAX], char block[CELL_MAX])
{
    char *shape = NULL;
    for (char *at = line; (at = strstr(at, ")x(")); at++)
        shape = at;
    if (!shape)
        return false;
    snprintf(block, CELL_MAX, "%s", shape + 2);
    shape[1] = '\0';
    char *opens = strrchr(line, '(');
    opens = opens ? opens : shape;
    snprintf(grid, CELL_MAX, "%s", opens);
    *opens = '\0';
    return true;
}

/* Cuts ", 2020-Oct-28 10:36:31", which stood in the place of the size before 2022. */
static void cut_date(char *line)
{
    char *date = strrchr(line, ',');
    if (date && isdigit((unsigned char)date[1 + (date[1] == ' ')]) && strchr(date, ':'))
        *date = '\0';
}

/* The number of launches that a summary is of: ", Invocations 14" or ", 14 invocations"; 0 if the
 * line is no head of a summary. */
static uint64_t invocations_of(const char *line)
{
    static const char now[] = ", Invocations ", until_2022[] = " invocations";
    const char *at = strstr(line, now);
    if (at)
        return strtoull(at + sizeof now - 1, NULL, 10);
    at = strstr(line, until_2022);
    while (at && at > line && isdigit((unsigned char)at[-1]))
        at--;
    return at && strstr(line, "Device ") ? strtoull(at, NULL, 10) : 0;
}

/* "  kernel(float *) (64, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.6", and before
 * 2022 "  kernel(float *), 2020-Oct-28 10:36:31, Context 1, Stream 7". Of a summary "  kernel(float
 * *) (64, 1, 1)x(256, 1, 1), Device 0, CC 8.6, Invocations 14", and before 2022 "  kernel(float *),
 * Block Size 256, Grid Size 64, Device 0, 14 invocations". One of a GPU names no kernel. */
static bool launch_line(struct profile_builder *builder)
{
    static const char *const ends[] = {", Context ", ", Block Size ", ", Device ", "Device "};
    char *line = builder->text.line, *end = strstr(line, ends[0]);
    char grid[CELL_MAX] = "", block[CELL_MAX] = "", device[UNIT_WORD] = "";
    const uint64_t invocations = invocations_of(line);
    if (!invocations && (!end || !strstr(end, ", Stream ")))
        return false;
    const char *capability = strstr(line, ", CC ");
    if (capability)
        snprintf(device, sizeof device, "CC %.*s", (int)strspn(capability + 5, "0123456789."),
                 capability + 5);
    for (size_t i = 1; invocations && !end && i < sizeof ends / sizeof *ends; i++)
        end = strstr(line, ends[i]);
    if (end)
        *end = '\0';
    if (!cut_size(line, grid, block))
        cut_date(line);
    for (size_t length = strlen(line); length && line[length - 1] == ' ';)
        line[--length] = '\0';
    const struct launch_key key = {.kernel = line + strspn(line, " "),
                                   .device = device,
                                   .block = block,
                                   .grid = grid,
                                   .invocations = invocations};
    profile_build_launch(builder, &key);
    builder->dashed.named = true;
    return true;
}

bool profile_dashed_line(struct profile_builder *builder)
{
    struct profile_dashed *dashed = &builder->dashed;
    const char *line = builder->text.line;
    if (dashes_line(dashed, line)) {
        begin_or_end(dashed, builder->text.number);
        return true;
    }
    if (may_be_header(line)) {
        keep_header(builder);
        profile_other_line(builder); /* which may be that of a list without values */
    }
    if (launch_line(builder)) {
        dashed->open = false;
        return true;
    }
    if (!dashed->open || builder->status)
        return false;
    if (line[strspn(line, " ")])
        table_row(builder);
    else
        dashed->open = false; /* cut off */
    return true;
}
