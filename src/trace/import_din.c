/* Dinero's formats of text, one access per line; what follows is ignored, as Dinero does.
 * - "din": LABEL ADDRESS, with label 0 = read, 1 = write, 2 = instruction fetch, 3 = a
 * miscellaneous read. The access is to the 4 B word that holds the address.
 * - extended: LETTER ADDRESS SIZE, with r, w, i or m for the same four.
 * All numbers are hexadecimal. Labels 4 and 5, c and v are orders to a cache and no accesses of a
 * program: they are left out, and counted in a warning. Course labs write r and w without sizes,
 * which are then words. Lines that begin with '#' are comments. */
#include <inttypes.h>
#include <string.h>

#include "base/text_ends.h"
#include "trace/address_list.h"
#include "trace/importers.h"

struct din {
    uint64_t orders;  /* to a cache, left out */
    uint64_t numbers; /* lines of din with one more number, as if it were a size */
};

/* What the first column means: an operation, or OP_COUNT for an order; -1: nothing. */
static int label_op(char label, bool *letter)
{
    static const char digits[] = "012345", letters[] = "rwimcv";
    static const int8_t ops[] = {OP_LOAD, OP_STORE, OP_FETCH, OP_LOAD, OP_COUNT, OP_COUNT};
    const char *digit = label ? strchr(digits, label) : NULL;
    const char *name = label ? strchr(letters, label | 32) : NULL;
    *letter = !digit;
    return digit ? ops[digit - digits] : name ? ops[name - letters] : -1;
}

/* Scans the first column; false: it is no label. */
static bool scan_label(const char **at, int *op, bool *letter)
{
    const char *p = *at, *word;
    size_t length;
    if (!scan_word(&p, &word, &length))
        return false;
    *at = word;
    *op = label_op(*word, letter);
    if (length != 1 || *op < 0)
        return false;
    *at = p;
    return true;
}

/* A number after the address of the first format may be anything: it takes a word, or nothing, for
 * the line to be taken for din by its content. */
static enum head_line din_judge(const char *line)
{
    const char *at = line;
    int op;
    bool letter;
    uint64_t number;
    if (address_line_is_comment(line))
        return HEAD_NEUTRAL;
    if (!scan_label(&at, &op, &letter) || !scan_hex(&at, &number))
        return HEAD_OTHER;
    if (!letter)
        while (scan_hex(&at, &number))
            if (scan_end(&at))
                return HEAD_OTHER;
    return HEAD_MINE;
}

static bool din_content(const struct trace_head *head)
{
    const struct head_lines lines = head_judge(head, din_judge);
    return lines.mine && !lines.other;
}

static bool din_named(const char *file)
{
    return text_ends(file, ".din");
}

/* The number of bytes after an address of the extended format; a word without one. */
static void read_size(const char *at, struct address_access *access)
{
    if (scan_hex(&at, &access->bytes) && access->bytes)
        return;
    access->bytes = 4;
    access->address = word_address(access->address);
}

static enum status din_parse(struct text_reader *reader, struct address_list *list, void *context)
{
    struct din *din = context;
    const char *at = reader->line;
    const char *expected = "0 or r (read), 1 or w (write), 2 or i (instruction fetch)";
    struct address_access access = {.bytes = 4};
    bool letter;
    int op;
    if (address_line_is_comment(at))
        return STATUS_OK;
    if (!scan_label(&at, &op, &letter))
        goto bad;
    if (op == OP_COUNT) {
        din->orders++;
        return STATUS_OK;
    }
    expected = "an address in hexadecimal";
    if (!scan_hex(&at, &access.address))
        goto bad;
    if (letter) {
        read_size(at, &access);
    } else {
        uint64_t number;
        din->numbers += scan_decimal(&at, &number) && scan_end(&at);
        access.address = word_address(access.address);
    }
    access.op = (uint8_t)op;
    access.space = op == OP_FETCH ? SPACE_INSTRUCTION : SPACE_GLOBAL;
    return address_list_put(list, &access);
bad:
    return address_list_expected(reader, at, expected);
}

static enum status import_din(const char *path, struct wtr_writer *writer,
                              struct diagnostics *diagnostics)
{
    static const struct address_parser parser = {"din", din_parse, NULL};
    struct din din = {0};
    const struct place place = {.file = path};
    const enum status status = address_list_read(path, &parser, &din, writer, diagnostics);
    if (din.orders)
        diagnostics_add(diagnostics, SEVERITY_WARNING, &place,
                        "orders to the cache (labels 4, 5, c and v) are left out: %" PRIu64,
                        din.orders);
    if (din.numbers)
        diagnostics_add(diagnostics, SEVERITY_NOTE, &place,
                        "what follows an address is ignored, as Dinero does, also where it is a "
                        "number (lines: %" PRIu64 "); sizes are those of 'r ADDRESS SIZE'",
                        din.numbers);
    return status;
}

const struct importer importer_din = {
    .name = "din",
    .help = "Dinero: 'LABEL ADDRESS', label 0 read, 1 write, 2 fetch; or r, w, i and a size",
    .content = din_content,
    .named = din_named,
    .import = import_din,
};
