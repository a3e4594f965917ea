#include "workload/cuda/code.h"

#include <assert.h>

#include "base/memory.h"

struct instruction *code_add(struct code_builder *builder, enum instruction_class class)
{
    struct trace_code *code = &builder->code;
    struct instruction *row = &builder->dropped;
    if (!builder->status)
        builder->status = array_reserve(&code->items, &builder->capacity, code->count + 1);
    if (!builder->status)
        row = &code->items[code->count++];
    *row = (struct instruction){.pc = builder->pc, .class = (uint8_t) class};
    builder->pc += INSTRUCTION_BYTES;
    return row;
}

struct instruction *code_add_access(struct code_builder *builder, uint8_t flags)
{
    struct instruction *row = code_add(builder, CLASS_MEMORY);
    row->flags = flags;
    return row;
}

void code_writes(struct instruction *row, uint32_t name)
{
    assert(!row->read && row->written < INSTRUCTION_OPERANDS && name < UNIFORM_REGISTER);
    row->registers[row->written++] = (uint16_t)name;
}

void code_reads(struct instruction *row, uint32_t name)
{
    assert(row->written + row->read < INSTRUCTION_OPERANDS && name < UNIFORM_REGISTER);
    row->registers[row->written + row->read++] = (uint16_t)name;
}

void code_add_link(struct code_builder *builder, enum instruction_class class, uint32_t to)
{
    struct instruction *row = code_add(builder, class);
    code_writes(row, to);
    code_reads(row, to);
}

void code_add_coordinate(struct code_builder *builder, uint32_t to)
{
    enum { SPECIALS = COORDINATE_INSTRUCTIONS - 1 };
    for (uint32_t i = 0; i < SPECIALS; i++)
        code_writes(code_add(builder, CLASS_INTEGER), REGISTER_SPECIAL + i);
    struct instruction *row = code_add(builder, CLASS_INTEGER);
    code_writes(row, to);
    for (uint32_t i = 0; i < SPECIALS; i++)
        code_reads(row, REGISTER_SPECIAL + i);
}

void code_add_exit(struct code_builder *builder)
{
    code_add(builder, CLASS_CONTROL)->action = ACTION_EXIT;
}

uint32_t code_issue(struct instruction_window *window, uint32_t from, uint32_t to, uint32_t mask,
                    uint8_t flags)
{
    uint32_t room = window->capacity - window->count, next = from;
    uint32_t end = to - from < room ? to : from + room;
    while (next < end)
        window->items[window->count++] =
            (struct warp_instruction){.code = next++, .mask = mask, .flags = flags};
    return next;
}
