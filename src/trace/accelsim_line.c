#include "trace/accelsim_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/key_table.h"
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

static void accelsim_read_number(struct text_reader *reader, const char *value, const char *key,
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
    } else if (!strcmp(key, "kernel id")) {
        uint64_t number;
        if (scan_up_to(&at, UINT32_MAX - 1, &number))
            launch->number = (uint32_t)number + 1;
    } else if (!strcmp(key, "grid dim")) {
        if (!scan_triple(&at, launch->grid))
            text_problem(reader, SEVERITY_ERROR, value, "the grid should be (x,y,z)");
    } else if (!strcmp(key, "block dim")) {
        if (!scan_triple(&at, launch->block))
            text_problem(reader, SEVERITY_ERROR, value, "the block should be (x,y,z)");
    } else if (!strcmp(key, "shmem")) {
        accelsim_read_number(reader, value, key, SHARED_BYTES_MAX, &launch->shared_bytes);
    } else if (!strcmp(key, "nregs")) {
        accelsim_read_number(reader, value, key, REGISTERS_MAX, &launch->registers);
    } else if (!strcmp(key, "binary version")) {
        accelsim_read_number(reader, value, key, 999, &launch->arch);
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

/* Whether a line comes after the header: it names the columns, or is neither a key, a comment nor
 * blank. */
static bool ends_header(const char *line)
{
    const char *at = line;
    if (*line == '-' || scan_end(&at))
        return false;
    return *at != '#' || !strncmp(at, "#traces format", 14) || !strncmp(at, "#BEGIN_TB", 9);
}

enum status accelsim_read_header(struct text_reader *reader, struct accelsim_header *header)
{
    *header = (struct accelsim_header){0};
    while (text_line(reader)) {
        if (ends_header(reader->line)) {
            text_again(reader);
            break;
        }
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

/* ---- addresses ---- */

/* Each of these parses what follows the first address. */
static bool scan_list(const char **at, struct accelsim_instruction *instruction)
{
    unsigned count = (unsigned)__builtin_popcount(instruction->access.mask);
    instruction->listed = true;
    for (unsigned i = 1; i < count; i++)
        if (!scan_hex(at, &instruction->addresses[i]))
            return false;
    return true;
}

/* A stride that does not fit the 32 bits of a record makes a listed access of the same addresses.
 */
static bool scan_stride(const char **at, struct accelsim_instruction *instruction)
{
    struct warp_access *access = &instruction->access;
    int64_t stride;
    if (!scan_signed(at, &stride))
        return false;
    unsigned first = (unsigned)__builtin_ctz(access->mask), count = 0;
    access->base = instruction->first - (uint64_t)stride * first; /* the tracer gives the address
                                                                   * of the first active lane */
    access->stride = (int32_t)stride;
    if (access->stride == stride)
        return true;
    instruction->listed = true;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1)
        instruction->addresses[count++] =
            access->base + (uint64_t)stride * (unsigned)__builtin_ctz(rest);
    return true;
}

/* The delta from each active lane to the next. (Accel-Sim's own parser reads one delta too many:
 * the immediate that follows.) */
static bool scan_listed(const char **at, const char *end, struct accelsim_instruction *instruction)
{
    instruction->listed = true;
    return scan_deltas(at, end, instruction->access.mask, &instruction->operation->deltas,
                       instruction->addresses);
}

static bool scan_addresses(const char **at, const char *end,
                           struct accelsim_instruction *instruction)
{
    instruction->after_form = *at;
    if (!scan_hex(at, &instruction->first))
        return false;
    instruction->after_first = *at;
    instruction->addresses[0] = instruction->first;
    if (!(instruction->form == 0   ? scan_list(at, instruction)
          : instruction->form == 1 ? scan_stride(at, instruction)
                                   : scan_listed(at, end, instruction)))
        return false;
    if (instruction->listed)
        access_compress(&instruction->access, instruction->addresses);
    instruction->listed = instruction->access.flags & ACCESS_LISTED;
    instruction->unequal = instruction->listed;
    instruction->access.flags = 0;
    return true;
}

static bool within(uint64_t address, uint64_t base, uint64_t size)
{
    return address - base < size;
}

/* Where a generic access goes is Accel-Sim's decision, from the first address. */
enum opcode_space accelsim_space(const struct accelsim_header *header,
                                 const struct accelsim_operation *operation, uint64_t address)
{
    if (operation->opcode.space != AT_GENERIC)
        return operation->opcode.space;
    if (!header->shared_base || !header->local_base)
        return AT_SHARED;
    uint64_t shared_size = header->local_base > header->shared_base
                               ? header->local_base - header->shared_base
                               : WINDOW_BYTES;
    if (within(address, header->shared_base, shared_size))
        return AT_SHARED;
    return within(address, header->local_base, WINDOW_BYTES) ? AT_LOCAL : AT_GLOBAL;
}

/* How many cycles the banks of shared memory need: the most distinct words in one bank. Of a wide
 * access only the first word of each thread counts. */
static uint8_t bank_cycles(const uint64_t *addresses, unsigned count)
{
    enum { BANKS = 32, NONE = WARP_SIZE };
    uint64_t words[WARP_SIZE];
    uint8_t first[BANKS], next[WARP_SIZE], distinct[BANKS] = {0}, most = 0;
    memset(first, NONE, sizeof first);
    for (unsigned i = 0; i < count; i++) {
        unsigned bank = addresses[i] / 4 % BANKS, at = first[bank];
        words[i] = addresses[i] / 4;
        while (at != NONE && words[at] != words[i])
            at = next[at];
        if (at != NONE)
            continue;
        next[i] = first[bank];
        first[bank] = (uint8_t)i;
        if (++distinct[bank] > most)
            most = distinct[bank];
    }
    return most;
}

static void read_shared(struct accelsim_instruction *instruction)
{
    if (!instruction->listed)
        access_addresses(&instruction->access, NULL, instruction->addresses);
    instruction->shared = true;
    instruction->banks = bank_cycles(instruction->addresses, bits_count(instruction->access.mask));
}

/* Fills the access from the addresses at `at`. False if they are malformed. */
static bool read_addresses(const char **at, const char *end, const struct accelsim_header *header,
                           struct accelsim_instruction *instruction)
{
    const struct accelsim_operation *operation = instruction->operation;
    struct warp_access *access = &instruction->access;
    if (!scan_addresses(at, end, instruction))
        return false;
    const enum opcode_space space = accelsim_space(header, operation, instruction->first);
    if (space == AT_SHARED) {
        read_shared(instruction);
        return true;
    }
    instruction->kind = ACCELSIM_MEMORY;
    access->space = space == AT_LOCAL ? SPACE_LOCAL : SPACE_GLOBAL;
    access->op = operation->opcode.op;
    access->bytes = operation->bytes;
    if (space == AT_LOCAL && access->bytes > 16)
        access->bytes = 16;
    access->flags = operation->bypass ? ACCESS_BYPASS_L1 : 0;
    return true;
}

/* Reads the form of the addresses and, if the access is modelled, the addresses. */
static bool read_access(const char **at, const char *end, const struct accelsim_header *header,
                        struct accelsim_instruction *instruction)
{
    const enum opcode_space space = instruction->operation->opcode.space;
    if (!scan_up_to(at, 4, &instruction->form))
        return false;
    if (space == AT_UNKNOWN || instruction->form > 2)
        instruction->kind = ACCELSIM_UNKNOWN;
    if (space == AT_UNKNOWN || instruction->form > 2 || space == AT_NOTHING ||
        !instruction->access.mask)
        return true;
    return read_addresses(at, end, header, instruction);
}

/* ---- lines ---- */

struct accelsim_operations *accelsim_operations_new(void)
{
    struct accelsim_operations *operations = malloc(sizeof *operations);
    if (operations)
        memset(operations, 0,
               offsetof(struct accelsim_operations, slots) + sizeof *operations->slots);
    return operations;
}

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

/* Adds a register to those of an instruction. R255, which is always zero, counts as a register: the
 * simulators that these traces are for read it like any other, from a bank. UR63 and predicates do
 * not count, and what exceeds INSTRUCTION_OPERANDS is not kept. */
static void add_register(const char *word, size_t length, struct instruction *instruction,
                         uint8_t *count)
{
    enum { REGISTERS = 256, UNIFORM_ZERO = 63, DIGITS = 3 };
    const bool uniform = length && word[0] == 'U';
    unsigned number = 0;
    size_t at = uniform + (size_t)1;
    if (at >= length || length - at > DIGITS || word[uniform] != 'R')
        return;
    for (; at < length; at++) {
        if (word[at] < '0' || word[at] > '9')
            return;
        number = number * 10 + (unsigned)(word[at] - '0');
    }
    const unsigned taken = (unsigned)instruction->written + instruction->read;
    if (number >= (uniform ? UNIFORM_ZERO : REGISTERS) || taken == INSTRUCTION_OPERANDS)
        return;
    instruction->registers[taken] = (uint16_t)(number + (uniform ? UNIFORM_REGISTER : 0));
    ++*count;
}

/* Reads a count and that many registers, the written ones before the read ones. */
static bool scan_registers(const char **at, struct instruction *instruction, uint8_t *kept)
{
    uint64_t count;
    const char *word;
    size_t length;
    if (!scan_up_to(at, OPERANDS_MAX, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        if (!scan_word(at, &word, &length))
            return false;
        add_register(word, length, instruction, kept);
    }
    return true;
}

/* Decodes an opcode into an operation. */
static void decode_opcode(const char *word, size_t length, struct accelsim_operation *operation)
{
    const struct opcode opcode = opcode_find(word, length);
    struct instruction *instruction = &operation->instruction;
    operation->opcode = opcode;
    operation->bytes = opcode_bytes(word, length);
    operation->bypass = opcode_bypasses(&opcode, word, length);
    operation->descriptors = memmem(word, length, "GMMA", 4) != NULL;
    instruction->class = opcode.class;
    instruction->flags = opcode.flags;
    /* BAR.ARV arrives at a barrier and goes on. */
    instruction->action = opcode.action == ACTION_BARRIER && opcode_has(word, length, "ARV")
                              ? ACTION_NONE
                              : opcode.action;
}

/* Reads registers and opcode into the slot of their pc, unless it has the same text already.
 * Returns NULL, or what was expected at *at. */
static const char *scan_operation(const char **at, const struct text_reader *reader, uint32_t pc,
                                  struct accelsim_operations *operations,
                                  struct accelsim_instruction *instruction)
{
    const uint32_t slot = accelsim_slot(pc);
    struct accelsim_operation *operation = &operations->slots[slot];
    const char *begin = *at, *word;
    const size_t left = (size_t)(reader->line + reader->length - begin);
    size_t length;
    instruction->operation = operation;
    instruction->after_mask = begin;
    if (operations->used[slot] && operation->pc == pc && operation->length &&
        operation->length <= left &&
        !memcmp(begin, operation->text + OPERATION_START, operation->length)) {
        instruction->opcode = begin + operation->name;
        *at = begin + operation->length;
        return NULL;
    }
    operations->used[slot] = true;
    *operation =
        (struct accelsim_operation){.pc = pc, .instruction.pc = pc, .rows = {KEY_NONE, KEY_NONE}};
    if (!scan_registers(at, &operation->instruction, &operation->instruction.written))
        return "the number of destination registers and as many registers";
    if (!scan_word(at, &word, &length))
        return "an opcode";
    instruction->opcode = word;
    decode_opcode(word, length, operation);
    if (!scan_registers(at, &operation->instruction, &operation->instruction.read))
        return "the number of source registers and as many registers";
    /* The blank after the last word shows that it has no further letters. */
    const size_t text = (size_t)(*at - begin) + 1;
    if (text <= OPERATION_TEXT && text <= left) {
        memcpy(operation->text + OPERATION_START, begin, text);
        operation->length = (uint32_t)text;
    }
    operation->name = (uint16_t)(word - begin);
    operation->name_length = (uint16_t)length;
    return NULL;
}

struct instruction accelsim_row(const struct accelsim_instruction *instruction)
{
    struct instruction row = instruction->operation->instruction;
    row.argument = instruction->argument;
    row.line = instruction->line;
    row.flags |= instruction->shared ? INSTRUCTION_SHARED : 0;
    return row;
}

/* How many groups of copies a DEPBAR leaves in flight: the first immediate, which only newer
 * tracers write. */
static uint8_t scan_argument(const char *at)
{
    uint64_t value;
    return scan_up_to(&at, UINT8_MAX, &value) ? (uint8_t)value : 0;
}

/* Reads a line up to the width. Returns NULL, or what was expected at *at. */
static const char *read_start(const char **at, const struct text_reader *reader, unsigned prefix,
                              struct accelsim_operations *operations,
                              struct accelsim_instruction *instruction, uint32_t *mask)
{
    uint64_t pc, lanes, bytes = 0;
    for (unsigned i = 0; i < prefix; i++)
        if (!scan_decimal(at, &instruction->prefix[i]))
            return "a number before the pc";
    if (!scan_hex(at, &pc))
        return "the pc in hexadecimal";
    const char *begin = *at;
    if (!scan_hex(at, &lanes) || lanes > UINT32_MAX) {
        *at = begin;
        return "the active mask in hexadecimal";
    }
    const char *expected = scan_operation(at, reader, (uint32_t)pc, operations, instruction);
    if (expected)
        return expected;
    *mask = (uint32_t)lanes;
    if (instruction->operation->descriptors)
        return NULL;
    if (!scan_decimal(at, &bytes))
        return "the width of the memory access, 0 for none";
    instruction->width = bytes > 0;
    return NULL;
}

static enum status wrong_line(struct text_reader *reader, enum severity severity, const char *at,
                              const char *expected)
{
    text_problem(reader, severity, at + strspn(at, " \t"), "expected %s", expected);
    return STATUS_INVALID;
}

static const char expected_addresses[] = "addresses, one for each active thread";

enum status accelsim_parse(struct text_reader *reader, const struct accelsim_header *header,
                           unsigned prefix, enum severity severity,
                           struct accelsim_operations *operations,
                           struct accelsim_instruction *instruction)
{
    const char *at = reader->line;
    uint32_t mask;
    instruction->kind = ACCELSIM_OTHER;
    instruction->listed = instruction->unequal = instruction->shared = instruction->width = false;
    instruction->banks = instruction->argument = 0;
    instruction->after_form = NULL;
    const char *expected = read_start(&at, reader, prefix, operations, instruction, &mask);
    if (expected)
        return wrong_line(reader, severity, at, expected);
    instruction->line = header->lineinfo && prefix ? (uint32_t)instruction->prefix[prefix - 1] : 0;
    const struct accelsim_operation *operation = instruction->operation;
    instruction->access = (struct warp_access){.mask = mask, .pc = operation->pc};
    if (operation->descriptors)
        return STATUS_OK;
    if (operation->instruction.action == ACTION_WAIT)
        instruction->argument = scan_argument(at);
    if (!instruction->width || read_access(&at, reader->line + reader->length, header, instruction))
        return STATUS_OK;
    return wrong_line(reader, severity, at, expected_addresses);
}

enum status accelsim_parse_addresses(struct text_reader *reader,
                                     const struct accelsim_header *header, enum severity severity,
                                     struct accelsim_operation *operation,
                                     struct accelsim_instruction *instruction)
{
    const char *at = reader->line + operation->start;
    instruction->operation = operation;
    instruction->kind = ACCELSIM_OTHER;
    instruction->listed = instruction->unequal = instruction->shared = false;
    instruction->banks = instruction->argument = 0;
    instruction->line = 0; /* where lines of the source stand in front, no line is kept */
    instruction->width = true;
    instruction->form = operation->form;
    instruction->opcode = at + operation->name;
    instruction->after_mask = at;
    instruction->access = (struct warp_access){.mask = operation->access.mask, .pc = operation->pc};
    at += operation->form_end;
    if (read_addresses(&at, reader->line + reader->length, header, instruction))
        return STATUS_OK;
    return wrong_line(reader, severity, at, expected_addresses);
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
        instruction->addresses[i] = LOCAL_UNPLACED + offset / 4 * LOCAL_WORD_STRIDE + offset % 4 +
                                    4 * (thread + (unsigned)__builtin_ctz(rest));
    }
    instruction->listed = true;
    instruction->unequal = false;
}
