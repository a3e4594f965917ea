/* Instructions and pseudo-instructions of the assembler: operands as the table of instructions
 * spells them, and texts into which pseudo-instructions expand. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "workload/simt/assembler_state.h"
#include "workload/simt/fields.h"
#include "workload/simt/isa.h"

/* A pseudo-instruction: its operands, and what it stands for. $1 to $3 are its operands. A name
 * that is an instruction as well is one if the number of operands differs. */
struct pseudo {
    const char *name;
    unsigned operands;
    const char *first, *second;
};
static const struct pseudo pseudos[] = {
    {"nop", 0, "addi zero,zero,0", NULL},
    {"mv", 2, "addi $1,$2,0", NULL},
    {"not", 2, "xori $1,$2,-1", NULL},
    {"neg", 2, "sub $1,zero,$2", NULL},
    {"seqz", 2, "sltiu $1,$2,1", NULL},
    {"snez", 2, "sltu $1,zero,$2", NULL},
    {"sltz", 2, "slt $1,$2,zero", NULL},
    {"sgtz", 2, "slt $1,zero,$2", NULL},
    {"sgt", 3, "slt $1,$3,$2", NULL},
    {"sgtu", 3, "sltu $1,$3,$2", NULL},
    {"zext.b", 2, "andi $1,$2,255", NULL},
    {"beqz", 2, "beq $1,zero,$2", NULL},
    {"bnez", 2, "bne $1,zero,$2", NULL},
    {"blez", 2, "bge zero,$1,$2", NULL},
    {"bgez", 2, "bge $1,zero,$2", NULL},
    {"bltz", 2, "blt $1,zero,$2", NULL},
    {"bgtz", 2, "blt zero,$1,$2", NULL},
    {"bgt", 3, "blt $2,$1,$3", NULL},
    {"ble", 3, "bge $2,$1,$3", NULL},
    {"bgtu", 3, "bltu $2,$1,$3", NULL},
    {"bleu", 3, "bgeu $2,$1,$3", NULL},
    {"j", 1, "jal zero,$1", NULL},
    {"jal", 1, "jal ra,$1", NULL},
    {"jr", 1, "jalr zero,0($1)", NULL},
    {"jalr", 1, "jalr ra,0($1)", NULL},
    {"ret", 0, "jalr zero,0(ra)", NULL},
    {"la", 2, "auipc $1,%pcrel_hi($2)", "addi $1,$1,%previous_lo($2)"},
    {"lla", 2, "auipc $1,%pcrel_hi($2)", "addi $1,$1,%previous_lo($2)"},
    {"call", 1, "auipc ra,%pcrel_hi($1)", "jalr ra,%previous_lo($1)(ra)"},
    {"tail", 1, "auipc t1,%pcrel_hi($1)", "jalr zero,%previous_lo($1)(t1)"},
    {"fmv.s", 2, "fsgnj.s $1,$2,$2", NULL},
    {"fabs.s", 2, "fsgnjx.s $1,$2,$2", NULL},
    {"fneg.s", 2, "fsgnjn.s $1,$2,$2", NULL},
    {"fgt.s", 3, "flt.s $1,$3,$2", NULL},
    {"fge.s", 3, "fle.s $1,$3,$2", NULL},
    {"fmv.x.s", 2, "fmv.x.w $1,$2", NULL},
    {"fmv.s.x", 2, "fmv.w.x $1,$2", NULL},
    {"csrr", 2, "csrrs $1,$2,zero", NULL},
    {"csrw", 2, "csrrw zero,$1,$2", NULL},
    {"csrs", 2, "csrrs zero,$1,$2", NULL},
    {"csrc", 2, "csrrc zero,$1,$2", NULL},
    {"csrwi", 2, "csrrwi zero,$1,$2", NULL},
    {"csrsi", 2, "csrrsi zero,$1,$2", NULL},
    {"csrci", 2, "csrrci zero,$1,$2", NULL},
    {"rdcycle", 1, "csrrs $1,cycle,zero", NULL},
    {"rdtime", 1, "csrrs $1,time,zero", NULL},
    {"rdcycleh", 1, "csrrs $1,cycleh,zero", NULL},
    {"rdtimeh", 1, "csrrs $1,timeh,zero", NULL},
    {"rdinstreth", 1, "csrrs $1,instreth,zero", NULL},
    {"frcsr", 1, "csrrs $1,fcsr,zero", NULL},
    {"fscsr", 2, "csrrw $1,fcsr,$2", NULL},
    {"fscsr", 1, "csrrw zero,fcsr,$1", NULL},
    {"frsr", 1, "csrrs $1,fcsr,zero", NULL},
    {"fssr", 2, "csrrw $1,fcsr,$2", NULL},
    {"fssr", 1, "csrrw zero,fcsr,$1", NULL},
    {"frrm", 1, "csrrs $1,frm,zero", NULL},
    {"fsrm", 2, "csrrw $1,frm,$2", NULL},
    {"fsrm", 1, "csrrw zero,frm,$1", NULL},
    {"fsrmi", 2, "csrrwi $1,frm,$2", NULL},
    {"fsrmi", 1, "csrrwi zero,frm,$1", NULL},
    {"frflags", 1, "csrrs $1,fflags,zero", NULL},
    {"fsflags", 2, "csrrw $1,fflags,$2", NULL},
    {"fsflags", 1, "csrrw zero,fflags,$1", NULL},
    {"fsflagsi", 2, "csrrwi $1,fflags,$2", NULL},
    {"fsflagsi", 1, "csrrwi zero,fflags,$1", NULL},
    {"rdinstret", 1, "csrrs $1,instret,zero", NULL},
    {"fence", 0, "fence iorw,iorw", NULL},
};
enum { PSEUDO_COUNT = sizeof pseudos / sizeof *pseudos };

/* These are instructions but where the second operand is a symbol without a register. */
static const struct pseudo symbol_accesses[] = {
    {"lb", 2, "auipc $1,%pcrel_hi($2)", "lb $1,%previous_lo($2)($1)"},
    {"lh", 2, "auipc $1,%pcrel_hi($2)", "lh $1,%previous_lo($2)($1)"},
    {"lw", 2, "auipc $1,%pcrel_hi($2)", "lw $1,%previous_lo($2)($1)"},
    {"lbu", 2, "auipc $1,%pcrel_hi($2)", "lbu $1,%previous_lo($2)($1)"},
    {"lhu", 2, "auipc $1,%pcrel_hi($2)", "lhu $1,%previous_lo($2)($1)"},
    {"flw", 3, "auipc $3,%pcrel_hi($2)", "flw $1,%previous_lo($2)($3)"},
    {"sb", 3, "auipc $3,%pcrel_hi($2)", "sb $1,%previous_lo($2)($3)"},
    {"sh", 3, "auipc $3,%pcrel_hi($2)", "sh $1,%previous_lo($2)($3)"},
    {"sw", 3, "auipc $3,%pcrel_hi($2)", "sw $1,%previous_lo($2)($3)"},
    {"fsw", 3, "auipc $3,%pcrel_hi($2)", "fsw $1,%previous_lo($2)($3)"}};

static void put_word(struct cursor *cursor, uint32_t word)
{
    struct assembler *assembler = cursor->assembler;
    if (assembler->section != SECTION_TEXT) {
        assembler_problem(cursor, cursor->at, 1, "instructions belong into .text");
        return;
    }
    const size_t behind = part_now(assembler)->size % 4;
    if (behind) {
        assembler_problem(cursor, cursor->at, 1,
                          "instructions lie at multiples of 4 bytes; put .align 2 before this one");
        part_fill(cursor, 4 - behind, 0); /* so that it is said once */
    }
    const size_t index = part_now(assembler)->size / 4;
    if (array_reserve(&assembler->lines, &assembler->line_capacity, index + 1)) {
        assembler->status = STATUS_MEMORY;
        return;
    }
    while (assembler->line_count <= index)
        assembler->lines[assembler->line_count++] = 0;
    assembler->lines[index] = assembler->line;
    part_put(cursor, word, 4);
}

static bool read_register(struct cursor *cursor, bool floating, uint32_t *number)
{
    const char *word;
    const size_t length = cursor_word(cursor, &word);
    const int found = length ? simt_register(word, length) : -1;
    if (found < 0 || (found >= SIMT_FLOATS) != floating) {
        char hint[SUGGESTION_TEXT], name[SUGGESTION_TEXT];
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        const char *nearest =
            nearest_name(name, simt_registers + (floating ? SIMT_FLOATS : 0), SIMT_FLOATS);
        if (found >= 0)
            nearest = NULL;
        assembler_problem(cursor, word, length, "expected %s register, found '%s'%s",
                          floating ? "a floating-point" : "an integer", name,
                          suggestion(nearest, hint));
        return false;
    }
    *number = (uint32_t)found % SIMT_FLOATS;
    return true;
}

/* How %hi(x) and its kin make a value from x. */
static const struct modifier {
    const char *name;
    bool upper, relative; /* the upper 20 bits; counted from `behind` bytes before this place */
    uint8_t behind;
} modifiers[] = {{"%hi", true, false, 0},
                 {"%lo", false, false, 0},
                 {"%pcrel_hi", true, true, 0},
                 {"%previous_lo", false, true, 4}};

/* Reads a value, which may stand in %hi(...). */
static bool read_value(struct cursor *cursor, int64_t *value)
{
    cursor_skip(cursor);
    if (cursor->at == cursor->end || *cursor->at != '%')
        return expression_read(cursor, value, NULL);
    const char *start = cursor->at;
    size_t length = 1;
    while (start + length < cursor->end && cursor_name_character(start[length]))
        length++;
    const char *names[sizeof modifiers / sizeof *modifiers];
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        const struct modifier *modifier = &modifiers[i];
        names[i] = modifier->name;
        if (strlen(modifier->name) != length || memcmp(modifier->name, start, length))
            continue;
        cursor->at = start + length;
        const bool opens = cursor_take(cursor, '(');
        if (opens && !expression_read(cursor, value, NULL))
            return false;
        if (!opens || !cursor_take(cursor, ')')) {
            assembler_problem(cursor, cursor->at, 1, "expected %s(symbol)", modifier->name);
            return false;
        }
        uint32_t target = (uint32_t)*value;
        if (modifier->relative)
            target -= address_now(cursor->assembler) - modifier->behind;
        *value = modifier->upper ? (target + 0x800) >> 12
                                 : (int64_t)immediate_get(target << 20, IMMEDIATE_I);
        if (!modifier->upper)
            *value = (int32_t)*value;
        return true;
    }
    char hint[SUGGESTION_TEXT], name[SUGGESTION_TEXT];
    snprintf(name, sizeof name, "%.*s", (int)length, start);
    assembler_problem(cursor, start, length, "no modifier '%s'%s", name,
                      suggestion(nearest_name(name, names, sizeof names / sizeof *names), hint));
    return false;
}

static bool read_immediate(struct cursor *cursor, enum simt_immediate kind, bool relative,
                           uint32_t *bits)
{
    int64_t value;
    cursor_skip(cursor);
    const char *start = cursor->at;
    if (!read_value(cursor, &value))
        return false;
    if (relative)
        value = (int32_t)((uint32_t)value - address_now(cursor->assembler));
    if (!immediate_fits(value, kind) && cursor->assembler->walk == WALK_BYTES) {
        const long long limit = 1LL << (immediate_bits[kind] - 1);
        assembler_problem(cursor, start, (size_t)(cursor->at - start),
                          relative ? "the target is %lld bytes away; %lld to %lld and even are "
                                     "possible"
                                   : "%lld is no value from %lld to %lld",
                          (long long)value, -limit, limit - 1);
        return false;
    }
    *bits = immediate_put((uint32_t)value, kind);
    return true;
}

static bool read_range(struct cursor *cursor, uint32_t most, unsigned shift, uint32_t *bits)
{
    int64_t value;
    cursor_skip(cursor);
    const char *start = cursor->at;
    if (!read_value(cursor, &value))
        return false;
    if ((value < 0 || value > most) && cursor->assembler->walk == WALK_BYTES) {
        assembler_problem(cursor, start, (size_t)(cursor->at - start),
                          "%lld is no value from 0 to %u", (long long)value, most);
        return false;
    }
    *bits = (uint32_t)value << shift;
    return true;
}

/* A CSR by name or number. */
static bool read_csr(struct cursor *cursor, uint32_t *bits)
{
    const struct cursor before = *cursor;
    const char *word;
    const size_t length = cursor_word(cursor, &word);
    const int number = length ? simt_csr_find(word, length) : -1;
    if (number >= 0) {
        *bits = (uint32_t)number << 20;
        return true;
    }
    *cursor = before;
    return read_range(cursor, 0xfff, 20, bits);
}

/* The accesses that a fence orders: letters of "iorw". */
static bool read_fence(struct cursor *cursor, unsigned shift, uint32_t *bits)
{
    static const char letters[] = "wroi";
    const char *word;
    const size_t length = cursor_word(cursor, &word);
    *bits = 0;
    for (size_t i = 0; i < length; i++) {
        const char *found = strchr(letters, word[i]);
        if (found)
            *bits |= 1u << (shift + (unsigned)(found - letters));
        else
            *bits = 0, i = length;
    }
    if (!*bits)
        assembler_problem(cursor, word, length, "expected letters of iorw");
    return *bits;
}

static bool read_rounding(struct cursor *cursor, uint32_t *bits)
{
    const char *word;
    const size_t length = cursor_word(cursor, &word);
    for (uint32_t i = 0; i < 8; i++)
        if (simt_roundings[i] && strlen(simt_roundings[i]) == length &&
            !memcmp(simt_roundings[i], word, length)) {
            *bits = i << FIELD_ROUNDING;
            return true;
        }
    assembler_problem(cursor, word, length,
                      "expected a rounding mode: rne, rtz, rdn, rup, rmm, dyn");
    return false;
}

/* The offset of an atomic, which has no place for one. */
static bool read_zero(struct cursor *cursor)
{
    uint32_t none;
    cursor_skip(cursor);
    return (cursor->at < cursor->end && *cursor->at == '(') || read_range(cursor, 0, 0, &none);
}

/* Reads the operand that a letter stands for into its bits. */
static bool read_operand(struct cursor *cursor, char letter, uint32_t *bits)
{
    static const char registers[] = "dstDSTR";
    static const uint8_t fields[] = {FIELD_RD,  FIELD_RS1, FIELD_RS2, FIELD_RD,
                                     FIELD_RS1, FIELD_RS2, FIELD_RS3};
    const char *found = strchr(registers, letter);
    if (found) {
        const bool fits = read_register(cursor, letter < 'a', bits);
        *bits <<= fields[found - registers];
        return fits;
    }
    switch (letter) {
    case 'j':
        return read_immediate(cursor, IMMEDIATE_I, false, bits);
    case 'o':
        cursor_skip(cursor);
        *bits = 0; /* "(s)" stands for "0(s)" */
        return (cursor->at < cursor->end && *cursor->at == '(') ||
               read_immediate(cursor, IMMEDIATE_I, false, bits);
    case 'q':
        cursor_skip(cursor);
        *bits = 0;
        return (cursor->at < cursor->end && *cursor->at == '(') ||
               read_immediate(cursor, IMMEDIATE_S, false, bits);
    case '0':
        return read_zero(cursor);
    case 'p':
        return read_immediate(cursor, IMMEDIATE_B, true, bits);
    case 'a':
        return read_immediate(cursor, IMMEDIATE_J, true, bits);
    case 'u':
        return read_range(cursor, 0xfffff, 12, bits);
    case '>':
        return read_range(cursor, 31, 20, bits);
    case 'Z':
        return read_range(cursor, 31, 15, bits);
    case 'E':
        return read_csr(cursor, bits);
    case 'P':
        return read_fence(cursor, 24, bits);
    case 'Q':
        return read_fence(cursor, 20, bits);
    default:
        return read_rounding(cursor, bits);
    }
}

static bool at_end(struct cursor *cursor)
{
    cursor_skip(cursor);
    return cursor->at == cursor->end;
}

/* Says how the operands of an instruction look: "expected rd, rs1, immediate". */
static void wrong_operands(struct cursor *cursor, const struct simt_instruction *row)
{
    static const char letters[] = "dstDSTRjo0>qpauEZPQm";
    static const char *const words[] = {"rd",    "rs1",    "rs2",    "rd",     "rs1",
                                        "rs2",   "rs3",    "value",  "offset", "0",
                                        "shift", "offset", "target", "target", "value",
                                        "csr",   "value",  "before", "after",  "rounding"};
    char text[128] = "";
    for (const char *at = row->operands; *at; at++) {
        const char *found = strchr(letters, *at);
        const size_t length = strlen(text);
        if (found)
            snprintf(text + length, sizeof text - length, "%s", words[found - letters]);
        else
            snprintf(text + length, sizeof text - length, *at == ',' ? ", " : "%c", *at);
    }
    assembler_problem(cursor, cursor->at, 1, *text ? "expected '%s %s'" : "expected '%s'%s alone",
                      row->name, text);
}

/* `bits`: those that its name gave beyond its row's. */
static void encode_native(struct cursor *cursor, const struct simt_instruction *row, uint32_t bits)
{
    uint32_t word = row->match | bits;
    for (const char *at = row->operands; *at; at++) {
        bits = 0;
        if (at[0] == ',' && at[1] == 'm' && at_end(cursor)) {
            word |= (uint32_t)ROUND_DYNAMIC << FIELD_ROUNDING;
            break;
        }
        if (*at == ',' || *at == '(' || *at == ')') {
            if (!cursor_take(cursor, *at)) {
                wrong_operands(cursor, row);
                goto keep_size;
            }
        } else if (!read_operand(cursor, *at, &bits)) {
            goto keep_size;
        }
        word |= bits;
    }
    if (!at_end(cursor))
        wrong_operands(cursor, row);
keep_size: /* after a mistake as well, so that the addresses after stay as they are */
    put_word(cursor, word);
}

/* Cuts the rest of a statement at its commas that stand in no brackets; returns how many operands
 * there are, or `most` + 1. */
static unsigned cut_operands(struct cursor cursor, unsigned most, const char *starts[],
                             size_t lengths[])
{
    unsigned count = 0, nesting = 0;
    cursor_skip(&cursor);
    if (cursor.at == cursor.end)
        return 0;
    const char *from = cursor.at;
    for (;; cursor.at++) {
        const bool end = cursor.at == cursor.end;
        if (!end && *cursor.at == '(')
            nesting++;
        else if (!end && *cursor.at == ')' && nesting)
            nesting--;
        if (!end && (*cursor.at != ',' || nesting))
            continue;
        if (count == most)
            return most + 1;
        starts[count] = from;
        lengths[count++] = (size_t)(cursor.at - from);
        if (end)
            return count;
        from = cursor.at + 1;
    }
}

/* The instruction of a name; NULL: none. Atomics may have ".aq" and ".rl" after theirs, which
 * become *bits. */
static const struct simt_instruction *find_instruction(const char *word, size_t length,
                                                       uint32_t *bits)
{
    for (unsigned op = 0; op < SIMT_OP_COUNT; op++) {
        const struct simt_instruction *row = &simt_instructions[op];
        const size_t known = strlen(row->name);
        if (known > length || memcmp(row->name, word, known))
            continue;
        for (uint32_t order = 0; order < sizeof simt_orders / sizeof *simt_orders; order++) {
            const size_t more = strlen(simt_orders[order]);
            if (known + more != length || memcmp(word + known, simt_orders[order], more) ||
                (order && row->kind != KIND_ATOMIC))
                continue;
            *bits = order << FIELD_ORDER;
            return row;
        }
    }
    return NULL;
}

enum { EXPANSION_MAX = 512, PSEUDO_OPERANDS = 3 };

/* Encodes the text of an expansion with its operands put in. */
static void expand(const struct cursor *cursor, const char *word, const char *text,
                   const char *const starts[], const size_t lengths[])
{
    char statement[EXPANSION_MAX];
    size_t length = 0;
    for (const char *at = text; *at; at++) {
        const bool operand = *at == '$';
        const unsigned number = operand ? (unsigned)(at[1] - '1') : 0;
        const size_t more = operand ? lengths[number] : 1;
        if (length + more >= sizeof statement) {
            assembler_problem(cursor, word, 1, "its operands are too long");
            return;
        }
        memcpy(statement + length, operand ? starts[number] : at, more);
        length += more;
        at += operand;
    }
    struct cursor inner = {
        .assembler = cursor->assembler, .at = statement, .end = statement + length, .origin = word};
    const char *name;
    const size_t name_length = cursor_word(&inner, &name);
    uint32_t bits;
    const struct simt_instruction *row = find_instruction(name, name_length, &bits);
    if (row)
        encode_native(&inner, row, bits);
}

/* li: one instruction for 12 bits, else lui and perhaps addi. Its length must not depend on what
 * stands after it. */
static void encode_li(struct cursor *cursor, const char *word)
{
    uint32_t rd = 0;
    int64_t value = 0;
    bool forward = false;
    if (!read_register(cursor, false, &rd) || !cursor_take(cursor, ',') ||
        !expression_read(cursor, &value, &forward) || !at_end(cursor)) {
        assembler_problem(cursor, cursor->at, 1, "expected 'li rd, value'");
        return;
    }
    if (forward || value < INT32_MIN || value > (int64_t)UINT32_MAX)
        assembler_problem(cursor, word, 2,
                          forward ? "li needs a value that is known here; la takes labels"
                                  : "li takes 32 bits");
    const int32_t wanted = (int32_t)(uint32_t)value;
    const uint32_t low = (uint32_t)wanted & 0xfff, high = ((uint32_t)wanted + 0x800) & 0xfffff000;
    if (high)
        put_word(cursor, simt_instructions[SIMT_lui].match | rd << FIELD_RD | high);
    if (low || !high)
        put_word(cursor, simt_instructions[SIMT_addi].match | rd << FIELD_RD |
                             (high ? rd : 0) << FIELD_RS1 | low << 20);
}

/* .insn r opcode, funct3, funct7, rd, rs1, rs2: how compilers spell what they have no name for. */
void encode_insn(struct cursor *cursor)
{
    static const struct {
        uint32_t most;
        uint8_t shift;
    } numbers[] = {{127, 0}, {7, FIELD_ROUNDING}, {127, 25}};
    static const uint8_t fields[] = {FIELD_RD, FIELD_RS1, FIELD_RS2};
    const char *word;
    uint32_t result = 0, bits = 0;
    bool right = cursor_word(cursor, &word) == 1 && *word == 'r';
    for (unsigned i = 0; i < 3 && right; i++, result |= bits)
        right = (!i || cursor_take(cursor, ',')) &&
                read_range(cursor, numbers[i].most, numbers[i].shift, &bits);
    for (unsigned i = 0; i < 3 && right; i++, result |= bits << fields[i - 1])
        right = cursor_take(cursor, ',') && read_register(cursor, false, &bits);
    if (!right)
        assembler_problem(cursor, cursor->at, 1,
                          "expected '.insn r opcode, funct3, funct7, rd, rs1, rs2'");
    put_word(cursor, result);
}

static void unknown_instruction(struct cursor *cursor, const char *word, size_t length)
{
    const char *names[SIMT_OP_COUNT + PSEUDO_COUNT + 1];
    size_t count = 0;
    for (; count < SIMT_OP_COUNT; count++)
        names[count] = simt_instructions[count].name;
    for (size_t i = 0; i < PSEUDO_COUNT; i++)
        names[count++] = pseudos[i].name;
    names[count++] = "li";
    char hint[SUGGESTION_TEXT], name[SUGGESTION_TEXT];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    assembler_problem(cursor, word, length, "no instruction '%s' in RV32IMAF%s", name,
                      suggestion(nearest_name(name, names, count), hint));
}

/* A symbol, perhaps with something added to it: "table + 4", but not "table(a0)" or "4". */
static bool is_symbol(const char *text, size_t length)
{
    while (length && isspace((unsigned char)*text))
        text++, length--;
    const bool begins = length && (isalpha((unsigned char)*text) || *text == '_' || *text == '.');
    return begins && !memchr(text, '(', length);
}

/* Writes what a pseudo-instruction stands for. What is wrong with the first part is wrong with the
 * second, too, and is not said again. */
static void encode_pseudo(struct cursor *cursor, const char *word, const struct pseudo *pseudo,
                          const char **starts, const size_t *lengths)
{
    const unsigned errors = cursor->assembler->errors;
    expand(cursor, word, pseudo->first, starts, lengths);
    if (pseudo->second && cursor->assembler->errors == errors)
        expand(cursor, word, pseudo->second, starts, lengths);
    else if (pseudo->second)
        put_word(cursor, 0);
}

/* The row of a table for a name, and for so many operands unless they are -1; NULL: none. */
static const struct pseudo *find_pseudo(const struct pseudo *rows, size_t row_count,
                                        const char *word, size_t length, int operands)
{
    for (size_t i = 0; i < row_count; i++)
        if (strlen(rows[i].name) == length && !memcmp(rows[i].name, word, length) &&
            (operands < 0 || rows[i].operands == (unsigned)operands))
            return &rows[i];
    return NULL;
}

void encode_statement(struct cursor *cursor, const char *word, size_t length)
{
    const char *starts[PSEUDO_OPERANDS];
    size_t lengths[PSEUDO_OPERANDS];
    if (length == 2 && !memcmp(word, "li", 2)) {
        encode_li(cursor, word);
        return;
    }
    const unsigned count = cut_operands(*cursor, PSEUDO_OPERANDS, starts, lengths);
    const struct pseudo *pseudo = NULL;
    if (count > 1 && is_symbol(starts[1], lengths[1]))
        pseudo = find_pseudo(symbol_accesses, sizeof symbol_accesses / sizeof *symbol_accesses,
                             word, length, (int)count);
    if (!pseudo)
        pseudo = find_pseudo(pseudos, PSEUDO_COUNT, word, length, (int)count);
    if (pseudo) {
        encode_pseudo(cursor, word, pseudo, starts, lengths);
        return;
    }
    const struct pseudo *named = find_pseudo(pseudos, PSEUDO_COUNT, word, length, -1);
    uint32_t bits;
    const struct simt_instruction *row = find_instruction(word, length, &bits);
    if (row)
        encode_native(cursor, row, bits);
    else if (named)
        assembler_problem(cursor, word, length, "%s takes %u operands, found %u", named->name,
                          named->operands, count);
    else
        unknown_instruction(cursor, word, length);
}
