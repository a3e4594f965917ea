/* Comma-separated accesses. The first line names the columns, in any order and case; the table
 * below has their names. A column that is nobody's is left out, with a note that names it.
 *
 * Each line is one access, in program order, or with several addresses one instruction of a warp
 * (what `warpscape trace list -f csv` prints). With a thread column, lines of a warp that follow
 * each other with the same pc, op and size and with ascending threads form one instruction of up to
 * 32 threads; lines of other warps may stand between them.
 *
 * Without a column that names warps, everything belongs to one warp; and if nothing tells lanes
 * either, lines are single accesses (ACCESS_SINGLE). With a block column, or an SM in its place,
 * `warp` is the number of a warp in its block; without one, each warp is a block by itself.
 *
 * Named warps may interleave, so they are sorted in memory (trace/warp_sort.h); otherwise memory
 * does not grow with the file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bits.h"
#include "base/key_table.h"
#include "base/memory.h"
#include "base/text_ends.h"
#include "trace/access_words.h"
#include "trace/address_list.h"
#include "trace/csv_line.h"
#include "trace/importers.h"
#include "trace/warp_sort.h"
#include "trace/wtr.h"

/* X(constant, names, ended by NULL; the first is ours) */
#define FIELD_LIST(X)                                                                              \
    X(ADDRESS, "address", "addresses", "addr")                                                     \
    X(OP, "op", "type")                                                                            \
    X(BYTES, "bytes", "size")                                                                      \
    X(PC, "pc")                                                                                    \
    X(SPACE, "space")                                                                              \
    X(THREAD, "thread", "lane")                                                                    \
    X(WARP, "warp")                                                                                \
    X(BLOCK, "block")                                                                              \
    X(SM, "sm")                                                                                    \
    X(LAUNCH, "launch")                                                                            \
    X(GAP, "gap")                                                                                  \
    X(MASK, "mask")                                                                                \
    X(FLAGS, "flags")

enum field {
#define FIELD_ENUM(constant, ...) FIELD_##constant,
    FIELD_LIST(FIELD_ENUM)
#undef FIELD_ENUM
        FIELDS
};

enum { NAMES_MAX = 4 };
static const char *const field_names[FIELDS][NAMES_MAX] = {
#define FIELD_NAMES(constant, ...) {__VA_ARGS__},
    FIELD_LIST(FIELD_NAMES)
#undef FIELD_NAMES
};

enum {
    COLUMNS_MAX = 64,
    BLOCK_WARPS_MAX = WTR_THREADS_MAX / WARP_SIZE,
    LAUNCHES_MAX = 1 << 20,
    NOTE_BYTES = 256,
    OPEN_MAX = 1 << 16 /* instructions that wait for more lanes, 320 B each */
};
#define LAUNCH_WARPS ((uint64_t)BLOCK_WARPS_MAX * WTR_BLOCKS_MAX)

/* One more than the largest block and warp of a launch that lines name; 0: none does. */
struct reach {
    uint64_t blocks, warps;
};

/* The instruction of a warp that threads are being added to; mask 0: none. */
struct open {
    uint64_t warp;
    struct warp_access access;
    uint64_t addresses[WARP_SIZE];
    unsigned count;
};

struct csv {
    bool header_read, usable;
    int fields[COLUMNS_MAX]; /* the field of each column; -1 = none of them */
    size_t columns;
    bool present[FIELDS];
    char *line; /* a copy to cut */
    size_t line_capacity;
    struct open *opens; /* by warp, as it is sorted */
    size_t open_count, open_capacity;
    struct key_table open_warps;
    struct warp_sort sort; /* used if lines name their warps */
    struct reach *reach;   /* then: by launch */
    size_t launches, reach_capacity;
    struct wtr_writer *writer;
};

/* What a line says. */
struct csv_access {
    uint64_t values[FIELDS];
    uint64_t addresses[WARP_SIZE];
    unsigned count;
};

/* Whether lines name their warps. */
static bool names_warps(const struct csv *csv)
{
    return csv->present[FIELD_WARP] || csv->present[FIELD_BLOCK] || csv->present[FIELD_SM] ||
           csv->present[FIELD_LAUNCH];
}

static int find_field(const char *name)
{
    for (int field = 0; field < FIELDS; field++)
        for (int i = 0; i < NAMES_MAX && field_names[field][i]; i++)
            if (!strcasecmp(name, field_names[field][i]))
                return field;
    return -1;
}

/* Cuts a copy of a line into cells without the blanks around them; returns their number, which may
 * be most + 1, or 0 without memory. */
static size_t cut(struct csv *csv, const char *line, char **cells, size_t most)
{
    const size_t size = strlen(line) + 1;
    if (array_reserve(&csv->line, &csv->line_capacity, size))
        return 0;
    memcpy(csv->line, line, size);
    const size_t count = csv_line_cut(csv->line, ',', cells, most);
    for (size_t i = 0; i < count && i < most; i++) {
        cells[i] += strspn(cells[i], " \t");
        size_t length = strlen(cells[i]);
        while (length && strchr(" \t", cells[i][length - 1]))
            cells[i][--length] = '\0';
    }
    return count;
}

/* The first line names a column of addresses. */
static bool csv_content(const struct trace_head *head)
{
    const char *text = head->text + strspn(head->text, " \t\r\n");
    char *first = strndup(text, strcspn(text, "\r\n")), *cells[COLUMNS_MAX];
    struct csv csv = {0};
    const size_t count = first ? cut(&csv, first, cells, COLUMNS_MAX) : 0;
    bool found = false;
    for (size_t i = 0; i < count && i < COLUMNS_MAX; i++)
        found |= find_field(cells[i]) == FIELD_ADDRESS;
    free(csv.line);
    free(first);
    return found;
}

static bool csv_named(const char *file)
{
    return text_ends(file, ".csv");
}

/* Leaves out a field whose column says what another says already. */
static void leave_out(struct csv *csv, enum field field)
{
    for (size_t i = 0; i < csv->columns; i++)
        if (csv->fields[i] == (int)field)
            csv->fields[i] = -1;
    csv->present[field] = false;
}

static void note_unused(struct text_reader *reader, const struct csv *csv, char **cells)
{
    char names[NOTE_BYTES] = "";
    size_t used = 0, unused = 0;
    for (size_t i = 0; i < csv->columns; i++)
        if (csv->fields[i] < 0 && unused++ < NOTE_BYTES && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s'%.40s'",
                                     unused > 1 ? ", " : "", cells[i]);
    const struct place place = {.file = reader->path, .line = reader->number};
    if (unused)
        diagnostics_add(reader->diagnostics, SEVERITY_NOTE, &place, "columns that are not used: %s",
                        names);
}

static enum status read_header(struct text_reader *reader, struct csv *csv)
{
    char *cells[COLUMNS_MAX];
    csv->header_read = true;
    csv->columns = cut(csv, reader->line, cells, COLUMNS_MAX);
    if (!csv->columns)
        return STATUS_MEMORY;
    if (csv->columns > COLUMNS_MAX) {
        text_problem(reader, SEVERITY_ERROR, NULL, "more than %d columns", COLUMNS_MAX);
        return STATUS_INVALID;
    }
    for (size_t i = 0; i < csv->columns; i++) {
        const int field = find_field(cells[i]);
        csv->fields[i] = field >= 0 && !csv->present[field] ? field : -1;
        if (field >= 0)
            csv->present[field] = true;
    }
    if (!csv->present[FIELD_ADDRESS]) {
        text_problem(reader, SEVERITY_ERROR, NULL, "the first line names no column 'address'");
        return STATUS_INVALID;
    }
    if (csv->present[FIELD_MASK])
        leave_out(csv, FIELD_THREAD);
    if (csv->present[FIELD_BLOCK])
        leave_out(csv, FIELD_SM);
    note_unused(reader, csv, cells);
    csv->usable = true;
    return STATUS_OK;
}

static bool scan_number(const char **at, uint64_t *value)
{
    *at += strspn(*at, " \t");
    bool hex = (*at)[0] == '0' && ((*at)[1] | 32) == 'x';
    return hex ? scan_hex(at, value) : scan_decimal(at, value);
}

static bool csv_read_number(const char *cell, uint64_t *value)
{
    return scan_number(&cell, value) && scan_end(&cell);
}

/* Reads the addresses of a line, one for each lane of its instruction. */
static bool read_addresses(const char *cell, struct csv_access *row)
{
    for (row->count = 0; !scan_end(&cell); row->count++)
        if (row->count == WARP_SIZE || !scan_number(&cell, &row->addresses[row->count]))
            return false;
    return row->count > 0;
}

static bool read_op(const char *cell, uint64_t *value)
{
    uint8_t op;
    const bool known = access_op_find(cell, strlen(cell), &op);
    if (known)
        *value = op;
    return known;
}

static bool read_space(const char *cell, uint64_t *value)
{
    enum memory_space space;
    bool known = space_parse(cell, &space);
    if (known)
        *value = space;
    return known;
}

/* Words with + between them, or nothing. */
static bool read_flags(const char *cell, uint64_t *flags)
{
    while (*cell) {
        const size_t length = strcspn(cell, "+");
        const struct access_word *row = access_word_find(cell, length);
        if (!row->word)
            return false;
        *flags |= row->flag;
        cell += length + (cell[length] == '+');
    }
    return true;
}

static bool read_cell(const char *cell, int field, struct csv_access *row)
{
    uint64_t *value = &row->values[field < 0 ? 0 : field];
    switch (field) {
    case -1:
        return true;
    case FIELD_ADDRESS:
        return read_addresses(cell, row);
    case FIELD_OP:
        return read_op(cell, value);
    case FIELD_SPACE:
        return read_space(cell, value);
    case FIELD_FLAGS:
        return read_flags(cell, value);
    case FIELD_BYTES:
        return csv_read_number(cell, value) && *value && *value <= ACCESS_BYTES_MAX;
    case FIELD_PC:
    case FIELD_GAP:
        return csv_read_number(cell, value) && *value <= UINT32_MAX;
    case FIELD_MASK:
        return csv_read_number(cell, value) && *value && *value <= UINT32_MAX;
    case FIELD_LAUNCH:
        return csv_read_number(cell, value) && *value < LAUNCHES_MAX;
    /* A grid of that many blocks would not fit a .wtr file. */
    case FIELD_WARP:
    case FIELD_BLOCK:
    case FIELD_SM:
        return csv_read_number(cell, value) && *value < WTR_BLOCKS_MAX;
    default:
        return csv_read_number(cell, value);
    }
}

static enum status put_open(struct csv *csv, struct open *open, struct address_list *list)
{
    struct warp_access access = open->access;
    if (!access.mask)
        return STATUS_OK;
    open->access.mask = 0;
    open->count = 0;
    if (names_warps(csv))
        return warp_sort_put(&csv->sort, open->warp, SORT_ACCESS, &access, open->addresses, NULL);
    enum status status = address_list_begin(list);
    return status ? status : wtr_put(list->writer, &access, open->addresses);
}

/* Closes all instructions. */
static enum status put_all(struct csv *csv, struct address_list *list)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < csv->open_count && !status; i++)
        status = put_open(csv, &csv->opens[i], list);
    csv->open_count = 0;
    key_table_free(&csv->open_warps);
    return status;
}

/* The open instruction of a warp. Where too many are open, all are closed. */
static enum status find_open(struct csv *csv, uint64_t warp, struct address_list *list,
                             struct open **open)
{
    uint32_t number;
    enum status status = csv->open_count == OPEN_MAX ? put_all(csv, list) : STATUS_OK;
    if (!status)
        status = key_table_number(&csv->open_warps, warp, &number);
    if (!status)
        status = array_reserve(&csv->opens, &csv->open_capacity, number + (size_t)1);
    if (status)
        return status;
    if (number == csv->open_count)
        csv->opens[csv->open_count++] = (struct open){.warp = warp};
    *open = &csv->opens[number];
    return STATUS_OK;
}

/* The warp of a line as it is sorted: launch, block and warp. Each warp is a block by itself if
 * nothing names blocks. */
static enum status place_warp(struct csv *csv, const uint64_t values[FIELDS], uint64_t *place)
{
    const bool blocks = csv->present[FIELD_BLOCK] || csv->present[FIELD_SM];
    const uint64_t block = !blocks                     ? values[FIELD_WARP]
                           : csv->present[FIELD_BLOCK] ? values[FIELD_BLOCK]
                                                       : values[FIELD_SM];
    const uint64_t warp = blocks ? values[FIELD_WARP] : 0, launch = values[FIELD_LAUNCH];
    const size_t need = launch + 1;
    if (array_reserve(&csv->reach, &csv->reach_capacity, need))
        return STATUS_MEMORY;
    for (; csv->launches < need; csv->launches++)
        csv->reach[csv->launches] = (struct reach){0};
    struct reach *reach = &csv->reach[launch];
    reach->blocks = block >= reach->blocks ? block + 1 : reach->blocks;
    reach->warps = warp >= reach->warps ? warp + 1 : reach->warps;
    *place = launch * LAUNCH_WARPS + block * BLOCK_WARPS_MAX + warp;
    return STATUS_OK;
}

/* The lanes of a line: those of its mask, the first ones for several addresses, or its thread's. */
static uint32_t lanes_of(const struct csv *csv, const struct csv_access *row)
{
    if (csv->present[FIELD_MASK])
        return (uint32_t)row->values[FIELD_MASK];
    if (row->count > 1)
        return UINT32_MAX >> (WARP_SIZE - row->count);
    return csv->present[FIELD_THREAD] ? 1u << row->values[FIELD_THREAD] % WARP_SIZE : 1;
}

static struct warp_access access_of(const struct csv *csv, const struct csv_access *row)
{
    const uint64_t *values = row->values;
    struct warp_access access = {.pc = (uint32_t)values[FIELD_PC],
                                 .gap = (uint32_t)values[FIELD_GAP],
                                 .bytes = (uint16_t)values[FIELD_BYTES],
                                 .op = (uint8_t)values[FIELD_OP],
                                 .space = (uint8_t)values[FIELD_SPACE],
                                 .flags = (uint8_t)values[FIELD_FLAGS],
                                 .mask = lanes_of(csv, row)};
    const bool lanes = csv->present[FIELD_THREAD] || csv->present[FIELD_MASK] || row->count > 1;
    if (!lanes && !names_warps(csv))
        access.flags |= ACCESS_SINGLE;
    if (access.op == OP_FETCH && !csv->present[FIELD_SPACE])
        access.space = SPACE_INSTRUCTION;
    if (access.space == SPACE_LOCAL && access.bytes > 16)
        access.bytes = 16;
    return access;
}

/* A thread joins the open instruction of its warp if its lane is above all lanes so far and
 * everything else agrees. So a thread that comes again starts a new instruction. */
static bool joins(const struct csv *csv, const struct csv_access *row,
                  const struct warp_access *access, const struct warp_access *open)
{
    return csv->present[FIELD_THREAD] && row->count == 1 && open->mask &&
           open->mask < access->mask && open->pc == access->pc && open->bytes == access->bytes &&
           open->op == access->op && open->space == access->space && open->flags == access->flags;
}

static enum status csv_add(struct csv *csv, const struct csv_access *row, struct address_list *list)
{
    uint64_t warp = 0;
    struct open *open = NULL;
    enum status status = names_warps(csv) ? place_warp(csv, row->values, &warp) : STATUS_OK;
    if (!status)
        status = find_open(csv, warp, list, &open);
    if (status)
        return status;
    const struct warp_access access = access_of(csv, row);
    if (!joins(csv, row, &access, &open->access)) {
        status = put_open(csv, open, list);
        open->access = access;
    }
    open->access.mask |= access.mask;
    memcpy(open->addresses + open->count, row->addresses, row->count * sizeof *row->addresses);
    open->count += row->count;
    return status;
}

/* What a cell may be: the words of a table, or the range of a number. */
enum { LEGAL_TEXT = 160 };
static const char *legal_print(int field, char text[LEGAL_TEXT])
{
    static const uint64_t most[FIELDS] = {
        [FIELD_BYTES] = ACCESS_BYTES_MAX,   [FIELD_PC] = UINT32_MAX,
        [FIELD_GAP] = UINT32_MAX,           [FIELD_MASK] = UINT32_MAX,
        [FIELD_LAUNCH] = LAUNCHES_MAX - 1,  [FIELD_WARP] = WTR_BLOCKS_MAX - 1,
        [FIELD_BLOCK] = WTR_BLOCKS_MAX - 1, [FIELD_SM] = WTR_BLOCKS_MAX - 1,
        [FIELD_THREAD] = UINT64_MAX};
    const unsigned least = field == FIELD_BYTES || field == FIELD_MASK;
    const size_t words = field == FIELD_OP ? OP_COUNT : field == FIELD_SPACE ? SPACE_COUNT : 0;
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < words && used < LEGAL_TEXT; i++)
        used += (size_t)snprintf(text + used, LEGAL_TEXT - used, "%s%s",
                                 !i              ? ""
                                 : i + 1 < words ? ", "
                                                 : " or ",
                                 field == FIELD_OP ? op_names[i] : space_table[i].name);
    for (const struct access_word *row = access_words; field == FIELD_FLAGS && row->word; row++)
        used +=
            (size_t)snprintf(text + used, LEGAL_TEXT - used, "%s%s", used ? "+" : "", row->word);
    if (field == FIELD_FLAGS && used < LEGAL_TEXT)
        snprintf(text + used, LEGAL_TEXT - used, ", or some of these");
    else if (field == FIELD_ADDRESS)
        snprintf(text, LEGAL_TEXT, "1 to %d addresses (16 or 0x10)", WARP_SIZE);
    else if (!used)
        snprintf(text, LEGAL_TEXT, "a number from %u to %" PRIu64, least, most[field]);
    return text;
}

/* Reports a cell that is not what its column holds; NULL: the line has ended. */
static void refuse_cell(struct text_reader *reader, const struct csv *csv, size_t column,
                        const char *cell)
{
    const int field = csv->fields[column];
    char legal[LEGAL_TEXT] = "a cell";
    const char *name = field < 0 ? "not used" : field_names[field][0];
    if (field >= 0)
        legal_print(field, legal);
    if (cell)
        text_problem(reader, address_list_severity(reader), reader->line + (cell - csv->line),
                     "column %zu (%s): expected %s, got '%.40s'", column + 1, name, legal, cell);
    else
        text_problem(reader, address_list_severity(reader), reader->line,
                     "column %zu (%s): expected %s, but the line has ended", column + 1, name,
                     legal);
}

/* Reads the cells of a line; reports what is wrong. */
static enum status csv_read_row(struct text_reader *reader, struct csv *csv, struct csv_access *row)
{
    char *cells[COLUMNS_MAX];
    const size_t count = cut(csv, reader->line, cells, COLUMNS_MAX);
    const enum severity severity = address_list_severity(reader);
    *row = (struct csv_access){.values = {[FIELD_BYTES] = 4}};
    if (!count)
        return STATUS_MEMORY;
    for (size_t i = 0; i < csv->columns; i++) {
        const int field = csv->fields[i];
        if (i < count && read_cell(cells[i], field, row))
            continue;
        refuse_cell(reader, csv, i, i < count ? cells[i] : NULL);
        return STATUS_INVALID;
    }
    for (size_t i = csv->columns; i < count && i < COLUMNS_MAX; i++) {
        if (!*cells[i]) /* of a comma at the end of the line */
            continue;
        text_problem(reader, severity, reader->line + (cells[i] - csv->line),
                     "'%.40s' is beyond the last of %zu columns", cells[i], csv->columns);
        return STATUS_INVALID;
    }
    const uint64_t warp = row->values[FIELD_WARP];
    if ((csv->present[FIELD_BLOCK] || csv->present[FIELD_SM]) && warp >= BLOCK_WARPS_MAX) {
        text_problem(reader, severity, NULL,
                     "warp %" PRIu64 ": a block has at most %d warps, from 0 on", warp,
                     BLOCK_WARPS_MAX);
        return STATUS_INVALID;
    }
    if (csv->present[FIELD_MASK] && bits_count((uint32_t)row->values[FIELD_MASK]) != row->count) {
        text_problem(reader, severity, NULL, "expected an address of each lane of the mask");
        return STATUS_INVALID;
    }
    return STATUS_OK;
}

static enum status csv_parse(struct text_reader *reader, struct address_list *list, void *context)
{
    struct csv *csv = context;
    struct csv_access row;
    if (!csv->header_read)
        return read_header(reader, csv);
    if (!csv->usable)
        return STATUS_OK;
    enum status status = csv_read_row(reader, csv, &row);
    if (!status)
        status = csv_add(csv, &row, list);
    if (status == STATUS_UNSUPPORTED)
        warp_sort_refuse(&csv->sort, reader, "cut it into several traces");
    return status;
}

/* Begins one launch with all warps that the lines named. */
static enum status begin_launch(void *context, uint64_t number)
{
    const struct csv *csv = context;
    char name[] = "csv";
    const struct reach *reach = &csv->reach[number];
    const struct trace_launch launch = {.name = name,
                                        .grid = {(uint32_t)reach->blocks, 1, 1},
                                        .block = {(uint32_t)reach->warps * WARP_SIZE, 1, 1},
                                        .number =
                                            csv->present[FIELD_LAUNCH] ? (uint32_t)number + 1 : 0};
    return wtr_begin_launch(csv->writer, &launch);
}

static enum status csv_finish(struct address_list *list, void *context, uint32_t *tail)
{
    struct csv *csv = context;
    *tail = 0;
    enum status status = put_all(csv, list);
    if (status == STATUS_UNSUPPORTED) /* the very last access: there is no line left to report it
                                       * at */
        return STATUS_MEMORY;
    if (!status && names_warps(csv)) {
        const struct sort_launches launches = {LAUNCH_WARPS, begin_launch, csv};
        warp_sort_write(&csv->sort, BLOCK_WARPS_MAX, &launches, list->writer);
    }
    return status ? status : wtr_status(list->writer);
}

static enum status import_csv(const char *path, struct wtr_writer *writer,
                              struct diagnostics *diagnostics)
{
    struct csv csv = {.writer = writer};
    static const struct address_parser parser = {"csv", csv_parse, csv_finish};
    enum status status = address_list_read(path, &parser, &csv, writer, diagnostics);
    warp_sort_free(&csv.sort);
    key_table_free(&csv.open_warps);
    free(csv.opens);
    free(csv.reach);
    free(csv.line);
    return status;
}

const struct importer importer_csv = {
    .name = "csv",
    .help = "columns by name: address, op, bytes, pc, space, thread, warp, block, sm, ...",
    .content = csv_content,
    .named = csv_named,
    .import = import_csv,
};
