/* The directives of the assembler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/simt/assembler_state.h"

/* Values, separated by commas. */
static void put_values(struct cursor *cursor, unsigned bytes)
{
    do {
        int64_t value;
        cursor_skip(cursor);
        const char *start = cursor->at;
        if (!expression_read(cursor, &value, NULL))
            return;
        const int64_t limit = bytes < sizeof value ? INT64_C(1) << (8 * bytes) : 0;
        if (limit && (value < -limit / 2 || value >= limit) &&
            cursor->assembler->walk == WALK_BYTES)
            assembler_problem(cursor, start, (size_t)(cursor->at - start),
                              "%lld does not fit %u bytes", (long long)value, bytes);
        part_put(cursor, (uint64_t)value, bytes);
    } while (cursor_take(cursor, ','));
}

static void put_floats(struct cursor *cursor)
{
    do {
        char text[64], *end;
        cursor_skip(cursor);
        size_t length = 0;
        while (cursor->at + length < cursor->end && length + 1 < sizeof text &&
               !cursor_blank(cursor->at[length]) && cursor->at[length] != ',')
            length++;
        memcpy(text, cursor->at, length);
        text[length] = '\0';
        const float value = strtof(text, &end);
        uint32_t bits;
        if (end == text || *end)
            assembler_problem(cursor, cursor->at, length, "expected a number, found '%s'", text);
        memcpy(&bits, &value, sizeof bits);
        part_put(cursor, bits, 4);
        cursor->at += length;
    } while (cursor_take(cursor, ','));
}

/* Strings in quotes, with the escapes of C. */
static void put_strings(struct cursor *cursor, bool terminated)
{
    static const char escapes[] = "n\nt\tr\r0\0\\\\''\"\"";
    do {
        if (!cursor_take(cursor, '"')) {
            assembler_problem(cursor, cursor->at, 1, "expected a string in quotes");
            return;
        }
        while (cursor->at < cursor->end && *cursor->at != '"') {
            char character = *cursor->at++;
            if (character == '\\' && cursor->at < cursor->end) {
                const char *found = strchr(escapes, *cursor->at);
                character = found && *cursor->at ? found[1] : *cursor->at;
                cursor->at++;
            }
            part_put(cursor, (unsigned char)character, 1);
        }
        if (!cursor_take(cursor, '"'))
            assembler_problem(cursor, cursor->at, 1, "the string has no end");
        if (terminated)
            part_put(cursor, 0, 1);
    } while (cursor_take(cursor, ','));
}

/* A value that must be known where it stands, because addresses depend on it. */
static bool read_known(struct cursor *cursor, int64_t most, int64_t *value)
{
    bool forward;
    cursor_skip(cursor);
    const char *start = cursor->at;
    if (!expression_read(cursor, value, &forward))
        return false;
    if (forward || *value < 0 || *value > most) {
        assembler_problem(cursor, start, (size_t)(cursor->at - start),
                          forward ? "this must be known here" : "%lld is no value from 0 to %lld",
                          (long long)*value, (long long)most);
        return false;
    }
    return true;
}

static void put_space(struct cursor *cursor)
{
    int64_t bytes, value = 0;
    if (!read_known(cursor, SIMT_IMAGE_MAX, &bytes))
        return;
    if (cursor_take(cursor, ',') && !read_known(cursor, 255, &value))
        return;
    part_fill(cursor, (uint64_t)bytes, (uint8_t)value);
}

/* Fills up to a multiple of a power of two: in the text with nop. */
static void align(struct cursor *cursor, bool power)
{
    static const uint32_t nop = 0x13;
    int64_t value;
    if (!read_known(cursor, power ? 16 : 65536, &value))
        return;
    const uint64_t unit = power ? UINT64_C(1) << value : (uint64_t)value;
    if (!unit || unit & (unit - 1)) {
        assembler_problem(cursor, cursor->at, 1, "an alignment is a power of two");
        return;
    }
    struct assembler *assembler = cursor->assembler;
    uint64_t missing = -(uint64_t)address_now(assembler) & (unit - 1);
    if (assembler->section == SECTION_TEXT) {
        part_fill(cursor, missing % 4, 0);
        for (missing /= 4; missing; missing--)
            part_put(cursor, nop, 4);
    }
    part_fill(cursor, missing, 0);
}

static void set_symbol(struct cursor *cursor)
{
    const char *word;
    const size_t length = cursor_word(cursor, &word);
    int64_t value;
    bool forward;
    if (!length || !cursor_take(cursor, ',')) {
        assembler_problem(cursor, cursor->at, 1, "expected 'name, value'");
        return;
    }
    if (!expression_read(cursor, &value, &forward))
        return;
    if (forward || value < INT32_MIN || value > (int64_t)UINT32_MAX)
        assembler_problem(cursor, word, length,
                          forward ? "its value must be known here" : "a symbol has 32 bits");
    struct symbol *symbol = assembler_symbol(cursor->assembler, word, length, true);
    if (!symbol || symbol->fixed)
        return;
    symbol->value = (uint32_t)value;
    symbol->walk = (uint8_t)cursor->assembler->walk;
    symbol->line = cursor->assembler->line;
}

/* .section .text.NAME and its kin: everything that is no text is data. */
static void set_section(struct cursor *cursor)
{
    const char *word;
    const size_t length = cursor_word(cursor, &word);
    const bool text = length >= 5 && !memcmp(word, ".text", 5);
    cursor->assembler->section = text ? SECTION_TEXT : SECTION_DATA;
    cursor->at = cursor->end;
}

enum directive {
    DIRECTIVE_TEXT,
    DIRECTIVE_DATA,
    DIRECTIVE_SECTION,
    DIRECTIVE_BYTES,
    DIRECTIVE_FLOATS,
    DIRECTIVE_STRINGS,
    DIRECTIVE_SPACE,
    DIRECTIVE_ALIGN,
    DIRECTIVE_SET,
    DIRECTIVE_INSN,
    DIRECTIVE_NOTHING
};
static const struct {
    const char *name;
    uint8_t kind, argument;
} directives[] = {
    {".text", DIRECTIVE_TEXT, 0},         {".data", DIRECTIVE_DATA, 0},
    {".bss", DIRECTIVE_DATA, 0},          {".rodata", DIRECTIVE_DATA, 0},
    {".section", DIRECTIVE_SECTION, 0},   {".byte", DIRECTIVE_BYTES, 1},
    {".half", DIRECTIVE_BYTES, 2},        {".short", DIRECTIVE_BYTES, 2},
    {".2byte", DIRECTIVE_BYTES, 2},       {".word", DIRECTIVE_BYTES, 4},
    {".long", DIRECTIVE_BYTES, 4},        {".4byte", DIRECTIVE_BYTES, 4},
    {".dword", DIRECTIVE_BYTES, 8},       {".quad", DIRECTIVE_BYTES, 8},
    {".8byte", DIRECTIVE_BYTES, 8},       {".float", DIRECTIVE_FLOATS, 0},
    {".ascii", DIRECTIVE_STRINGS, false}, {".asciz", DIRECTIVE_STRINGS, true},
    {".string", DIRECTIVE_STRINGS, true}, {".space", DIRECTIVE_SPACE, 0},
    {".zero", DIRECTIVE_SPACE, 0},        {".skip", DIRECTIVE_SPACE, 0},
    {".align", DIRECTIVE_ALIGN, true},    {".p2align", DIRECTIVE_ALIGN, true},
    {".balign", DIRECTIVE_ALIGN, false},  {".equ", DIRECTIVE_SET, 0},
    {".set", DIRECTIVE_SET, 0},           {".insn", DIRECTIVE_INSN, 0},
    {".globl", DIRECTIVE_NOTHING, 0},     {".global", DIRECTIVE_NOTHING, 0},
    {".local", DIRECTIVE_NOTHING, 0},     {".weak", DIRECTIVE_NOTHING, 0},
    {".type", DIRECTIVE_NOTHING, 0},      {".size", DIRECTIVE_NOTHING, 0},
    {".file", DIRECTIVE_NOTHING, 0},      {".ident", DIRECTIVE_NOTHING, 0},
    {".option", DIRECTIVE_NOTHING, 0},    {".attribute", DIRECTIVE_NOTHING, 0},
    {".addrsig", DIRECTIVE_NOTHING, 0},   {".addrsig_sym", DIRECTIVE_NOTHING, 0},
};
enum { DIRECTIVE_COUNT = sizeof directives / sizeof *directives };

static void assembler_directives_run(struct cursor *cursor, enum directive kind, unsigned argument)
{
    const unsigned before = cursor->assembler->errors;
    switch (kind) {
    case DIRECTIVE_TEXT:
        cursor->assembler->section = SECTION_TEXT;
        break;
    case DIRECTIVE_DATA:
        cursor->assembler->section = SECTION_DATA;
        break;
    case DIRECTIVE_SECTION:
        set_section(cursor);
        break;
    case DIRECTIVE_BYTES:
        put_values(cursor, argument);
        break;
    case DIRECTIVE_FLOATS:
        put_floats(cursor);
        break;
    case DIRECTIVE_STRINGS:
        put_strings(cursor, argument);
        break;
    case DIRECTIVE_SPACE:
        put_space(cursor);
        break;
    case DIRECTIVE_ALIGN:
        align(cursor, argument);
        break;
    case DIRECTIVE_SET:
        set_symbol(cursor);
        break;
    case DIRECTIVE_INSN:
        encode_insn(cursor);
        break;
    case DIRECTIVE_NOTHING:
        cursor->at = cursor->end;
        break;
    }
    cursor_skip(cursor);
    if (cursor->at < cursor->end && before == cursor->assembler->errors && kind != DIRECTIVE_ALIGN)
        assembler_problem(cursor, cursor->at, 1, "expected the end of the line, found '%.*s'",
                          (int)(cursor->end - cursor->at), cursor->at);
}

void directive_run(struct cursor *cursor, const char *word, size_t length)
{
    const char *names[DIRECTIVE_COUNT];
    for (size_t i = 0; i < DIRECTIVE_COUNT; i++) {
        names[i] = directives[i].name;
        if (strlen(names[i]) == length && !memcmp(names[i], word, length)) {
            assembler_directives_run(cursor, directives[i].kind, directives[i].argument);
            return;
        }
    }
    char hint[SUGGESTION_TEXT], name[SUGGESTION_TEXT];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    assembler_problem(cursor, word, length, "no directive '%s'%s", name,
                      suggestion(nearest_name(name, names, DIRECTIVE_COUNT), hint));
}
