/* One hexadecimal address per line, with or without 0x; '#' begins a comment. Alone it is a load.
 * What is done may stand before or after it: "R 0x1000", "0x1000 W", "0x1000,S"; an M is a load and
 * a store. After the pc of an instruction, as Pin's pinatrace has it ("0x401136: R 0x1000 8"), the
 * number after the address is a size; elsewhere it may be anything, and is ignored. Without a size
 * an access is to the 4 B word that holds the address. Where a tool of Pin
 * names the images, sections and routines of the program ("RTN: main"), the line is passed over. */
#include <inttypes.h>
#include <string.h>

#include "base/text_ends.h"
#include "trace/access_words.h"
#include "trace/address_list.h"
#include "trace/importers.h"

struct address_line {
    struct address_access access;
    const char *text; /* of the address */
    bool pc, op;      /* these were given */
    bool modify;
};

struct addresses {
    uint64_t ignored; /* lines on which more follows than an address and an operation */
    uint64_t names;   /* lines that name a part of the program */
};

/* "RTN: main", with one of the words that Pin has for parts of a program. */
static bool names_part(const char *line)
{
    static const char *const words[] = {"IMG:", "SEC:", "RTN:"};
    const char *at = line + strspn(line, " \t");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(at, words[i], strlen(words[i])))
            return true;
    return false;
}

/* "0x401136:" */
static bool scan_pc(const char **at, uint32_t *pc)
{
    char digits[sizeof "0x0123456789abcdef"];
    const char *p = *at, *word;
    uint64_t value;
    size_t length;
    if (!scan_word(&p, &word, &length) || word[length - 1] != ':' || length > sizeof digits)
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)length - 1, word);
    word = digits;
    if (!scan_hex(&word, &value) || *word)
        return false;
    *at = p;
    *pc = (uint32_t)value;
    return true;
}

/* The word of an operation, which a comma may separate from the address. */
static bool scan_op(const char **at, struct address_line *line)
{
    const char *word = *at + strspn(*at, " \t,");
    const size_t length = strcspn(word, " \t,#");
    line->modify = length == 1 && (*word | 32) == 'm';
    line->access.op = OP_LOAD;
    if (!line->modify && !access_op_find(word, length, &line->access.op))
        return false;
    *at = word + length + strspn(word + length, " \t,");
    return true;
}

static bool scan_address(const char **at, struct address_line *line)
{
    line->text = *at + strspn(*at, " \t");
    return scan_hex(at, &line->access.address);
}

/* Reads a line up to what follows its address and operation. Letters such as a and d are operations
 * beside an address, and addresses alone. Returns NULL, or what was expected at *at. */
static const char *read_line(const char **at, struct address_line *line)
{
    *line = (struct address_line){.access.bytes = 4};
    line->pc = scan_pc(at, &line->access.pc);
    const char *after = *at;
    const bool first = scan_op(&after, line);
    const char *rest = after; /* of the line without an operation */
    line->op = first && scan_address(&after, line);
    if (line->op) {
        *at = after;
        return NULL;
    }
    if (!scan_address(at, line)) {
        *at = first ? rest : *at;
        return "an address in hexadecimal";
    }
    line->op = scan_op(at, line);
    *at += strspn(*at, " \t");
    return NULL;
}

/* Whether nothing but a comment follows. */
static bool is_over(const char *at)
{
    return scan_end(&at) || *at == '#';
}

/* Only 0x or a letter beside digits says that an address is hexadecimal. */
static enum head_line addresses_judge(const char *line)
{
    static const char letters[] = "abcdefABCDEFxX";
    const char *at = line;
    struct address_line found;
    if (address_line_is_comment(line) || names_part(line))
        return HEAD_NEUTRAL;
    if (read_line(&at, &found) || (!found.op && !found.pc && !is_over(at)))
        return HEAD_OTHER;
    const size_t length = strspn(found.text, "0123456789abcdefABCDEFxX");
    if (strcspn(found.text, "0123456789") >= length)
        return HEAD_OTHER;
    return strcspn(found.text, letters) < length ? HEAD_MINE : HEAD_NEUTRAL;
}

static bool addresses_content(const struct trace_head *head)
{
    const struct head_lines lines = head_judge(head, addresses_judge);
    return lines.mine && !lines.other;
}

static bool addresses_named(const char *file)
{
    return text_ends(file, ".addr");
}

/* The size after the address of a line of pinatrace, which may be left out. */
static bool scan_size(const char **at, uint64_t *bytes)
{
    const char *p = *at;
    uint64_t number;
    if (!scan_decimal(&p, &number) || !number)
        return false;
    *at = p;
    *bytes = number;
    return true;
}

static enum status addresses_put(struct address_list *list, const struct address_line *line)
{
    struct address_access access = line->access;
    access.space = access.op == OP_FETCH ? SPACE_INSTRUCTION : SPACE_GLOBAL;
    enum status status = address_list_put(list, &access);
    if (status || !line->modify)
        return status;
    access.op = OP_STORE;
    return address_list_put(list, &access);
}

static enum status addresses_parse(struct text_reader *reader, struct address_list *list,
                                   void *context)
{
    struct addresses *addresses = context;
    const char *at = reader->line;
    struct address_line line;
    if (address_line_is_comment(at))
        return STATUS_OK;
    if (names_part(at)) {
        addresses->names++;
        return STATUS_OK;
    }
    const char *expected = read_line(&at, &line);
    if (expected)
        return address_list_expected(reader, at, expected);
    if (!line.pc || !scan_size(&at, &line.access.bytes))
        line.access.address = word_address(line.access.address);
    if (!line.op && !line.pc && !is_over(at))
        return address_list_expected(reader, at, "one address a line");
    addresses->ignored += !line.pc && !is_over(at);
    return addresses_put(list, &line);
}

static enum status import_addresses(const char *path, struct wtr_writer *writer,
                                    struct diagnostics *diagnostics)
{
    static const struct address_parser parser = {"addresses", addresses_parse, NULL};
    struct addresses addresses = {0};
    const enum status status = address_list_read(path, &parser, &addresses, writer, diagnostics);
    if (addresses.ignored)
        diagnostics_add(diagnostics, SEVERITY_NOTE, &(struct place){.file = path},
                        "what follows an address and its operation is ignored, also where it is a "
                        "number (lines: %" PRIu64 "); a CSV with a column 'bytes' gives sizes",
                        addresses.ignored);
    if (addresses.names)
        diagnostics_add(diagnostics, SEVERITY_NOTE, &(struct place){.file = path},
                        "lines that name parts of the program are passed over (lines: %" PRIu64 ")",
                        addresses.names);
    return status;
}

const struct importer importer_addresses = {
    .name = "addresses",
    .help = "one hexadecimal address a line (.addr), alone or with R, W and the like; Pin's "
            "pinatrace",
    .content = addresses_content,
    .named = addresses_named,
    .import = import_addresses,
};
