/* What NVBit's own tool mem_trace prints, beside whatever the program and NVBit print:
 *
 *     MEMTRACE: CTX 0x.. - LAUNCH - Kernel pc 0x.. - Kernel name add(int*) - grid launch id 0
 *               - grid size 1,1,1 - block size 32,1,1 - nregs 16 - shmem 0 - cuda stream id 0
 *     MEMTRACE: CTX 0x.. - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E.64 - 0x.. 0x.. (32 of
 * them)
 *
 * Each is one line. Versions differ in the prefix, in what a launch says of itself (the oldest
 * print none), and in whether records name their launch and the pc of their instruction; so a line
 * is read field by field, each known by its first word. A lane whose address is 0 is not active.
 *
 * Records come in the order in which the GPU sent them, so they are kept and sorted by warp
 * (trace/warp_sort.h). The tool prints the place of a warp in its SM, not in its block: where such
 * numbers exceed the block, those of a block are ranked. Kernels that no launch line sizes get the
 * smallest grid and block that hold their records. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/key_table.h"
#include "base/memory.h"
#include "base/text_ends.h"
#include "trace/accelsim_line.h"
#include "trace/address_list.h"
#include "trace/importers.h"
#include "trace/warp_sort.h"
#include "trace/wtr.h"

/* The shared operand of a copy to shared memory lies below this, its global one above. */
enum { SHARED_WINDOW = 1 << 24 };

/* The blocks and warps of a kernel of which there are records. Keys hold what they stand for: of a
 * block x, y and z, of a warp the number of its block and what the tool prints. */
struct kernel {
    struct trace_launch launch;
    bool sized; /* a launch line said its grid and block */
    uint64_t id;
    bool wanted;
    struct warp_sort sort; /* its warps are numbers of `warps` */
    struct key_table blocks, warps;
};

struct mem_trace {
    struct text_reader reader;
    struct wtr_writer *writer;
    struct kernel *kernels;
    size_t count, capacity;
    size_t last;     /* kernel of the last record */
    uint64_t others; /* bytes that the other kernels' records take */
    bool warned;     /* of an instruction whose accesses are not modelled */
};

/* ---- lines ---- */

enum word {
    WORD_CONTEXT,
    WORD_LAUNCH,
    WORD_NAME,
    WORD_ID,
    WORD_GRID,
    WORD_BLOCK_SIZE,
    WORD_BLOCK,
    WORD_WARP,
    WORD_REGISTERS,
    WORD_SHARED,
    WORD_PC,
    WORD_ADDRESSES,
    WORD_OTHER, /* an opcode */
    WORDS
};

/* How fields begin; of two that match the first counts. */
static const struct {
    const char *text;
    enum word word;
} words[] = {{"CTX ", WORD_CONTEXT},
             {"LAUNCH", WORD_LAUNCH},
             {"Kernel pc ", WORD_CONTEXT},
             {"Kernel 0x", WORD_CONTEXT},
             {"Kernel name ", WORD_NAME},
             {"Kernel ", WORD_NAME},
             {"grid launch id ", WORD_ID},
             {"grid_launch_id ", WORD_ID},
             {"grid size ", WORD_GRID},
             {"block size ", WORD_BLOCK_SIZE},
             {"CTA ", WORD_BLOCK},
             {"block ", WORD_BLOCK},
             {"warp ", WORD_WARP},
             {"nregs ", WORD_REGISTERS},
             {"shmem ", WORD_SHARED},
             {"cuda stream id ", WORD_CONTEXT},
             {"PC ", WORD_PC},
             {"0x", WORD_ADDRESSES}};

struct line {
    unsigned found; /* bit: the word was there */
    uint64_t id, warp, pc, registers, shared;
    uint32_t grid[3], size[3], block[3];
    const char *name, *opcode, *addresses;
    size_t name_length, opcode_length;
};

static bool has(const struct line *line, enum word word)
{
    return line->found >> word & 1;
}

/* Where the fields of a line begin; NULL: it is not the tool's. Programs that print without a
 * newline put their text before it. */
static const char *fields_of(const char *text)
{
    static const char prefix[] = "MEMTRACE: ";
    const char *at = strstr(text, prefix);
    at = at ? at + strlen(prefix) : text + strspn(text, " \t");
    return strncmp(at, "CTX 0x", 6) ? NULL : at;
}

static enum word word_of(const char *field, const char **value)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i].text);
        if (strncmp(field, words[i].text, length) != 0)
            continue;
        *value = words[i].word == WORD_ADDRESSES ? field : field + length;
        return words[i].word;
    }
    *value = field;
    return WORD_OTHER;
}

static bool scan_triple(const char **at, uint32_t values[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        if ((i && *(*at)++ != ',') || !scan_up_to(at, UINT32_MAX, &value))
            return false;
        values[i] = (uint32_t)value;
    }
    return true;
}

/* An opcode may have the pc of the instruction, its predicate or its operands beside it. */
static bool read_opcode(const char *at, struct line *line)
{
    const char *rest;
    if (!scan_word(&at, &line->opcode, &line->opcode_length) ||
        (*line->opcode == '@' && !scan_word(&at, &line->opcode, &line->opcode_length)))
        return false;
    rest = at;
    if (!strncmp(at, " 0x", 3) && scan_hex(&rest, &line->pc))
        line->found |= 1u << WORD_PC;
    return *line->opcode >= 'A' && *line->opcode <= 'Z';
}

/* Reads one field up to `end`, which is the end of the line or " - ". */
static bool read_field(const char *field, const char *end, struct line *line)
{
    const char *at;
    const enum word word = word_of(field, &at);
    if (field == end || (word == WORD_OTHER && has(line, WORD_OTHER)))
        return true;
    line->found |= 1u << word;
    switch (word) {
    case WORD_NAME:
        line->name = at;
        line->name_length = (size_t)(end - at);
        return true;
    case WORD_ID:
        return scan_decimal(&at, &line->id);
    case WORD_GRID:
        return scan_triple(&at, line->grid);
    case WORD_BLOCK_SIZE:
        return scan_triple(&at, line->size);
    case WORD_BLOCK:
        return scan_triple(&at, line->block);
    case WORD_WARP:
        return scan_up_to(&at, UINT32_MAX, &line->warp);
    case WORD_REGISTERS:
        return scan_decimal(&at, &line->registers);
    case WORD_SHARED:
        return scan_decimal(&at, &line->shared);
    case WORD_PC:
        return scan_decimal(&at, &line->pc);
    case WORD_ADDRESSES:
        line->addresses = at;
        return true;
    case WORD_OTHER:
        return read_opcode(at, line);
    default:
        return true;
    }
}

/* Reads the fields of a line; false: the one at *wrong is not what it should be. */
static bool read_fields(const char *at, struct line *line, const char **wrong)
{
    *line = (struct line){0};
    while (at) {
        const char *end = strstr(at, " - ");
        const char *named =
            strncmp(at, "Kernel name ", 12) ? NULL : strstr(at, " - grid launch id");
        end = named ? named : end ? end : at + strlen(at);
        *wrong = at;
        if (!read_field(at, end, line))
            return false;
        at = *end ? end + strlen(" - ") : NULL;
    }
    return true;
}

static enum head_line mem_trace_judge(const char *text)
{
    const char *at = fields_of(text), *wrong;
    struct line line;
    if (!at || !read_fields(at, &line, &wrong))
        return HEAD_OTHER;
    return has(&line, WORD_LAUNCH) || (has(&line, WORD_BLOCK) && has(&line, WORD_WARP))
               ? HEAD_MINE
               : HEAD_OTHER;
}

static bool mem_trace_content(const struct trace_head *head)
{
    return head_judge(head, mem_trace_judge).mine;
}

static bool mem_trace_named(const char *file)
{
    return text_ends(file, ".memtrace");
}

/* ---- launches ---- */

static enum status add_kernel(struct mem_trace *trace, const struct line *line)
{
    if (array_reserve(&trace->kernels, &trace->capacity, trace->count + 1))
        return STATUS_MEMORY;
    struct kernel *kernel = &trace->kernels[trace->count];
    *kernel = (struct kernel){.id = line->id};
    struct trace_launch *launch = &kernel->launch;
    launch->name = strndup(line->name ? line->name : "",
                           line->name_length < WTR_NAME_MAX ? line->name_length : WTR_NAME_MAX);
    if (!launch->name)
        return STATUS_MEMORY;
    trace->count++;
    launch->number = has(line, WORD_ID) && line->id < UINT32_MAX ? (uint32_t)line->id + 1 : 0;
    launch->registers = line->registers <= 255 ? (uint32_t)line->registers : 0;
    launch->shared_bytes = line->shared <= 1 << 20 ? (uint32_t)line->shared : 0;
    kernel->sized = has(line, WORD_GRID) && has(line, WORD_BLOCK_SIZE);
    memcpy(launch->grid, line->grid, sizeof launch->grid);
    memcpy(launch->block, line->size, sizeof launch->block);
    kernel->wanted = wtr_wants(trace->writer, launch);
    return STATUS_OK;
}

static enum status read_launch(struct mem_trace *trace, const struct line *line)
{
    const struct trace_launch launch = {.grid = {line->grid[0], line->grid[1], line->grid[2]},
                                        .block = {line->size[0], line->size[1], line->size[2]}};
    if (has(line, WORD_GRID) && has(line, WORD_BLOCK_SIZE) && !wtr_launch_fits(&launch)) {
        text_problem(&trace->reader, SEVERITY_ERROR, NULL, "no usable grid and block");
        return STATUS_INVALID;
    }
    return add_kernel(trace, line);
}

/* The kernel of a record: the last launch of its number, or the last of all if it has none. A tool
 * that prints no launches gets one for each number. */
static enum status find_kernel(struct mem_trace *trace, const struct line *line, size_t *number)
{
    for (size_t i = trace->count; i-- > 0;)
        if (!has(line, WORD_ID) || trace->kernels[i].id == line->id) {
            *number = i;
            return STATUS_OK;
        }
    *number = trace->count;
    return add_kernel(trace, line);
}

/* ---- records ---- */

/* The number of a warp of a kernel. */
static enum status find_warp(struct kernel *kernel, const struct line *line, uint32_t *warp)
{
    const uint64_t block =
        line->block[0] | (uint64_t)line->block[1] << 28 | (uint64_t)line->block[2] << 44;
    uint32_t number;
    const enum status status = key_table_number(&kernel->blocks, block, &number);
    return status ? status
                  : key_table_number(&kernel->warps, (uint64_t)number << 32 | line->warp, warp);
}

static bool within_grid(const struct kernel *kernel, const struct line *line)
{
    const uint32_t *grid = kernel->launch.grid, *block = line->block;
    if (kernel->sized)
        return block[0] < grid[0] && block[1] < grid[1] && block[2] < grid[2];
    return block[0] < WTR_BLOCKS_MAX && block[1] < 1 << 16 && block[2] < 1 << 16;
}

/* Reads the addresses of the lanes; those that are 0 are of lanes that are not active. */
static bool read_lanes(const char **at, uint32_t *mask, uint64_t addresses[WARP_SIZE])
{
    unsigned lanes = 0, active = 0;
    *mask = 0;
    for (; !scan_end(at); lanes++) {
        uint64_t address;
        if (lanes == WARP_SIZE || !scan_hex(at, &address))
            return false;
        *mask |= (uint32_t)(address != 0) << lanes;
        if (address)
            addresses[active++] = address;
    }
    return true;
}

/* Whether an instruction has a record: it accesses memory that is modelled. A copy to shared memory
 * comes twice, once with the addresses that it writes. */
static bool has_record(const struct opcode *opcode, uint32_t mask, uint64_t first)
{
    if (!mask || opcode->space == AT_NOTHING || opcode->space == AT_SHARED ||
        opcode->space == AT_UNKNOWN)
        return false;
    return !(opcode->flags & INSTRUCTION_COPY) || first >= SHARED_WINDOW;
}

/* Keeps the records of all kernels below one limit. */
static void share_limit(struct mem_trace *trace, size_t number)
{
    if (trace->last != number) {
        trace->others = 0;
        for (size_t i = 0; i < trace->count; i++)
            trace->others += i == number ? 0 : warp_sort_bytes(&trace->kernels[i].sort);
        trace->last = number;
    }
    const uint64_t left = trace->others < WARP_SORT_BYTES ? WARP_SORT_BYTES - trace->others : 1;
    trace->kernels[number].sort.limit = left;
}

static enum status keep_record(struct mem_trace *trace, size_t number, const struct line *line,
                               uint32_t mask, const uint64_t *addresses)
{
    struct kernel *kernel = &trace->kernels[number];
    const struct opcode opcode = opcode_find(line->opcode, line->opcode_length);
    struct warp_access access = {.mask = mask,
                                 .pc = (uint32_t)line->pc,
                                 .bytes = opcode_bytes(line->opcode, line->opcode_length),
                                 .op = opcode.op,
                                 .space = opcode.space == AT_LOCAL ? SPACE_LOCAL : SPACE_GLOBAL};
    uint32_t warp;
    enum status status = find_warp(kernel, line, &warp);
    if (status)
        return status;
    share_limit(trace, number);
    if (opcode.space == AT_UNKNOWN && !trace->warned)
        text_problem(&trace->reader, SEVERITY_WARNING, line->opcode,
                     "accesses of this instruction are not modelled; it is counted only");
    trace->warned |= opcode.space == AT_UNKNOWN;
    if (!has_record(&opcode, mask, addresses[0]))
        return warp_sort_put(&kernel->sort, warp, SORT_COUNTED, &access, NULL, NULL);
    if (access.space == SPACE_LOCAL && access.bytes > 16)
        access.bytes = 16;
    access_compress(&access, addresses);
    /* Local addresses depend on the thread, which is not known yet. */
    const bool listed = access.flags & ACCESS_LISTED || access.space == SPACE_LOCAL;
    access.flags =
        opcode_bypasses(&opcode, line->opcode, line->opcode_length) ? ACCESS_BYPASS_L1 : 0;
    return warp_sort_put(&kernel->sort, warp, SORT_ACCESS, &access, listed ? addresses : NULL,
                         NULL);
}

static enum status wrong_line(struct mem_trace *trace, const char *at, const char *expected)
{
    text_problem(&trace->reader, address_list_severity(&trace->reader), at, "expected %s",
                 expected);
    return trace->reader.complete ? STATUS_INVALID : STATUS_OK;
}

static enum status read_record(struct mem_trace *trace, const struct line *line)
{
    size_t number;
    uint32_t mask;
    uint64_t addresses[WARP_SIZE] = {0};
    if (!has(line, WORD_BLOCK) || !has(line, WORD_WARP) || !line->opcode)
        return wrong_line(trace, NULL, "'CTA x,y,z - warp N - OPCODE - addresses'");
    enum status status = find_kernel(trace, line, &number);
    if (status || !trace->kernels[number].wanted)
        return status;
    if (!within_grid(&trace->kernels[number], line))
        return wrong_line(trace, NULL, "a block within the grid");
    const char *at = line->addresses ? line->addresses : "";
    if (!read_lanes(&at, &mask, addresses))
        return wrong_line(trace, at, "an address of each lane, at most 32");
    return keep_record(trace, number, line, mask, addresses);
}

static enum status read_line(struct mem_trace *trace)
{
    const char *at = fields_of(trace->reader.line), *wrong;
    struct line line;
    if (!at)
        return STATUS_OK;
    if (!read_fields(at, &line, &wrong))
        return wrong_line(trace, wrong, "a field of mem_trace, such as 'warp 3'");
    return has(&line, WORD_LAUNCH) ? read_launch(trace, &line) : read_record(trace, &line);
}

/* ---- the end ---- */

/* A warp on its way to its number in the launch. */
struct ranked {
    uint64_t block, warp;
    uint32_t index; /* in the table of warps */
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a->warp < b->warp ? -1 : a->warp > b->warp;
}

static void unpack_block(uint64_t key, uint32_t block[3])
{
    block[0] = key & ((1u << 28) - 1);
    block[1] = key >> 28 & 0xffff;
    block[2] = (uint32_t)(key >> 44);
}

/* The smallest grid that holds all blocks, of a kernel that no line sizes. */
static void measure_grid(struct kernel *kernel)
{
    uint32_t *grid = kernel->launch.grid;
    for (uint32_t i = 0; i < kernel->blocks.count; i++) {
        uint32_t block[3];
        unpack_block(kernel->blocks.keys[i], block);
        for (int k = 0; k < 3; k++)
            grid[k] = block[k] >= grid[k] ? block[k] + 1 : grid[k];
    }
}

/* Lists the warps by block and by what the tool calls them. Returns the largest of these numbers.
 */
static uint64_t list_warps(const struct kernel *kernel, struct ranked *ranked)
{
    const uint32_t *grid = kernel->launch.grid;
    uint64_t most = 0;
    for (uint32_t i = 0; i < kernel->warps.count; i++) {
        const uint64_t key = kernel->warps.keys[i];
        uint32_t block[3];
        unpack_block(kernel->blocks.keys[key >> 32], block);
        const uint64_t place = block[0] + grid[0] * (block[1] + (uint64_t)grid[1] * block[2]);
        ranked[i] = (struct ranked){place, (uint32_t)key, i};
        most = (uint32_t)key > most ? (uint32_t)key : most;
    }
    if (kernel->warps.count)
        qsort(ranked, kernel->warps.count, sizeof *ranked, compare_ranked);
    return most;
}

/* Puts the place of each warp in its launch (block x WTR_THREADS_MAX + warp in the block) into
 * `places`, by index, and returns how many warps the fullest block needs. */
static uint64_t place_warps(const struct ranked *ranked, uint32_t count, bool in_blocks,
                            uint64_t *places)
{
    uint64_t most = 0, rank = 0;
    for (uint32_t i = 0; i < count; i++) {
        rank = i && ranked[i].block == ranked[i - 1].block ? rank + 1 : 0;
        const uint64_t warp = in_blocks ? ranked[i].warp : rank;
        places[ranked[i].index] = ranked[i].block * WTR_THREADS_MAX + warp;
        most = warp >= most ? warp + 1 : most;
    }
    return most;
}

/* What warp_sort_each needs to give a line its warp and a local access its addresses. */
struct placing {
    const struct kernel *kernel;
    const uint64_t *places;
};

static void place_line(void *context, uint64_t *warp, struct warp_access *access, uint64_t *lanes)
{
    const struct placing *placing = context;
    const struct accelsim_header header = {.launch = placing->kernel->launch};
    const uint64_t place = placing->places[*warp];
    const uint64_t block = place / WTR_THREADS_MAX, number = place % WTR_THREADS_MAX;
    *warp = block * launch_warps(&header.launch) + number;
    if (!access || access->space != SPACE_LOCAL)
        return;
    struct accelsim_instruction instruction = {.access = *access, .listed = true};
    const size_t size = bits_count(access->mask) * sizeof *lanes;
    memcpy(instruction.addresses, lanes, size);
    accelsim_place_local(&header, block, (uint32_t)number, &instruction);
    memcpy(lanes, instruction.addresses, size);
}

static enum status write_placed(struct mem_trace *trace, struct kernel *kernel,
                                struct ranked *ranked, uint64_t *places)
{
    struct trace_launch *launch = &kernel->launch;
    if (!kernel->sized)
        measure_grid(kernel);
    const uint64_t most = list_warps(kernel, ranked);
    const bool in_blocks = kernel->sized && most < launch_warps(launch);
    const uint64_t need = place_warps(ranked, kernel->warps.count, in_blocks, places);
    const struct place place = {.file = trace->reader.path};
    if (kernel->sized ? need > launch_warps(launch) : need > WTR_THREADS_MAX / WARP_SIZE) {
        diagnostics_add(trace->reader.diagnostics, SEVERITY_ERROR, &place,
                        "launch %" PRIu64 ": a block has %" PRIu64
                        " warps with records, more than its threads make",
                        kernel->id, need);
        return STATUS_INVALID;
    }
    if (!kernel->sized)
        launch->block[0] = (uint32_t)(need ? need : 1) * WARP_SIZE;
    for (int k = 0; k < 3 && !kernel->sized; k++) {
        launch->grid[k] += !launch->grid[k];
        launch->block[k] += !launch->block[k];
    }
    const enum status status = wtr_begin_launch(trace->writer, launch);
    struct placing placing = {kernel, places};
    warp_sort_each(&kernel->sort, place_line, &placing);
    if (!status) /* a failure is kept in the writer */
        warp_sort_write(&kernel->sort, launch_warps(launch), NULL, trace->writer);
    return status;
}

static enum status write_kernel(struct mem_trace *trace, struct kernel *kernel)
{
    const size_t count = (size_t)kernel->warps.count + 1;
    struct ranked *ranked = calloc(count, sizeof *ranked);
    uint64_t *places = calloc(count, sizeof *places);
    const enum status status =
        ranked && places ? write_placed(trace, kernel, ranked, places) : STATUS_MEMORY;
    free(ranked);
    free(places);
    warp_sort_free(&kernel->sort);
    return status;
}

static void free_kernels(struct mem_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        struct kernel *kernel = &trace->kernels[i];
        free(kernel->launch.name);
        warp_sort_free(&kernel->sort);
        key_table_free(&kernel->blocks);
        key_table_free(&kernel->warps);
    }
    free(trace->kernels);
}

static enum status read_lines(struct mem_trace *trace)
{
    enum status result = STATUS_OK;
    while (trace->reader.problems <= TEXT_PROBLEMS_MAX && text_line(&trace->reader)) {
        const enum status status = read_line(trace);
        result = result ? result : status;
        if (status == STATUS_UNSUPPORTED)
            warp_sort_refuse(&trace->kernels[trace->last].sort, &trace->reader,
                             "choose some launches (:kernel=), or have the tool trace fewer");
        if (status && status != STATUS_INVALID)
            break;
    }
    return result || trace->reader.status != STATUS_INVALID ? result : STATUS_INVALID;
}

static enum status import_mem_trace(const char *path, struct wtr_writer *writer,
                                    struct diagnostics *diagnostics)
{
    struct mem_trace trace = {.writer = writer, .last = SIZE_MAX};
    enum status status = text_open(path, &trace.reader, diagnostics);
    if (status)
        return status;
    status = read_lines(&trace);
    if (!status && !trace.count)
        status = address_list_empty(path, diagnostics);
    for (size_t i = 0; i < trace.count && !status; i++)
        if (trace.kernels[i].wanted)
            status = write_kernel(&trace, &trace.kernels[i]);
    text_close(&trace.reader);
    free_kernels(&trace);
    return status;
}

const struct importer importer_mem_trace = {
    .name = "mem_trace",
    .help = "what NVBit's tool mem_trace prints",
    .content = mem_trace_content,
    .named = mem_trace_named,
    .import = import_mem_trace,
};
