/* Raw 64-bit little-endian addresses; each is a load of the 4 B word that holds the address. Plain
 * .u64 files are read directly (u64_file.h); this importer is for compressed ones and for
 * conversion. */
#include <stdlib.h>

#include "base/text_ends.h"
#include "trace/address_list.h"
#include "trace/importers.h"
#include "trace/wtr.h"

enum { BATCH_BYTES = 1 << 16 };

static bool u64_named(const char *file)
{
    return text_ends(file, ".u64");
}

static enum status put_batch(struct address_list *list, const uint8_t *bytes, size_t size)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i + 8 <= size; i += 8) {
        struct address_access access = {.address = word_address(wtr_get64(bytes + i)),
                                        .bytes = 4,
                                        .op = OP_LOAD,
                                        .space = SPACE_GLOBAL};
        status = address_list_put(list, &access);
    }
    return status;
}

static enum status import_u64(const char *path, struct wtr_writer *writer,
                              struct diagnostics *diagnostics)
{
    struct address_list list = {.writer = writer, .name = "u64"};
    struct text_reader reader;
    enum status status = text_open(path, &reader, diagnostics);
    if (status)
        return status;
    uint8_t bytes[BATCH_BYTES];
    size_t left = 0, got;
    uint64_t offset = 0;
    status = address_list_begin(&list);
    while (!status && (got = text_bytes(&reader, bytes + left, sizeof bytes - left))) {
        /* A read can end within an address; its first bytes wait at the start of the buffer. */
        size_t size = left + got;
        status = put_batch(&list, bytes, size);
        left = size % 8;
        offset += size - left;
        memmove(bytes, bytes + size - left, left);
    }
    if (!status && left) {
        struct place place = {.file = path, .offset = offset, .has_offset = true};
        diagnostics_add(diagnostics, SEVERITY_WARNING, &place,
                        "the last address has %zu of 8 bytes and is left out", left);
    }
    text_close(&reader);
    return status ? status : address_list_end(path, &list, 0, diagnostics);
}

const struct importer importer_u64 = {
    .name = "u64",
    .help = "raw little-endian 64-bit addresses (.u64); all loads",
    .named = u64_named,
    .import = import_u64,
};
