/* Comma-separated accesses. The first line names the columns: address (needed; hexadecimal with
 * 0x, else decimal), op (load, store, atomic, fetch, or L, S, A, F, or R, W), bytes, pc, space,
 * thread. Lines are single accesses in order; with a thread column, lines of one pc, op and size
 * whose threads ascend from one to the next belong to one instruction of 32 threads. */
#include <string.h>
#include <strings.h>

#include "trace/address_list.h"
#include "trace/importers.h"

enum field { FIELD_ADDRESS, FIELD_OP, FIELD_BYTES, FIELD_PC, FIELD_SPACE, FIELD_THREAD, FIELDS };
enum { COLUMNS_MAX = 32, CELL_MAX = 40 };

static const char *const field_names[FIELDS] = {"address", "op", "bytes", "pc", "space", "thread"};

struct csv {
    bool header_read, usable;
    int fields[COLUMNS_MAX]; /* of each column, -1 = some other */
    unsigned columns;
    bool present[FIELDS];
    struct warp_access open; /* the instruction that threads are being added to; mask 0 = none */
    uint64_t addresses[WARP_SIZE];
    unsigned count;
};

static bool recognise(const struct trace_head *head)
{
    return file_ends_with(head->file, ".csv");
}

/* Copies the next cell of *line, as far as it fits, and moves behind it; false behind the last.
 * Quotes around it are taken off, not understood. */
static bool next_cell(const char **line, char cell[CELL_MAX], const char **begin)
{
    if (!*line)
        return false;
    const char *comma = strchr(*line, ',');
    *begin = *line + strspn(*line, " \t\"");
    size_t length = comma && comma < *begin ? 0 : strcspn(*begin, ",");
    while (length && strchr(" \t\"", (*begin)[length - 1]))
        length--;
    snprintf(cell, CELL_MAX, "%.*s", (int)length, *begin);
    *line = comma ? comma + 1 : NULL;
    return true;
}

static enum status read_header(struct text_reader *reader, struct csv *csv)
{
    const char *line = reader->line, *begin;
    char cell[CELL_MAX];
    csv->header_read = true;
    while (next_cell(&line, cell, &begin)) {
        if (csv->columns == COLUMNS_MAX) {
            text_problem(reader, SEVERITY_ERROR, NULL, "more than %d columns", COLUMNS_MAX);
            return STATUS_INVALID;
        }
        int field = -1;
        for (int i = 0; i < FIELDS; i++)
            if (!strcasecmp(cell, field_names[i]))
                field = i;
        csv->fields[csv->columns++] = field;
        if (field >= 0)
            csv->present[field] = true;
    }
    if (!csv->present[FIELD_ADDRESS]) {
        text_problem(reader, SEVERITY_ERROR, NULL, "the first line names no column 'address'");
        return STATUS_INVALID;
    }
    csv->usable = true;
    return STATUS_OK;
}

static bool read_number(const char *cell, uint64_t *value)
{
    bool hex = cell[0] == '0' && (cell[1] | 32) == 'x';
    return (hex ? scan_hex(&cell, value) : scan_decimal(&cell, value)) && scan_end(&cell);
}

static bool read_op(const char *cell, uint64_t *op)
{
    static const struct {
        const char *name;
        uint8_t op;
    } rows[] = {{"load", OP_LOAD}, {"store", OP_STORE}, {"atomic", OP_ATOMIC}, {"fetch", OP_FETCH},
                {"l", OP_LOAD},    {"s", OP_STORE},     {"a", OP_ATOMIC},      {"f", OP_FETCH},
                {"r", OP_LOAD},    {"w", OP_STORE},     {"read", OP_LOAD},     {"write", OP_STORE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcasecmp(cell, rows[i].name)) {
            *op = rows[i].op;
            return true;
        }
    return false;
}

static bool read_space(const char *cell, uint64_t *space)
{
    static const char *const names[] = {"global", "local", "texture", "constant", "instruction"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(cell, names[i])) {
            *space = i;
            return true;
        }
    return false;
}

static bool read_cell(const char *cell, int field, uint64_t values[FIELDS])
{
    switch (field) {
    case -1:
        return true;
    case FIELD_OP:
        return read_op(cell, &values[field]);
    case FIELD_SPACE:
        return read_space(cell, &values[field]);
    case FIELD_BYTES:
        return read_number(cell, &values[field]) && values[field] &&
               values[field] <= ACCESS_BYTES_MAX;
    case FIELD_PC:
        return read_number(cell, &values[field]) && values[field] <= UINT32_MAX;
    default:
        return read_number(cell, &values[field]);
    }
}

static enum status put_open(struct csv *csv, struct wtr_writer *writer)
{
    if (!csv->open.mask)
        return STATUS_OK;
    struct warp_access access = csv->open;
    csv->open.mask = 0;
    csv->count = 0;
    return wtr_put(writer, &access, csv->addresses);
}

static enum status add(struct csv *csv, const uint64_t values[FIELDS], struct wtr_writer *writer)
{
    unsigned lane = csv->present[FIELD_THREAD] ? (unsigned)(values[FIELD_THREAD] % WARP_SIZE) : 0;
    struct warp_access access = {.pc = (uint32_t)values[FIELD_PC],
                                 .bytes = (uint16_t)values[FIELD_BYTES],
                                 .op = (uint8_t)values[FIELD_OP],
                                 .space = (uint8_t)values[FIELD_SPACE]};
    if (access.space == SPACE_LOCAL && access.bytes > 16)
        access.bytes = 16;
    const struct warp_access *open = &csv->open;
    bool joins = open->mask && !(open->mask >> lane) && open->pc == access.pc &&
                 open->bytes == access.bytes && open->op == access.op &&
                 open->space == access.space;
    enum status status = STATUS_OK;
    if (!joins) {
        status = put_open(csv, writer);
        csv->open = access;
    }
    csv->open.mask |= 1u << lane;
    csv->addresses[csv->count++] = values[FIELD_ADDRESS];
    return status;
}

static enum status parse(struct text_reader *reader, struct address_list *list, void *context)
{
    struct csv *csv = context;
    if (!csv->header_read)
        return read_header(reader, csv);
    if (!csv->usable)
        return STATUS_OK;
    uint64_t values[FIELDS] = {[FIELD_BYTES] = 4};
    const char *line = reader->line, *begin = NULL;
    char cell[CELL_MAX];
    for (unsigned i = 0; i < csv->columns; i++) {
        if (next_cell(&line, cell, &begin) && read_cell(cell, csv->fields[i], values))
            continue;
        text_problem(reader, address_list_severity(reader), begin, "expected %s of column %u",
                     csv->fields[i] < 0 ? "a cell" : field_names[csv->fields[i]], i + 1);
        return STATUS_INVALID;
    }
    return add(csv, values, list->writer);
}

static enum status finish(struct address_list *list, void *context, uint32_t *tail)
{
    *tail = 0;
    return put_open(context, list->writer);
}

static enum status import_csv(const char *path, struct wtr_writer *writer,
                              struct diagnostics *diagnostics)
{
    struct csv csv = {0};
    static const struct address_parser parser = {"csv", parse, finish};
    return address_list_read(path, &parser, &csv, writer, diagnostics);
}

const struct importer importer_csv = {
    .name = "csv",
    .help = "columns by name: address[,op][,bytes][,pc][,space][,thread]",
    .recognise = recognise,
    .import = import_csv,
};
