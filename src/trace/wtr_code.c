#include "trace/wtr_code.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/memory.h"
#include "trace/wtr.h"

enum {
    ROW_BYTES = 10, /* pc u32; class, action, flags, argument, written, read u8; then registers */
    ACTION_COUNT = ACTION_WAIT + 1,
    LINE_BYTES = 4,
    ROW_HAS_LINE = 1 << 7, /* of the flags: the source line u32 comes after the registers */
    /* The bytes of struct instruction without the padding at its end. */
    ROW_SAID = offsetof(struct instruction, registers) + INSTRUCTION_OPERANDS * sizeof(uint16_t),
    FLAGS_ALL = INSTRUCTION_LOAD | INSTRUCTION_STORE | INSTRUCTION_ATOMIC | INSTRUCTION_COPY |
                INSTRUCTION_SHARED | INSTRUCTION_FLOAT
};
_Static_assert(!(FLAGS_ALL & ROW_HAS_LINE), "a bit of its own");

struct wtr_kernel {
    struct instruction *rows;
    size_t capacity;
    struct key_table numbers; /* of the rows, by hash */
};

void wtr_codes_free(struct wtr_codes *codes)
{
    for (size_t i = 0; i < codes->count; i++) {
        free(codes->items[i].rows);
        key_table_free(&codes->items[i].numbers);
    }
    free(codes->items);
    key_table_free(&codes->kernels);
    *codes = (struct wtr_codes){0};
}

enum status wtr_codes_kernel(struct wtr_codes *codes, const struct trace_launch *launch,
                             uint32_t *kernel)
{
    const char *name = launch->name ? launch->name : "";
    uint64_t key = XXH3_64bits_withSeed(name, strlen(name), launch->arch);
    if (array_reserve(&codes->items, &codes->capacity, codes->count + 1))
        return STATUS_MEMORY;
    enum status status = key_table_number(&codes->kernels, key, kernel);
    if (!status && *kernel == codes->count)
        codes->items[codes->count++] = (struct wtr_kernel){0};
    return status;
}

/* A row in one form: unused registers are 0. */
static struct instruction normal_row(const struct instruction *instruction)
{
    struct instruction row = *instruction;
    for (unsigned i = row.written + row.read; i < INSTRUCTION_OPERANDS; i++)
        row.registers[i] = 0;
    return row;
}

enum status wtr_codes_row(struct wtr_codes *codes, uint32_t kernel,
                          const struct instruction *instruction, uint32_t *number)
{
    struct wtr_kernel *code = &codes->items[kernel];
    const struct instruction row = normal_row(instruction);
    uint64_t key = XXH3_64bits(&row, ROW_SAID);
    /* Different rows with one hash get neighbouring keys. */
    for (;; key++) {
        *number = key_table_find(&code->numbers, key);
        if (*number == KEY_NONE)
            break;
        if (!memcmp(&code->rows[*number], &row, ROW_SAID))
            return STATUS_OK;
    }
    if (code->numbers.count == WTR_ROWS_MAX)
        return STATUS_CORRUPT;
    if (array_reserve(&code->rows, &code->capacity, code->numbers.count + (size_t)1))
        return STATUS_MEMORY;
    code->rows[code->numbers.count] = row;
    return key_table_add(&code->numbers, key, number);
}

static uint8_t *put_row(const struct instruction *row, uint8_t *at)
{
    wtr_put32(at, row->pc);
    const uint8_t flags = row->flags | (row->line ? ROW_HAS_LINE : 0);
    const uint8_t bytes[] = {row->class,    row->action,  flags,
                             row->argument, row->written, row->read};
    memcpy(at + 4, bytes, sizeof bytes);
    at += ROW_BYTES;
    for (int i = 0; i < row->written + row->read; i++) {
        *at++ = (uint8_t)row->registers[i];
        *at++ = (uint8_t)(row->registers[i] >> 8);
    }
    if (row->line)
        wtr_put32(at, row->line);
    return at + (row->line ? LINE_BYTES : 0);
}

enum status wtr_put_codes(const struct wtr_codes *codes, const uint32_t *launches,
                          uint32_t launch_count, struct wtr_bytes *bytes)
{
    size_t bound = bytes->count + 4 + (size_t)launch_count * 4;
    for (size_t i = 0; i < codes->count; i++)
        bound += 4 + (size_t)codes->items[i].numbers.count *
                         (ROW_BYTES + 2 * INSTRUCTION_OPERANDS + LINE_BYTES);
    if (array_reserve(&bytes->items, &bytes->capacity, bound))
        return STATUS_MEMORY;
    uint8_t *at = bytes->items + bytes->count;
    wtr_put32(at, (uint32_t)codes->count);
    at += 4;
    for (uint32_t i = 0; i < launch_count; i++, at += 4)
        wtr_put32(at, launches[i]);
    for (size_t i = 0; i < codes->count; i++) {
        const struct wtr_kernel *code = &codes->items[i];
        wtr_put32(at, code->numbers.count);
        at += 4;
        for (uint32_t row = 0; row < code->numbers.count; row++)
            at = put_row(&code->rows[row], at);
    }
    bytes->count = (size_t)(at - bytes->items);
    return STATUS_OK;
}

/* What is left of the bytes. */
struct rest {
    const uint8_t *at;
    size_t left;
};

static bool take32(struct rest *rest, uint32_t *value)
{
    if (rest->left < 4)
        return false;
    *value = wtr_get32(rest->at);
    rest->at += 4;
    rest->left -= 4;
    return true;
}

static bool code_take_row(struct rest *rest, struct instruction *row)
{
    if (rest->left < ROW_BYTES)
        return false;
    const uint8_t *at = rest->at;
    *row = (struct instruction){.pc = wtr_get32(at),
                                .class = at[4],
                                .action = at[5],
                                .flags = at[6] & ~ROW_HAS_LINE,
                                .argument = at[7],
                                .written = at[8],
                                .read = at[9]};
    unsigned registers = (unsigned)row->written + row->read;
    const bool line = at[6] & ROW_HAS_LINE;
    if (row->class >= CLASS_COUNT || row->action >= ACTION_COUNT || row->flags & ~FLAGS_ALL ||
        registers > INSTRUCTION_OPERANDS || rest->left < ROW_BYTES + 2 * registers)
        return false;
    rest->at += ROW_BYTES + 2 * registers;
    rest->left -= ROW_BYTES + 2 * registers;
    for (unsigned i = 0; i < registers; i++) {
        const uint8_t *number = at + ROW_BYTES + (size_t)2 * i;
        row->registers[i] = (uint16_t)(number[0] | number[1] << 8);
        if (row->registers[i] >= REGISTER_COUNT)
            return false;
    }
    return !line || (take32(rest, &row->line) && row->line);
}

static enum status take_code(struct rest *rest, struct trace_code *code)
{
    uint32_t rows;
    if (!take32(rest, &rows) || rows > WTR_ROWS_MAX || rows > rest->left / ROW_BYTES)
        return STATUS_CORRUPT;
    code->items = malloc((rows + (size_t)1) * sizeof *code->items);
    if (!code->items)
        return STATUS_MEMORY;
    for (; code->count < rows; code->count++)
        if (!code_take_row(rest, &code->items[code->count]))
            return STATUS_CORRUPT;
    return STATUS_OK;
}

static enum status take_codes(struct rest *rest, struct trace_source *source)
{
    uint32_t codes;
    if (!take32(rest, &codes) || codes > source->launch_count)
        return STATUS_CORRUPT;
    for (uint32_t i = 0; i < source->launch_count; i++)
        if (!take32(rest, &source->launches[i].code) || source->launches[i].code > codes)
            return STATUS_CORRUPT;
    source->codes = calloc(codes + (size_t)1, sizeof *source->codes);
    if (!source->codes)
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    for (; !status && source->code_count < codes; source->code_count++)
        status = take_code(rest, &source->codes[source->code_count]);
    return !status && rest->left ? STATUS_CORRUPT : status;
}

enum status wtr_get_codes(const uint8_t *bytes, size_t size, struct trace_source *source,
                          size_t *wrong)
{
    struct rest rest = {bytes, size};
    enum status status = take_codes(&rest, source);
    *wrong = size - rest.left;
    return status;
}

void wtr_free_codes(struct trace_source *source)
{
    for (uint32_t i = 0; source->codes && i < source->code_count; i++)
        free(source->codes[i].items);
    free(source->codes);
}
