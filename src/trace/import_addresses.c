/* One hexadecimal address per line, with or without 0x. Each is a load of the 4 B word that holds
 * the address. '#' begins a comment. */
#include <string.h>

#include "base/text_ends.h"
#include "trace/address_list.h"
#include "trace/importers.h"

/* A line of one number. Only 0x or a letter beside digits says that it is hexadecimal. */
static enum head_line judge(const char *line)
{
    const char *at = line;
    uint64_t address;
    if (at[strspn(at, " \t")] == '#')
        return HEAD_NEUTRAL;
    if (!scan_hex(&at, &address) || !strpbrk(line, "0123456789"))
        return HEAD_OTHER;
    const bool says = strcspn(line, "abcdefABCDEFxX") < (size_t)(at - line);
    if (!scan_end(&at) && *at != '#')
        return HEAD_OTHER;
    return says ? HEAD_MINE : HEAD_NEUTRAL;
}

static bool content(const struct trace_head *head)
{
    const struct head_lines lines = head_judge(head, judge);
    return lines.mine && !lines.other;
}

static bool named(const char *file)
{
    return text_ends(file, ".addr");
}

static enum status addresses_parse(struct text_reader *reader, struct address_list *list,
                                   void *context)
{
    (void)context;
    const char *at = reader->line;
    struct address_access access = {.bytes = 4, .op = OP_LOAD, .space = SPACE_GLOBAL};
    const char *expected = "an address in hexadecimal";
    if (at[strspn(at, " \t")] == '#')
        return STATUS_OK;
    if (!scan_hex(&at, &access.address))
        goto bad;
    expected = "one address a line";
    if (!scan_end(&at) && *at != '#')
        goto bad;
    access.address = word_address(access.address);
    return address_list_put(list, &access);
bad:
    return address_list_expected(reader, at, expected);
}

static enum status import_addresses(const char *path, struct wtr_writer *writer,
                                    struct diagnostics *diagnostics)
{
    static const struct address_parser parser = {"addresses", addresses_parse, NULL};
    return address_list_read(path, &parser, NULL, writer, diagnostics);
}

const struct importer importer_addresses = {
    .name = "addresses",
    .help = "one hexadecimal address a line (.addr); all loads",
    .content = content,
    .named = named,
    .import = import_addresses,
};
