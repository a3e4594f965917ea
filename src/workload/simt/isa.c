#include "workload/simt/isa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/simt/fields.h"

const struct simt_instruction simt_instructions[SIMT_OP_COUNT] = {
#define SIMT_ROW(id, name, operands, match, mask, kind, bytes, class, value)                       \
    [SIMT_##id] = {name, operands, match, mask, KIND_##kind, bytes, CLASS_##class},
    SIMT_INSTRUCTION_LIST(SIMT_ROW)
#undef SIMT_ROW
};

const char *const simt_registers[SIMT_REGISTERS] = {
    "zero", "ra",  "sp",  "gp",  "tp",  "t0",  "t1",   "t2",   "s0",  "s1",  "a0",   "a1",  "a2",
    "a3",   "a4",  "a5",  "a6",  "a7",  "s2",  "s3",   "s4",   "s5",  "s6",  "s7",   "s8",  "s9",
    "s10",  "s11", "t3",  "t4",  "t5",  "t6",  "ft0",  "ft1",  "ft2", "ft3", "ft4",  "ft5", "ft6",
    "ft7",  "fs0", "fs1", "fa0", "fa1", "fa2", "fa3",  "fa4",  "fa5", "fa6", "fa7",  "fs2", "fs3",
    "fs4",  "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

const char *const simt_roundings[8] = {"rne", "rtz", "rdn", "rup", "rmm", NULL, NULL, "dyn"};

const char *const simt_orders[4] = {"", ".rl", ".aq", ".aqrl"};

/* "x0" to "x31" and "f0" to "f31"; -1 if it is none. */
static int numbered_register(const char *name, size_t length)
{
    if (length < 2 || length > 3 || (name[0] != 'x' && name[0] != 'f'))
        return -1;
    int number = 0;
    for (size_t i = 1; i < length; i++) {
        if (name[i] < '0' || name[i] > '9' || (i == 1 && length == 3 && name[i] == '0'))
            return -1;
        number = number * 10 + (name[i] - '0');
    }
    return number > 31 ? -1 : number + (name[0] == 'f' ? SIMT_FLOATS : 0);
}

int simt_register(const char *name, size_t length)
{
    enum { FRAME_POINTER = 8 };
    int number = numbered_register(name, length);
    if (number >= 0)
        return number;
    for (int i = 0; i < SIMT_REGISTERS; i++)
        if (strlen(simt_registers[i]) == length && !memcmp(simt_registers[i], name, length))
            return i;
    return length == 2 && !memcmp(name, "fp", 2) ? FRAME_POINTER : -1;
}

static const struct {
    const char *name;
    uint32_t number;
    enum simt_csr_writes writes;
} csrs[] = {
#define SIMT_CSR_ROW(id, name, number, writes) {name, number, WRITES_##writes},
    SIMT_CSR_LIST(SIMT_CSR_ROW)
#undef SIMT_CSR_ROW
};

int simt_csr_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++)
        if (strlen(csrs[i].name) == length && !memcmp(csrs[i].name, name, length))
            return (int)csrs[i].number;
    return -1;
}

const char *simt_csr_name(uint32_t number)
{
    for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++)
        if (csrs[i].number == number)
            return csrs[i].name;
    return NULL;
}

enum simt_csr_writes simt_csr_writes(uint32_t number)
{
    for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++)
        if (csrs[i].number == number)
            return csrs[i].writes;
    return WRITES_FAULT;
}

/* Reads the field that an operand letter stands for. */
static void decode_operand(char letter, uint32_t word, struct simt_decoded *decoded)
{
    const uint8_t floats = SIMT_FLOATS;
    switch (letter) {
    case 'd':
        decoded->d = (uint8_t)field_get(word, FIELD_RD);
        break;
    case 's':
        decoded->s = (uint8_t)field_get(word, FIELD_RS1);
        break;
    case 't':
        decoded->t = (uint8_t)field_get(word, FIELD_RS2);
        break;
    case 'D':
        decoded->d = (uint8_t)(floats + field_get(word, FIELD_RD));
        break;
    case 'S':
        decoded->s = (uint8_t)(floats + field_get(word, FIELD_RS1));
        break;
    case 'T':
        decoded->t = (uint8_t)(floats + field_get(word, FIELD_RS2));
        break;
    case 'R':
        decoded->r = (uint8_t)(floats + field_get(word, FIELD_RS3));
        break;
    case 'm':
        decoded->rounding = (uint8_t)field_get(word, FIELD_ROUNDING);
        break;
    case 'j':
    case 'o':
        decoded->imm = immediate_get(word, IMMEDIATE_I);
        break;
    case 'q':
        decoded->imm = immediate_get(word, IMMEDIATE_S);
        break;
    case 'p':
        decoded->imm = immediate_get(word, IMMEDIATE_B);
        break;
    case 'a':
        decoded->imm = immediate_get(word, IMMEDIATE_J);
        break;
    case 'u':
        decoded->imm = word & 0xfffff000;
        break;
    case '>':
        decoded->imm = field_get(word, FIELD_RS2);
        break;
    case 'E':
        decoded->imm = word >> 20;
        break;
    case 'Z':
        decoded->s = (uint8_t)field_get(word, FIELD_RS1);
        break;
    default:
        break;
    }
}

struct simt_decoded simt_decode(uint32_t word)
{
    struct simt_decoded decoded = {.op = SIMT_OP_COUNT, .imm = word};
    for (unsigned op = 0; op < SIMT_OP_COUNT; op++) {
        const struct simt_instruction *row = &simt_instructions[op];
        if ((word & row->mask) != row->match)
            continue;
        decoded = (struct simt_decoded){.op = (uint8_t)op, .kind = row->kind, .bytes = row->bytes};
        for (const char *at = row->operands; *at; at++)
            decode_operand(*at, word, &decoded);
        if (row->kind == KIND_ATOMIC)
            decoded.order = (uint8_t)(word >> FIELD_ORDER & 3);
        break;
    }
    return decoded;
}

static void add_read(struct instruction *row, uint8_t number)
{
    if (number)
        row->registers[row->written + row->read++] = number;
}

void simt_describe(const struct simt_decoded *decoded, uint32_t pc, struct instruction *row)
{
    *row = (struct instruction){.pc = pc, .class = CLASS_CONTROL};
    if (decoded->op == SIMT_OP_COUNT)
        return;
    const struct simt_instruction *instruction = &simt_instructions[decoded->op];
    row->class = instruction->class;
    if (instruction->kind == KIND_LOAD)
        row->flags = INSTRUCTION_LOAD;
    if (instruction->kind == KIND_STORE)
        row->flags = INSTRUCTION_STORE;
    if (instruction->kind == KIND_ATOMIC)
        row->flags = INSTRUCTION_ATOMIC;
    if (instruction->kind == KIND_EXIT)
        row->action = ACTION_EXIT;
    if (decoded->op == SIMT_vx_bar)
        row->action = ACTION_BARRIER;
    if (decoded->op == SIMT_fence)
        row->action = ACTION_FENCE;
    if (decoded->d)
        row->registers[row->written++] = decoded->d;
    if (!strchr(instruction->operands, 'Z'))
        add_read(row, decoded->s);
    add_read(row, decoded->t);
    add_read(row, decoded->r);
}

static bool links(uint8_t number)
{
    return number == 1 || number == 5;
}

enum simt_transfer simt_transfer(const struct simt_decoded *decoded)
{
    if (decoded->op == SIMT_OP_COUNT)
        return TRANSFER_NONE;
    const uint8_t kind = simt_instructions[decoded->op].kind;
    if (kind == KIND_BRANCH)
        return TRANSFER_JUMP;
    if (kind != KIND_JUMP)
        return TRANSFER_NONE;
    if (links(decoded->d))
        return TRANSFER_CALL;
    return decoded->op == SIMT_jalr && links(decoded->s) ? TRANSFER_RETURN : TRANSFER_JUMP;
}
