/* valgrind --tool=lackey --trace-mem=yes: "I  ADDRESS,SIZE" is an instruction, " L" a load, " S" a
 * store, " M" a modify (a load and a store). Instructions give the loads and stores after them
 * their pc and gap. Lines of valgrind itself ("==pid==") and of the program are skipped. */
#include <string.h>

#include "base/text_ends.h"
#include "trace/address_list.h"
#include "trace/importers.h"

struct lackey {
    uint64_t pc;
    uint32_t gap;
    bool fresh; /* no record has counted the instruction at pc yet */
};

/* What a line is an access of, and where its address begins: 'I', 'L', 'S' or 'M'; 0: of nothing.
 * Scripts that cut traces drop the blank before L, S and M. */
static char access_kind(const char *line, const char **address)
{
    line += strspn(line, " ");
    *address = line + 1;
    return *line && strchr("ILSM", *line) && line[1] == ' ' ? *line : 0;
}

static bool scan_access(const char **at, uint64_t *address, uint64_t *bytes)
{
    return scan_hex(at, address) && **at == ',' && ((*at)++, scan_decimal(at, bytes));
}

static enum head_line lackey_judge(const char *line)
{
    const char *at;
    uint64_t address, bytes;
    if (!strncmp(line, "==", 2) || !strncmp(line, "--", 2)) /* valgrind's own */
        return HEAD_NEUTRAL;
    /* Course labs write results after the size. */
    return access_kind(line, &at) && scan_access(&at, &address, &bytes) ? HEAD_MINE : HEAD_OTHER;
}

/* The program that was traced may print anything in between. */
static bool lackey_content(const struct trace_head *head)
{
    const struct head_lines lines = head_judge(head, lackey_judge);
    return lines.mine >= 4 || (lines.mine && !lines.other);
}

static bool lackey_named(const char *file)
{
    return text_ends(file, ".lackey");
}

static enum status lackey_put(struct address_list *list, struct lackey *lackey, uint64_t address,
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

static enum status lackey_parse(struct text_reader *reader, struct address_list *list,
                                void *context)
{
    struct lackey *lackey = context;
    const char *at;
    const char kind = access_kind(reader->line, &at);
    if (!kind)
        return STATUS_OK;
    uint64_t address, bytes;
    const char *begin = at;
    if (!scan_access(&at, &address, &bytes))
        return address_list_expected(reader, begin + strspn(begin, " "), "ADDRESS,SIZE");
    if (kind == 'I') {
        lackey->gap += lackey->fresh && lackey->gap < UINT32_MAX;
        lackey->pc = address;
        lackey->fresh = true;
        return STATUS_OK;
    }
    if (kind != 'M')
        return lackey_put(list, lackey, address, bytes, kind == 'S' ? OP_STORE : OP_LOAD);
    enum status status = lackey_put(list, lackey, address, bytes, OP_LOAD);
    return status ? status : lackey_put(list, lackey, address, bytes, OP_STORE);
}

static enum status lackey_finish(struct address_list *list, void *context, uint32_t *tail)
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
    static const struct address_parser parser = {"lackey", lackey_parse, lackey_finish};
    return address_list_read(path, &parser, &lackey, writer, diagnostics);
}

const struct importer importer_lackey = {
    .name = "lackey",
    .help = "valgrind --tool=lackey --trace-mem=yes",
    .content = lackey_content,
    .named = lackey_named,
    .import = import_lackey,
};
