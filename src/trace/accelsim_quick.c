#include "trace/accelsim_quick.h"

#include <string.h>

#include "base/bits.h"
#include "trace/hex_digits.h"

/* Whether the line ended with a newline and nothing else that text_line removes. */
static bool is_plain(const struct text_reader *reader)
{
    return reader->complete && reader->line + reader->length + 1 == reader->buffer + reader->begin;
}

/* Keeps how the addresses of a line follow from the first one, and the text that says so, unless
 * it is too long or names addresses itself. */
static void keep_addresses(struct accelsim_operations *operations, const char *tail,
                           const char *end, const struct accelsim_instruction *instruction)
{
    struct accelsim_deltas *deltas = &instruction->operation->deltas;
    const unsigned count = bits_count(instruction->access.mask);
    const size_t length = (size_t)(end - tail);
    deltas->line = 0;
    if ((instruction->form == 0 && count > 1) || length > sizeof deltas->text)
        return;
    if (instruction->form != 2)
        deltas->length = 0;
    /* Deltas that are kept have put their offsets there already. */
    for (unsigned i = 0; instruction->listed && !deltas->length && i < count; i++)
        deltas->offsets[i] = instruction->addresses[i] - instruction->first;
    memcpy(deltas->text, tail, length - 1);
    deltas->text[length - 1] = '\n';
    deltas->line = (uint32_t)length;
    deltas->number = ++operations->deltas;
    deltas->mask = instruction->access.mask;
    deltas->affine = !instruction->listed;
    deltas->stride = instruction->access.stride;
}

/* Where the digits of the first address begin. */
static const char *find_address(const struct accelsim_instruction *instruction)
{
    const char *at = instruction->after_form;
    while (*at == ' ' || *at == '\t')
        at++;
    return at[0] == '0' && (at[1] | 32) == 'x' ? at + 2 : at;
}

/* Remembers which line came after the last one. */
static void follow(struct accelsim_operations *operations,
                   const struct accelsim_operation *operation)
{
    const uint32_t slot = accelsim_slot(operation->pc);
    operations->slots[operations->last].follower = slot;
    operations->last = slot;
}

/* Keeps the pc and the mask of a line, which are text of this length. */
static void keep_start(struct accelsim_operation *operation, const char *line, size_t length,
                       uint32_t mask)
{
    operation->start = length <= OPERATION_START ? (uint32_t)length : 0;
    memcpy(operation->text + OPERATION_START - operation->start, line, operation->start);
    operation->access.mask = mask;
}

void accelsim_keep(const struct text_reader *reader, struct accelsim_operations *operations,
                   const struct accelsim_instruction *instruction)
{
    struct accelsim_operation *operation = instruction->operation;
    const char *begin = instruction->after_mask, *end = reader->line + reader->length + 1;
    const char *to = end;
    follow(operations, operation);
    if (instruction->width && !instruction->access.mask) /* this mask makes the access none */
        return;
    operation->known = 0;
    operation->addressed = instruction->after_form != NULL;
    if (!is_plain(reader) || !operation->length)
        return;
    if (operation->addressed) {
        to = find_address(instruction);
        keep_addresses(operations, instruction->after_first, end, instruction);
        operation->form = (uint8_t)instruction->form;
        operation->form_end = (uint16_t)(instruction->after_form - begin);
    }
    const size_t known = (size_t)(to - begin);
    if (known > OPERATION_TEXT)
        return;
    memcpy(operation->text + OPERATION_START, begin, known);
    if (to == end)
        operation->text[OPERATION_START + known - 1] = '\n';
    operation->known = (uint32_t)known;
    operation->kind = (uint8_t)instruction->kind;
    operation->shared = instruction->shared;
    operation->banks = instruction->banks;
    operation->argument = instruction->argument;
    operation->access = instruction->access;
    operation->access.base = instruction->after_form ? instruction->first : 0;
    keep_start(operation, reader->line, (size_t)(begin - reader->line), instruction->access.mask);
}

/* Reads the first address at *at and gives the others. False if what follows it is other text, or
 * if the access would need a closer look. */
static bool take_addresses(const char **at, const struct accelsim_header *header,
                           struct accelsim_instruction *instruction)
{
    const struct accelsim_operation *operation = instruction->operation;
    const struct accelsim_deltas *deltas = &operation->deltas;
    struct warp_access *access = &instruction->access;
    unsigned digits;
    const uint64_t first = hex_digits(*at, &digits);
    if (!digits || !deltas->line || access->mask != deltas->mask ||
        memcmp(*at + digits, deltas->text, deltas->line) != 0)
        return false;
    *at += digits + deltas->line;
    const enum opcode_space space = accelsim_space(header, operation, first);
    if (space == AT_SHARED) /* other words of four bytes may lie in other banks */
        return operation->shared && !((first ^ operation->access.base) & 3);
    if (operation->shared || (space == AT_LOCAL) != (access->space == SPACE_LOCAL))
        return false;
    instruction->listed = instruction->unequal = !deltas->affine;
    access->stride = deltas->stride;
    access->base =
        first - (uint64_t)(int64_t)deltas->stride * (unsigned)__builtin_ctz(access->mask);
    instruction->first = first;
    if (instruction->listed && space != AT_LOCAL)
        instruction->deltas = deltas;
    for (unsigned i = 0; space == AT_LOCAL && i < WARP_SIZE; i++)
        instruction->addresses[i] = first + deltas->offsets[i];
    return true;
}

/* Moves past the start of a line, if it is that of the line that followed last time. */
static struct accelsim_operation *take_follower(const char **at,
                                                struct accelsim_operations *operations)
{
    struct accelsim_operation *operation =
        &operations->slots[operations->slots[operations->last].follower];
    const size_t length = operation->start + operation->known;
    if (!operation->known || !operation->start ||
        memcmp(*at, operation->text + OPERATION_START - operation->start, length) != 0)
        return NULL;
    *at += length;
    return operation;
}

/* Likewise if it is that of the last line of its pc, but for the mask, which is kept. */
static struct accelsim_operation *take_start(const char **at,
                                             struct accelsim_operations *operations)
{
    const char *line = *at;
    unsigned digits, lanes;
    const uint32_t pc = (uint32_t)hex_digits(line, &digits), slot = accelsim_slot(pc);
    struct accelsim_operation *operation = &operations->slots[slot];
    if (!digits || line[digits] != ' ' || !operations->used[slot] || operation->pc != pc ||
        !operation->known)
        return NULL;
    const uint64_t mask = hex_digits(line + digits + 1, &lanes);
    const size_t start = (size_t)digits + 1 + lanes;
    if (!lanes || mask > UINT32_MAX ||
        memcmp(line + start, operation->text + OPERATION_START, operation->known) != 0)
        return NULL;
    keep_start(operation, line, start, (uint32_t)mask);
    *at = line + start + operation->known;
    return operation;
}

enum accelsim_taken accelsim_take(struct text_reader *reader, const struct accelsim_header *header,
                                  struct accelsim_operations *operations,
                                  struct accelsim_instruction *instruction)
{
    /* The most that is looked at: three numbers and two texts. */
    enum { SEEN = 3 * (HEX_DIGITS + 2) + OPERATION_START + OPERATION_TEXT + DELTAS_TEXT };
    if (reader->end - reader->begin < SEEN)
        return ACCELSIM_TAKEN_NOT;
    const char *line = reader->buffer + reader->begin, *at = line;
    struct accelsim_operation *operation = take_follower(&at, operations);
    if (!operation && !(operation = take_start(&at, operations)))
        return ACCELSIM_TAKEN_NOT;
    instruction->operation = operation;
    instruction->kind = (enum accelsim_kind)operation->kind;
    instruction->shared = operation->shared;
    instruction->banks = operation->banks;
    instruction->argument = operation->argument;
    instruction->line = 0; /* lines that begin with that of their source are parsed */
    instruction->listed = instruction->unequal = false;
    instruction->deltas = NULL;
    instruction->access = operation->access;
    if (operation->addressed && !take_addresses(&at, header, instruction))
        return operation->start && operation->access.mask ? ACCELSIM_TAKEN_START
                                                          : ACCELSIM_TAKEN_NOT;
    follow(operations, operation);
    text_skip(reader, (size_t)(at - line));
    return ACCELSIM_TAKEN;
}
