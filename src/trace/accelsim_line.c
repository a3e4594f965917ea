#include "trace/accelsim_line.h"

#include <stdlib.h>
#include <string.h>

#include "trace/wtr.h"

enum {
    OPERANDS_MAX = 64,         /* registers in a line; NVBit writes up to 5 */
    WINDOW_BYTES = 1 << 24,    /* size of the generic windows of shared and of local memory */
    REGISTERS_MAX = 255,       /* of a thread */
    SHARED_BYTES_MAX = 1 << 20 /* of a block */
};

/* Local memory is interleaved among this many resident threads and placed below the heap of every
 * driver, so that no local address equals a global one. */
enum { LOCAL_THREADS = (int)(LOCAL_WORD_STRIDE / 4) };
#define LOCAL_BASE ((uint64_t)1 << 44)

/* ---- header ---- */

/* Parses "(x,y,z)" or "x,y,z". */
static bool scan_triple(const char **at, uint32_t values[3])
{
    while (**at == ' ' || **at == '(')
        (*at)++;
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        if (!scan_decimal(at, &value) || value > UINT32_MAX)
            return false;
        values[i] = (uint32_t)value;
        *at += i < 2 && **at == ',';
    }
    return true;
}

static void read_number(struct text_reader *reader, const char *value, const char *key,
                        uint64_t limit, uint32_t *result)
{
    uint64_t number;
    const char *at = value;
    if (scan_decimal(&at, &number) && number <= limit)
        *result = (uint32_t)number;
    else
        text_problem(reader, SEVERITY_WARNING, value, "'%s' is not plausible; taken as unknown",
                     key);
}

static void read_key(struct text_reader *reader, const char *key, const char *value,
                     struct accelsim_header *header)
{
    struct trace_launch *launch = &header->launch;
    const char *at = value;
    if (!strcmp(key, "kernel name")) {
        free(launch->name);
        launch->name = strndup(value, WTR_NAME_MAX);
    } else if (!strcmp(key, "grid dim")) {
        if (!scan_triple(&at, launch->grid))
            text_problem(reader, SEVERITY_ERROR, value, "the grid should be (x,y,z)");
    } else if (!strcmp(key, "block dim")) {
        if (!scan_triple(&at, launch->block))
            text_problem(reader, SEVERITY_ERROR, value, "the block should be (x,y,z)");
    } else if (!strcmp(key, "shmem")) {
        read_number(reader, value, key, SHARED_BYTES_MAX, &launch->shared_bytes);
    } else if (!strcmp(key, "nregs")) {
        read_number(reader, value, key, REGISTERS_MAX, &launch->registers);
    } else if (!strcmp(key, "binary version")) {
        read_number(reader, value, key, 999, &launch->arch);
    } else if (!strcmp(key, "shmem base_addr")) {
        scan_hex(&at, &header->shared_base);
    } else if (!strcmp(key, "local mem base_addr")) {
        scan_hex(&at, &header->local_base);
    } else if (!strcmp(key, "accelsim tracer version")) {
        if (!scan_decimal(&at, &header->version))
            text_problem(reader, SEVERITY_WARNING, value, "the version should be a number");
    } else if (!strcmp(key, "enable lineinfo")) {
        scan_decimal(&at, &header->lineinfo);
    }
}

enum status accelsim_read_header(struct text_reader *reader, struct accelsim_header *header)
{
    *header = (struct accelsim_header){0};
    while (text_line(reader) && reader->line[0] != '#') {
        if (reader->line[0] != '-')
            continue;
        char *equals = strchr(reader->line, '=');
        if (!equals) {
            text_problem(reader, SEVERITY_WARNING, reader->line, "this is no '-key = value'");
            continue;
        }
        char key[64];
        size_t length = (size_t)(equals - reader->line) - 1;
        while (length && reader->line[length] == ' ')
            length--;
        if (length >= sizeof key)
            continue;
        memcpy(key, reader->line + 1, length);
        key[length] = '\0';
        read_key(reader, key, equals + 1 + strspn(equals + 1, " "), header);
    }
    if (!header->launch.name && !(header->launch.name = strdup("")))
        return STATUS_MEMORY;
    if (!wtr_launch_fits(&header->launch)) {
        text_problem(reader, SEVERITY_ERROR, NULL,
                     "the header before this line names no usable grid and block");
        return STATUS_INVALID;
    }
    return STATUS_OK;
}

/* ---- opcodes ---- */

enum opcode_space { AT_NOTHING, AT_SHARED, AT_GLOBAL, AT_LOCAL, AT_GENERIC, AT_UNKNOWN };

struct opcode_row {
    const char *name; /* up to the first dot */
    uint8_t space, op;
};

static const struct opcode_row opcode_rows[] = {
    {"LDG", AT_GLOBAL, OP_LOAD},     {"STG", AT_GLOBAL, OP_STORE},
    {"LD", AT_GENERIC, OP_LOAD},     {"ST", AT_GENERIC, OP_STORE},
    {"LDL", AT_LOCAL, OP_LOAD},      {"STL", AT_LOCAL, OP_STORE},
    {"LDS", AT_SHARED, OP_LOAD},     {"STS", AT_SHARED, OP_STORE},
    {"LDSM", AT_SHARED, OP_LOAD},    {"STSM", AT_SHARED, OP_STORE},
    {"ATOMS", AT_SHARED, OP_ATOMIC}, {"ATOMG", AT_GLOBAL, OP_ATOMIC},
    {"ATOM", AT_GENERIC, OP_ATOMIC}, {"RED", AT_GLOBAL, OP_ATOMIC},
    {"REDG", AT_GLOBAL, OP_ATOMIC},  {"REDS", AT_SHARED, OP_ATOMIC},
    {"LDGSTS", AT_GLOBAL, OP_LOAD},  {"LDC", AT_NOTHING, OP_LOAD},
    {"LDCU", AT_NOTHING, OP_LOAD},   {"ULDC", AT_NOTHING, OP_LOAD},
    {"CCTL", AT_NOTHING, OP_LOAD},   {"CCTLL", AT_NOTHING, OP_LOAD},
};

/* Compares up to the first dot: what follows are widths and modifiers. */
static struct opcode_row find_opcode(const char *opcode, size_t length)
{
    const char *dot = memchr(opcode, '.', length);
    size_t stem = dot ? (size_t)(dot - opcode) : length;
    for (size_t i = 0; i < sizeof opcode_rows / sizeof *opcode_rows; i++)
        if (!strncmp(opcode, opcode_rows[i].name, stem) && !opcode_rows[i].name[stem])
            return opcode_rows[i];
    return (struct opcode_row){NULL, AT_UNKNOWN, OP_LOAD};
}

/* Bytes per thread: the first part of the opcode between dots that is a number of bits, such as
 * "64", "U8" or "F32"; otherwise 4. The width that the tracer writes is not always right. */
static uint16_t opcode_bytes(const char *opcode, size_t length)
{
    const char *end = opcode + length;
    for (const char *at = memchr(opcode, '.', length); at;
         at = memchr(at, '.', (size_t)(end - at))) {
        at++;
        const char *digit = at + (at < end && strchr("USFB", *at) != NULL);
        unsigned bits = 0;
        while (digit < end && *digit >= '0' && *digit <= '9' && bits < 1000)
            bits = bits * 10 + (unsigned)(*digit++ - '0');
        if (digit != end && *digit != '.')
            continue;
        if (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 || bits == 256)
            return (uint16_t)(bits / 8);
    }
    return 4;
}

static bool opcode_has(const char *opcode, size_t length, const char *part)
{
    size_t size = strlen(part);
    for (size_t i = 0; i + size < length; i++)
        if (opcode[i] == '.' && !strncmp(opcode + i + 1, part, size) &&
            (i + 1 + size == length || opcode[i + 1 + size] == '.'))
            return true;
    return false;
}

/* ---- addresses ---- */

static bool scan_list(const char **at, struct accelsim_instruction *instruction)
{
    unsigned count = (unsigned)__builtin_popcount(instruction->access.mask);
    instruction->listed = true;
    for (unsigned i = 0; i < count; i++)
        if (!scan_hex(at, &instruction->addresses[i]))
            return false;
    return true;
}

/* Parses a base and a stride. A stride that does not fit the 32 bits of a record makes a listed
 * access of the same addresses. */
static bool scan_base_stride(const char **at, struct accelsim_instruction *instruction)
{
    struct warp_access *access = &instruction->access;
    uint64_t base;
    int64_t stride;
    if (!scan_hex(at, &base) || !scan_signed(at, &stride))
        return false;
    unsigned first = (unsigned)__builtin_ctz(access->mask), count = 0;
    access->base = base - (uint64_t)stride * first; /* the tracer gives the address of the first
                                                     * active lane */
    access->stride = (int32_t)stride;
    if (access->stride == stride)
        return true;
    instruction->listed = true;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1)
        instruction->addresses[count++] =
            access->base + (uint64_t)stride * (unsigned)__builtin_ctz(rest);
    return true;
}

/* Parses a base and the delta from each active lane to the next. (Accel-Sim's own parser reads one
 * delta too many: the immediate that follows.) */
static bool scan_deltas(const char **at, struct accelsim_instruction *instruction)
{
    unsigned count = (unsigned)__builtin_popcount(instruction->access.mask);
    instruction->listed = true;
    if (!scan_hex(at, &instruction->addresses[0]))
        return false;
    for (unsigned i = 1; i < count; i++) {
        int64_t delta;
        if (!scan_signed(at, &delta))
            return false;
        instruction->addresses[i] = instruction->addresses[i - 1] + (uint64_t)delta;
    }
    return true;
}

static bool within(uint64_t address, uint64_t base, uint64_t size)
{
    return address - base < size;
}

/* Where a generic access goes: Accel-Sim's decision, from the first address. */
static enum opcode_space generic_space(const struct accelsim_header *header, uint64_t address)
{
    if (!header->shared_base || !header->local_base)
        return AT_SHARED;
    uint64_t shared_size = header->local_base > header->shared_base
                               ? header->local_base - header->shared_base
                               : WINDOW_BYTES;
    if (within(address, header->shared_base, shared_size))
        return AT_SHARED;
    return within(address, header->local_base, WINDOW_BYTES) ? AT_LOCAL : AT_GLOBAL;
}

/* Fills the access from its opcode and the addresses at `at`. False if the addresses are
 * malformed. */
static bool read_access(const char **at, const struct accelsim_header *header,
                        struct accelsim_instruction *instruction)
{
    const char *opcode = instruction->opcode;
    size_t length = instruction->opcode_length;
    struct opcode_row row = find_opcode(opcode, length);
    struct warp_access *access = &instruction->access;
    uint64_t mode;
    if (!scan_up_to(at, 4, &mode))
        return false;
    if (row.space == AT_UNKNOWN || mode > 2)
        instruction->kind = ACCELSIM_UNKNOWN;
    if (row.space == AT_UNKNOWN || mode > 2 || row.space == AT_NOTHING || row.space == AT_SHARED ||
        !access->mask)
        return true;
    bool good = mode == 0   ? scan_list(at, instruction)
                : mode == 1 ? scan_base_stride(at, instruction)
                            : scan_deltas(at, instruction);
    if (!good)
        return false;
    enum opcode_space space = row.space;
    if (space == AT_GENERIC) {
        unsigned first = (unsigned)__builtin_ctz(access->mask);
        uint64_t step = (uint64_t)((int64_t)access->stride * first);
        space = generic_space(header, instruction->listed ? instruction->addresses[0]
                                                          : access->base + step);
    }
    if (space == AT_SHARED)
        return true;
    instruction->kind = ACCELSIM_MEMORY;
    access->space = space == AT_LOCAL ? SPACE_LOCAL : SPACE_GLOBAL;
    access->op = row.op;
    access->bytes = opcode_bytes(opcode, length);
    if (space == AT_LOCAL && access->bytes > 16)
        access->bytes = 16;
    if (row.op == OP_LOAD && opcode_has(opcode, length, "STRONG") &&
        opcode_has(opcode, length, "GPU"))
        access->flags = ACCESS_BYPASS_L1;
    return true;
}

/* ---- lines ---- */

static bool is_mask(const char *word, size_t length)
{
    return length == 8 && strspn(word, "0123456789abcdefABCDEF") >= 8;
}

unsigned accelsim_prefix(const char *line)
{
    const char *word;
    size_t length;
    for (unsigned i = 0; i <= ACCELSIM_PREFIX_MAX + 1 && scan_word(&line, &word, &length); i++)
        if (i && is_mask(word, length))
            return i - 1;
    return 0;
}

/* Skips a count and that many registers. */
static bool skip_registers(const char **at)
{
    uint64_t count;
    const char *word;
    size_t length;
    if (!scan_up_to(at, OPERANDS_MAX, &count))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!scan_word(at, &word, &length))
            return false;
    return true;
}

enum status accelsim_parse(struct text_reader *reader, const struct accelsim_header *header,
                           unsigned prefix, enum severity severity,
                           struct accelsim_instruction *instruction)
{
    const char *at = reader->line, *expected = "a number before the pc";
    uint64_t pc, mask, width;
    instruction->kind = ACCELSIM_OTHER;
    instruction->listed = false;
    for (unsigned i = 0; i < prefix; i++)
        if (!scan_decimal(&at, &instruction->prefix[i]))
            goto bad;
    expected = "the pc in hexadecimal";
    if (!scan_hex(&at, &pc))
        goto bad;
    expected = "the active mask in hexadecimal";
    const char *begin = at;
    if (!scan_hex(&at, &mask) || mask > UINT32_MAX) {
        at = begin;
        goto bad;
    }
    expected = "the number of destination registers and as many registers";
    if (!skip_registers(&at))
        goto bad;
    expected = "an opcode";
    if (!scan_word(&at, &instruction->opcode, &instruction->opcode_length))
        goto bad;
    expected = "the number of source registers and as many registers";
    if (!skip_registers(&at))
        goto bad;
    instruction->access = (struct warp_access){.mask = (uint32_t)mask, .pc = (uint32_t)pc};
    /* Hopper's matrix instructions read shared memory through descriptors, and their lines have an
     * additional column here. */
    if (memmem(instruction->opcode, instruction->opcode_length, "GMMA", 4))
        return STATUS_OK;
    expected = "the width of the memory access, 0 for none";
    if (!scan_decimal(&at, &width))
        goto bad;
    if (!width)
        return STATUS_OK;
    expected = "addresses, one for each active thread";
    if (read_access(&at, header, instruction))
        return STATUS_OK;
bad:
    text_problem(reader, severity, at + strspn(at, " \t"), "expected %s", expected);
    return STATUS_INVALID;
}

void accelsim_place_local(const struct accelsim_header *header, uint64_t block, uint32_t warp,
                          struct accelsim_instruction *instruction)
{
    struct warp_access *access = &instruction->access;
    if (!instruction->listed)
        access_addresses(access, NULL, instruction->addresses);
    uint64_t warps = launch_warps(&header->launch);
    uint64_t thread = (block * warps + warp) * WARP_SIZE % LOCAL_THREADS;
    unsigned i = 0;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1, i++) {
        uint64_t address = instruction->addresses[i];
        uint64_t offset = within(address, header->local_base, WINDOW_BYTES)
                              ? address - header->local_base
                              : address % WINDOW_BYTES;
        instruction->addresses[i] = LOCAL_BASE + offset / 4 * LOCAL_WORD_STRIDE + offset % 4 +
                                    4 * (thread + (unsigned)__builtin_ctz(rest));
    }
    instruction->listed = true;
}
