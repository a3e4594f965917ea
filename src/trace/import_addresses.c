/* One hexadecimal address per line, with or without 0x. Each is a load of the 4 B word that holds
 * the address. '#' begins a comment. */
#include <string.h>

#include "trace/address_list.h"
#include "trace/importers.h"

static bool recognise(const struct trace_head *head)
{
    return file_ends_with(head->file, ".addr");
}

static enum status parse(struct text_reader *reader, struct address_list *list, void *context)
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
    text_problem(reader, address_list_severity(reader), at, "expected %s", expected);
    return STATUS_INVALID;
}

static enum status import_addresses(const char *path, struct wtr_writer *writer,
                                    struct diagnostics *diagnostics)
{
    static const struct address_parser parser = {"addresses", parse, NULL};
    return address_list_read(path, &parser, NULL, writer, diagnostics);
}

const struct importer importer_addresses = {
    .name = "addresses",
    .help = "one hexadecimal address a line (.addr); all loads",
    .recognise = recognise,
    .import = import_addresses,
};
