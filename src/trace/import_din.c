/* Dinero III "din": LABEL ADDRESS per line, with label 0 = read, 1 = write, 2 = instruction fetch;
 * the address is hexadecimal. An optional third column holds the bytes in decimal. Without it the
 * access is to the 4 B word that holds the address. */
#include "trace/address_list.h"
#include "trace/importers.h"

static bool recognise(const struct trace_head *head)
{
    return file_ends_with(head->file, ".din");
}

static enum status parse(struct text_reader *reader, struct address_list *list, void *context)
{
    (void)context;
    static const uint8_t ops[] = {OP_LOAD, OP_STORE, OP_FETCH};
    const char *at = reader->line, *expected = "0 (read), 1 (write) or 2 (instruction fetch)";
    uint64_t label;
    struct address_access access = {.bytes = 4};
    if (!scan_up_to(&at, 2, &label))
        goto bad;
    expected = "an address in hexadecimal";
    if (!scan_hex(&at, &access.address))
        goto bad;
    expected = "a number of bytes";
    if (scan_end(&at))
        access.address = word_address(access.address);
    else if (!scan_decimal(&at, &access.bytes))
        goto bad;
    access.op = ops[label];
    access.space = label == 2 ? SPACE_INSTRUCTION : SPACE_GLOBAL;
    return address_list_put(list, &access);
bad:
    text_problem(reader, address_list_severity(reader), at, "expected %s", expected);
    return STATUS_INVALID;
}

static enum status import_din(const char *path, struct wtr_writer *writer,
                              struct diagnostics *diagnostics)
{
    static const struct address_parser parser = {"din", parse, NULL};
    return address_list_read(path, &parser, NULL, writer, diagnostics);
}

const struct importer importer_din = {
    .name = "din",
    .help = "Dinero: 'LABEL ADDRESS' lines, label 0 read, 1 write, 2 fetch",
    .recognise = recognise,
    .import = import_din,
};
