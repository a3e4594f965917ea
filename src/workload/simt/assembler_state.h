/* What the parts of the assembler share: one walk over the text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload/simt/assembler.h"

enum { WALK_ADDRESSES = 1, WALK_BYTES };
enum section { SECTION_TEXT, SECTION_DATA, SECTION_COUNT };

struct symbol {
    char *name;
    uint32_t value;
    uint8_t walk; /* the last walk that has come to its definition */
    bool fixed;   /* a define: .equ does not change it */
    unsigned line;
    struct symbol *next; /* of all, for freeing */
};

/* A growing part of the image. */
struct part {
    unsigned char *bytes;
    size_t size, capacity;
    uint32_t base;
};

struct assembler {
    const char *name;
    const char *line_start; /* of the line in the caller's text, for messages */
    unsigned line;
    int walk;
    enum section section;
    struct part parts[SECTION_COUNT];
    uint32_t *lines; /* by word of the text up to the last instruction; 0: a directive made it */
    size_t line_count, line_capacity;
    void *tree; /* of symbols, by name */
    struct symbol *symbols;
    uint32_t locals[10]; /* how often the numeric label was defined in this walk */
    unsigned errors;
    enum status status; /* of memory */
    struct diagnostics *diagnostics;
};

/* What is left of a statement. */
struct cursor {
    struct assembler *assembler;
    const char *at, *end;
    const char *origin; /* NULL: the cursor is in the text itself; else the statement of which a
                         * pseudo-instruction consists, and messages point here */
};

static inline struct part *part_now(struct assembler *assembler)
{
    return &assembler->parts[assembler->section];
}

static inline uint32_t address_now(struct assembler *assembler)
{
    const struct part *part = part_now(assembler);
    return part->base + (uint32_t)part->size;
}

/* Reports a mistake at a place of the statement; only the second walk does. */
void assembler_problem(const struct cursor *cursor, const char *at, size_t span, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));

bool cursor_blank(char character);
bool cursor_name_character(char character); /* of names after their first character */
void cursor_skip(struct cursor *cursor);    /* blanks */
bool cursor_take(struct cursor *cursor, char character);
/* A name, an instruction or a directive; length 0 if there is none. */
size_t cursor_word(struct cursor *cursor, const char **word);

/* Finds a symbol, or makes one that is not defined yet; NULL: no memory. */
struct symbol *assembler_symbol(struct assembler *assembler, const char *name, size_t length,
                                bool create);

/* An expression of numbers and symbols (assembler_expression.c). *forward: it names a symbol that
 * this walk has not come to. False: it was wrong, and reported. */
bool expression_read(struct cursor *cursor, int64_t *value, bool *forward);

/* Appends to the current part; only as many bytes as an image may have. */
void part_put(struct cursor *cursor, uint64_t value, unsigned bytes);
void part_fill(struct cursor *cursor, uint64_t bytes, uint8_t value);

/* Encodes one statement that begins with `word` (assembler_encode.c). */
void encode_statement(struct cursor *cursor, const char *word, size_t length);
void encode_insn(struct cursor *cursor); /* .insn, which is a directive by its name */
/* One directive (assembler_directives.c). */
void directive_run(struct cursor *cursor, const char *word, size_t length);
