/* Builds the code of a generated kernel: one row for each instruction (trace/instructions.h).
 *
 * Registers are the generator's own, not those of a compiler: what counts is which instruction
 * waits for which. Predicates have a register here too, because a branch waits for its compare. */
#pragma once

#include "trace/instructions.h"

enum { INSTRUCTION_BYTES = 8 };

enum code_register {
    REGISTER_COLUMN, /* the thread's coordinates in the grid */
    REGISTER_ROW,
    REGISTER_PREDICATE,
    REGISTER_SPECIAL,                      /* three that hold special registers */
    REGISTER_KERNEL = REGISTER_SPECIAL + 3 /* from here on as the kind of kernel likes */
};

struct code_builder {
    struct trace_code code;
    size_t capacity;
    uint32_t pc;        /* of the next row */
    enum status status; /* the first failure; rows that did not fit are dropped */
    struct instruction dropped;
};

/* Appends a row at the next pc. It is valid until the next call. */
struct instruction *code_add(struct code_builder *builder, enum instruction_class class);

/* Appends the row of a memory instruction; `flags` are enum instruction_flags. */
struct instruction *code_add_access(struct code_builder *builder, uint8_t flags);

/* Name the registers of a row: first the written ones, then those that it reads. */
void code_writes(struct instruction *row, uint32_t name);
void code_reads(struct instruction *row, uint32_t name);

/* A row that computes `to` from `to`: a link of a chain. */
void code_add_link(struct code_builder *builder, enum instruction_class class, uint32_t to);

/* How a thread finds its coordinate: its block's number, the block's width and its own number come
 * from special registers, one multiply-add makes the coordinate of them. */
enum { COORDINATE_INSTRUCTIONS = 4 };
void code_add_coordinate(struct code_builder *builder, uint32_t to);

void code_add_exit(struct code_builder *builder);

/* Appends `from` up to `to` of a code to a window, as far as there is room; returns the first that
 * is left. */
uint32_t code_issue(struct instruction_window *window, uint32_t from, uint32_t to, uint32_t mask,
                    uint8_t flags);
