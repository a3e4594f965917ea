#include "workload/simt/assembler.h"

#include <assert.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "workload/simt/assembler_state.h"

enum { PROBLEMS_MAX = 50 };

void assembler_problem(const struct cursor *cursor, const char *at, size_t span, const char *format,
                       ...)
{
    struct assembler *assembler = cursor->assembler;
    if (assembler->walk != WALK_BYTES || assembler->errors++ >= PROBLEMS_MAX)
        return;
    if (cursor->origin) {
        at = cursor->origin;
        span = strcspn(at, " \t\n#;");
    }
    struct place place = {.file = assembler->name,
                          .line = assembler->line,
                          .source = assembler->line_start,
                          .column = (unsigned)(at - assembler->line_start) + 1,
                          .span = span ? (unsigned)span : 1};
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(assembler->diagnostics, SEVERITY_ERROR, &place, NULL, format, arguments);
    va_end(arguments);
}

bool cursor_blank(char character)
{
    return character == ' ' || character == '\t' || character == '\r';
}

static bool name_start(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           character == '_' || character == '.' || character == '$';
}

bool cursor_name_character(char character)
{
    return name_start(character) || (character >= '0' && character <= '9');
}

void cursor_skip(struct cursor *cursor)
{
    while (cursor->at < cursor->end && cursor_blank(*cursor->at))
        cursor->at++;
}

bool cursor_take(struct cursor *cursor, char character)
{
    cursor_skip(cursor);
    if (cursor->at == cursor->end || *cursor->at != character)
        return false;
    cursor->at++;
    return true;
}

size_t cursor_word(struct cursor *cursor, const char **word)
{
    cursor_skip(cursor);
    *word = cursor->at;
    if (cursor->at == cursor->end || !name_start(*cursor->at))
        return 0;
    while (cursor->at < cursor->end && cursor_name_character(*cursor->at))
        cursor->at++;
    return (size_t)(cursor->at - *word);
}

static int compare_symbols(const void *left, const void *right)
{
    return strcmp(((const struct symbol *)left)->name, ((const struct symbol *)right)->name);
}

struct symbol *assembler_symbol(struct assembler *assembler, const char *name, size_t length,
                                bool create)
{
    char *copy = strndup(name, length);
    struct symbol key = {.name = copy},
                  **found = copy ? tfind(&key, &assembler->tree, compare_symbols) : NULL;
    if (found || !create || !copy) {
        free(copy);
        if (!copy)
            assembler->status = STATUS_MEMORY;
        return found ? *found : NULL;
    }
    struct symbol *symbol = calloc(1, sizeof *symbol);
    if (symbol)
        symbol->name = copy;
    if (!symbol || !tsearch(symbol, &assembler->tree, compare_symbols)) {
        free(symbol);
        free(copy);
        assembler->status = STATUS_MEMORY;
        return NULL;
    }
    symbol->next = assembler->symbols;
    assembler->symbols = symbol;
    return symbol;
}

void part_fill(struct cursor *cursor, uint64_t bytes, uint8_t value)
{
    struct assembler *assembler = cursor->assembler;
    struct part *part = part_now(assembler);
    const uint64_t room =
        assembler->section == SECTION_TEXT ? SIMT_DATA_BASE - SIMT_TEXT_BASE : SIMT_IMAGE_MAX / 2;
    if (bytes > room - part->size) {
        assembler_problem(cursor, cursor->at, 1, "%s is larger than %llu bytes",
                          assembler->section == SECTION_TEXT ? "the text" : "the data",
                          (unsigned long long)room);
        bytes = room - part->size;
    }
    if (array_reserve(&part->bytes, &part->capacity, part->size + bytes)) {
        assembler->status = STATUS_MEMORY;
        return;
    }
    if (bytes)
        memset(part->bytes + part->size, value, bytes);
    part->size += bytes;
}

void part_put(struct cursor *cursor, uint64_t value, unsigned bytes)
{
    struct part *part = part_now(cursor->assembler);
    const size_t before = part->size;
    part_fill(cursor, bytes, 0);
    if (part->size - before != bytes)
        return;
    for (unsigned i = 0; i < bytes; i++)
        part->bytes[before + i] = (unsigned char)(value >> (8 * i));
}

/* Defines a label at the current address. */
static void define_label(struct cursor *cursor, const char *name, size_t length)
{
    struct assembler *assembler = cursor->assembler;
    struct symbol *symbol = assembler_symbol(assembler, name, length, true);
    if (!symbol)
        return;
    if (symbol->walk == assembler->walk || symbol->fixed)
        assembler_problem(cursor, name, length, "'%.*s' is defined in line %u already", (int)length,
                          name, symbol->line);
    symbol->walk = (uint8_t)assembler->walk;
    symbol->value = address_now(assembler);
    symbol->line = assembler->line;
}

/* "1:" may be defined often; "1b" and "1f" mean the nearest one before or after. The k-th one has
 * the name "1 k", which no program can write. */
static void define_local(struct cursor *cursor, const char *at)
{
    char name[32];
    uint32_t *count = &cursor->assembler->locals[*at - '0'];
    snprintf(name, sizeof name, "%c %u", *at, ++*count);
    define_label(cursor, name, strlen(name));
}

/* Takes the labels in front of a statement. */
static void take_labels(struct cursor *cursor)
{
    for (;;) {
        const char *word, *start = cursor->at;
        cursor_skip(cursor);
        if (cursor->end - cursor->at >= 2 && *cursor->at >= '0' && *cursor->at <= '9' &&
            cursor->at[1] == ':') {
            define_local(cursor, cursor->at);
            cursor->at += 2;
            continue;
        }
        const size_t length = cursor_word(cursor, &word);
        if (length && cursor_take(cursor, ':')) {
            define_label(cursor, word, length);
            continue;
        }
        cursor->at = start;
        return;
    }
}

static void run_statement(struct assembler *assembler, const char *from, const char *end)
{
    struct cursor cursor = {.assembler = assembler, .at = from, .end = end};
    take_labels(&cursor);
    const char *word;
    const size_t length = cursor_word(&cursor, &word);
    if (length && *word == '.')
        directive_run(&cursor, word, length);
    else if (length)
        encode_statement(&cursor, word, length);
    else if (cursor.at < cursor.end)
        assembler_problem(&cursor, cursor.at, 1,
                          "expected a label, an instruction or a directive, found '%.*s'",
                          (int)(end - cursor.at), cursor.at);
}

/* The end of a statement: a newline, ";", or a comment after "#" or two slashes. Strings keep
 * theirs. */
static const char *statement_end(const char *at)
{
    char quote = 0;
    for (; *at && *at != '\n'; at++) {
        if (quote && *at == '\\' && at[1] && at[1] != '\n')
            at++;
        else if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == ';' || *at == '#' || (*at == '/' && at[1] == '/'))
            break;
    }
    return at;
}

static void walk_text(struct assembler *assembler, const char *text, int walk)
{
    assembler->walk = walk;
    assembler->line = 0;
    assembler->section = SECTION_TEXT;
    assembler->line_count = 0;
    memset(assembler->locals, 0, sizeof assembler->locals);
    for (unsigned i = 0; i < SECTION_COUNT; i++)
        assembler->parts[i].size = 0;
    for (const char *line = text; *line && !assembler->status;) {
        assembler->line++;
        assembler->line_start = line;
        const char *end = statement_end(line);
        run_statement(assembler, line, end);
        while (*end == ';') {
            const char *next = end + 1;
            end = statement_end(next);
            run_statement(assembler, next, end);
        }
        line = strchrnul(end, '\n');
        line += *line == '\n';
    }
}

/* Puts both parts into one image. */
static enum status make_image(struct assembler *assembler, struct simt_image *image)
{
    const struct part *text = &assembler->parts[SECTION_TEXT];
    const struct part *data = &assembler->parts[SECTION_DATA];
    image->base = image->text = text->base;
    image->place_shift = 2;
    image->text_size = (uint32_t)text->size;
    image->size = data->size ? data->base - text->base + (uint32_t)data->size : image->text_size;
    image->size = (image->size + 3) & ~UINT32_C(3); /* words begin in it, so they end in it */
    image->bytes = calloc(1, image->size + 1);
    image->lines = calloc(image->text_size / 4 + 1, sizeof *image->lines);
    if (!image->bytes || !image->lines)
        return STATUS_MEMORY;
    if (text->size)
        memcpy(image->bytes, text->bytes, text->size);
    if (data->size)
        memcpy(image->bytes + (data->base - text->base), data->bytes, data->size);
    for (size_t i = 0; i < assembler->line_count && i < text->size / 4; i++)
        image->lines[i] = assembler->lines[i];
    enum status status = STATUS_OK;
    for (const struct symbol *at = assembler->symbols; at && !status; at = at->next)
        if (!strchr(at->name, ' ') && at->walk)
            status = simt_image_add(image, at->name, strlen(at->name), at->value);
    simt_image_finish(image);
    return status;
}

static void set_entry(struct assembler *assembler, struct simt_image *image)
{
    const struct simt_symbol *start = simt_symbol_find(image, "_start");
    if (!start)
        start = simt_symbol_find(image, "main");
    image->entry = start ? start->value : image->text;
    if (!image->text_size) {
        assembler->errors++;
        diagnostics_error(assembler->diagnostics, STATUS_INVALID, "%s has no instructions",
                          assembler->name);
    }
}

static void keep_symbol(void *symbol)
{
    (void)symbol; /* the list frees them */
}

static void assembler_free(struct assembler *assembler)
{
    tdestroy(assembler->tree, keep_symbol);
    for (struct symbol *at = assembler->symbols; at;) {
        struct symbol *next = at->next;
        free(at->name);
        free(at);
        at = next;
    }
    for (unsigned i = 0; i < SECTION_COUNT; i++)
        free(assembler->parts[i].bytes);
    free(assembler->lines);
}

static void add_defines(struct assembler *assembler, const struct simt_defines *defines)
{
    for (size_t i = 0; defines && i < defines->count; i++) {
        const char *name = defines->items[i].name;
        struct symbol *symbol = assembler_symbol(assembler, name, strlen(name), true);
        if (!symbol)
            return;
        symbol->value = (uint32_t)defines->items[i].value;
        symbol->fixed = true;
        symbol->walk = UINT8_MAX;
    }
}

enum status simt_assemble(const char *name, const char *text, const struct simt_defines *defines,
                          struct simt_image *image, struct diagnostics *diagnostics)
{
    struct assembler assembler = {.name = name,
                                  .parts = {{.base = SIMT_TEXT_BASE}, {.base = SIMT_DATA_BASE}},
                                  .diagnostics = diagnostics};
    *image = (struct simt_image){.name = strdup(name), .source = strdup(text)};
    if (!image->name || !image->source)
        assembler.status = STATUS_MEMORY;
    add_defines(&assembler, defines);
    for (int walk = WALK_ADDRESSES; walk <= WALK_BYTES && !assembler.status; walk++)
        walk_text(&assembler, text, walk);
    if (assembler.errors > PROBLEMS_MAX)
        diagnostics_error(diagnostics, STATUS_INVALID, "%s has %u more mistakes", name,
                          assembler.errors - PROBLEMS_MAX);
    enum status status = assembler.status;
    if (!status)
        status = make_image(&assembler, image);
    if (!status && !assembler.errors)
        set_entry(&assembler, image);
    if (!status && assembler.errors)
        status = STATUS_INVALID;
    assembler_free(&assembler);
    if (status)
        simt_image_free(image);
    return status;
}
