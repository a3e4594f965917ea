/* Comma-separated accesses. The first line names the columns: address (required; hexadecimal with
 * 0x, otherwise decimal), op (load, store, atomic, fetch; or L, S, A, F; or R, W), bytes, pc,
 * space, thread, warp, block. Each line is one access, in program order. With a thread column,
 * successive lines with the same pc, op and size and with ascending threads form one instruction of
 * up to 32 threads.
 *
 * Without a warp and a block column, everything belongs to one warp. With a block column, `warp` is
 * the number of a warp in its block; without one, each warp is a block by itself.
 *
 * Named warps may interleave, so they are sorted in memory (trace/warp_sort.h); otherwise memory
 * does not grow with the file. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "trace/address_list.h"
#include "trace/importers.h"
#include "trace/warp_sort.h"
#include "trace/wtr.h"

enum field {
    FIELD_ADDRESS,
    FIELD_OP,
    FIELD_BYTES,
    FIELD_PC,
    FIELD_SPACE,
    FIELD_THREAD,
    FIELD_WARP,
    FIELD_BLOCK,
    FIELDS
};
enum { COLUMNS_MAX = 32, CELL_MAX = 40, BLOCK_WARPS_MAX = WTR_THREADS_MAX / WARP_SIZE };

static const char *const field_names[FIELDS] = {"address", "op",     "bytes", "pc",
                                                "space",   "thread", "warp",  "block"};

struct csv {
    bool header_read, usable;
    int fields[COLUMNS_MAX]; /* the field of each column; -1 = none of them */
    unsigned columns;
    bool present[FIELDS];
    struct warp_access open; /* the instruction that threads are being added to; mask 0: none */
    uint64_t addresses[WARP_SIZE];
    unsigned count;
    uint64_t open_warp, open_block;
    struct warp_sort sort;  /* used if lines name their warps */
    uint64_t blocks, warps; /* then: one more than the largest of each */
};

/* Whether lines name their warps. */
static bool names_warps(const struct csv *csv)
{
    return csv->present[FIELD_WARP] || csv->present[FIELD_BLOCK];
}

/* Copies the next cell of *line, cut to CELL_MAX, and moves past it; false after the last cell.
 * Surrounding quotes are removed, but quoted commas are not supported. */
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

/* The first line names a column of addresses. */
static bool content(const struct trace_head *head)
{
    char first[512], cell[CELL_MAX];
    const char *line = first, *begin, *text = head->text + strspn(head->text, " \t\r\n");
    snprintf(first, sizeof first, "%.*s", (int)strcspn(text, "\r\n"), text);
    while (next_cell(&line, cell, &begin))
        if (!strcasecmp(cell, field_names[FIELD_ADDRESS]))
            return true;
    return false;
}

static bool named(const char *file)
{
    return file_ends_with(file, ".csv");
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

static bool read_space(const char *cell, uint64_t *value)
{
    enum memory_space space;
    bool known = space_parse(cell, &space);
    if (known)
        *value = space;
    return known;
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
    /* A grid of that many blocks would not fit a .wtr file. */
    case FIELD_WARP:
    case FIELD_BLOCK:
        return read_number(cell, &values[field]) && values[field] < WTR_BLOCKS_MAX;
    default:
        return read_number(cell, &values[field]);
    }
}

static enum status put_open(struct csv *csv, struct address_list *list)
{
    if (!csv->open.mask)
        return STATUS_OK;
    struct warp_access access = csv->open;
    csv->open.mask = 0;
    csv->count = 0;
    if (names_warps(csv))
        return warp_sort_put(&csv->sort, csv->open_block * BLOCK_WARPS_MAX + csv->open_warp,
                             SORT_ACCESS, &access, csv->addresses, NULL);
    enum status status = address_list_begin(list);
    return status ? status : wtr_put(list->writer, &access, csv->addresses);
}

/* The block and warp of a line; each warp is a block by itself if there is no block column. */
static void place_warp(struct csv *csv, const uint64_t values[FIELDS], uint64_t *block,
                       uint64_t *warp)
{
    *block = values[csv->present[FIELD_BLOCK] ? FIELD_BLOCK : FIELD_WARP];
    *warp = csv->present[FIELD_BLOCK] ? values[FIELD_WARP] : 0;
    csv->blocks = *block >= csv->blocks ? *block + 1 : csv->blocks;
    csv->warps = *warp >= csv->warps ? *warp + 1 : csv->warps;
}

static enum status add(struct csv *csv, const uint64_t values[FIELDS], struct address_list *list)
{
    uint64_t block, warp;
    place_warp(csv, values, &block, &warp);
    unsigned lane = csv->present[FIELD_THREAD] ? (unsigned)(values[FIELD_THREAD] % WARP_SIZE) : 0;
    struct warp_access access = {.pc = (uint32_t)values[FIELD_PC],
                                 .bytes = (uint16_t)values[FIELD_BYTES],
                                 .op = (uint8_t)values[FIELD_OP],
                                 .space = (uint8_t)values[FIELD_SPACE]};
    if (access.op == OP_FETCH && !csv->present[FIELD_SPACE])
        access.space = SPACE_INSTRUCTION;
    if (access.space == SPACE_LOCAL && access.bytes > 16)
        access.bytes = 16;
    const struct warp_access *open = &csv->open;
    /* A thread joins the open instruction if its lane is above all lanes so far and everything else
     * agrees. So a thread that comes again starts a new instruction. */
    bool joins = open->mask && !(open->mask >> lane) && open->pc == access.pc &&
                 open->bytes == access.bytes && open->op == access.op &&
                 open->space == access.space && csv->open_block == block && csv->open_warp == warp;
    enum status status = STATUS_OK;
    if (!joins) {
        status = put_open(csv, list);
        csv->open = access;
        csv->open_block = block;
        csv->open_warp = warp;
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
    if (csv->present[FIELD_BLOCK] && values[FIELD_WARP] >= BLOCK_WARPS_MAX) {
        text_problem(reader, address_list_severity(reader), NULL,
                     "warp %" PRIu64 ": a block has at most %d warps, from 0 on",
                     values[FIELD_WARP], BLOCK_WARPS_MAX);
        return STATUS_INVALID;
    }
    enum status status = add(csv, values, list);
    if (status == STATUS_UNSUPPORTED)
        warp_sort_refuse(&csv->sort, reader, "cut it into several traces");
    return status;
}

/* Writes one launch with all warps that the lines named. */
static enum status write_warps(struct csv *csv, struct wtr_writer *writer)
{
    char name[] = "csv";
    const struct trace_launch launch = {.name = name,
                                        .grid = {(uint32_t)csv->blocks, 1, 1},
                                        .block = {(uint32_t)csv->warps * WARP_SIZE, 1, 1}};
    enum status status = csv->sort.count ? wtr_begin_launch(writer, &launch) : STATUS_OK;
    if (!status)
        warp_sort_write(&csv->sort, BLOCK_WARPS_MAX, writer); /* a failure is kept in the writer */
    return status;
}

static enum status finish(struct address_list *list, void *context, uint32_t *tail)
{
    struct csv *csv = context;
    *tail = 0;
    enum status status = put_open(csv, list);
    if (status == STATUS_UNSUPPORTED) /* the very last access: there is no line left to report it
                                       * at */
        return STATUS_MEMORY;
    return status || !names_warps(csv) ? status : write_warps(csv, list->writer);
}

static enum status import_csv(const char *path, struct wtr_writer *writer,
                              struct diagnostics *diagnostics)
{
    struct csv csv = {0};
    static const struct address_parser parser = {"csv", parse, finish};
    enum status status = address_list_read(path, &parser, &csv, writer, diagnostics);
    warp_sort_free(&csv.sort);
    return status;
}

const struct importer importer_csv = {
    .name = "csv",
    .help = "columns by name: address, op, bytes, pc, space, thread, warp, block",
    .content = content,
    .named = named,
    .import = import_csv,
};
