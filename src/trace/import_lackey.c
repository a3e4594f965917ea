/* valgrind --tool=lackey --trace-mem=yes: "I  ADDRESS,SIZE" is an instruction, " L" a load, " S" a
 * store, " M" a modify (a load and a store). Instructions give the loads and stores after them
 * their pc and gap. Lines of valgrind itself ("==pid==") and of the program are skipped. */
#include <string.h>

#include "trace/address_list.h"
#include "trace/importers.h"

struct lackey {
    uint64_t pc;
    uint32_t gap;
    bool fresh; /* no record has counted the instruction at pc yet */
};

static bool is_access(const char *line)
{
    return (line[0] == 'I' && line[1] == ' ') ||
           (line[0] == ' ' && strchr("LSM", line[1]) && line[1] && line[2] == ' ');
}

static bool recognise(const struct trace_head *head)
{
    if (file_ends_with(head->file, ".lackey"))
        return true;
    unsigned found = 0;
    for (const char *line = head->text; line && found < 4; line = strchr(line, '\n')) {
        line += *line == '\n';
        found += is_access(line) && strchr(line, ',') != NULL;
        if (!*line)
            break;
    }
    return found >= 4;
}

static enum status put(struct address_list *list, struct lackey *lackey, uint64_t address,
                       uint64_t bytes, uint8_t op)
{
    /* A gap counts the instructions since the last record, without the one that makes this
     * access. */
    struct address_access access = {.address = address,
                                    .bytes = bytes,
                                    .pc = (uint32_t)lackey->pc,
                                    .gap = lackey->gap,
                                    .op = op,
                                    .space = SPACE_GLOBAL};
    lackey->gap = 0;
    lackey->fresh = false;
    return address_list_put(list, &access);
}

static enum status parse(struct text_reader *reader, struct address_list *list, void *context)
{
    struct lackey *lackey = context;
    const char *at = reader->line;
    if (!is_access(at))
        return STATUS_OK;
    char kind = at[0] == 'I' ? 'I' : at[1];
    uint64_t address, bytes;
    at += 2;
    const char *begin = at;
    if (!scan_hex(&at, &address) || *at != ',' || (at++, !scan_decimal(&at, &bytes))) {
        text_problem(reader, address_list_severity(reader), begin + strspn(begin, " "),
                     "expected ADDRESS,SIZE");
        return STATUS_INVALID;
    }
    if (kind == 'I') {
        lackey->gap += lackey->fresh && lackey->gap < UINT32_MAX;
        lackey->pc = address;
        lackey->fresh = true;
        return STATUS_OK;
    }
    if (kind != 'M')
        return put(list, lackey, address, bytes, kind == 'S' ? OP_STORE : OP_LOAD);
    enum status status = put(list, lackey, address, bytes, OP_LOAD);
    return status ? status : put(list, lackey, address, bytes, OP_STORE);
}

static enum status finish(struct address_list *list, void *context, uint32_t *tail)
{
    (void)list;
    const struct lackey *lackey = context;
    *tail = lackey->gap + (lackey->fresh && lackey->gap < UINT32_MAX);
    return STATUS_OK;
}

static enum status import_lackey(const char *path, struct wtr_writer *writer,
                                 struct diagnostics *diagnostics)
{
    struct lackey lackey = {0};
    static const struct address_parser parser = {"lackey", parse, finish};
    return address_list_read(path, &parser, &lackey, writer, diagnostics);
}

const struct importer importer_lackey = {
    .name = "lackey",
    .help = "valgrind --tool=lackey --trace-mem=yes",
    .recognise = recognise,
    .import = import_lackey,
};
