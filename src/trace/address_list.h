/* What the importers of address lists share: a stream of single accesses becomes one launch of one
 * block of one warp with one active thread a record, so that their order is kept. A list that names
 * its warps makes its own launch instead (import_csv.c). */
#pragma once

#include "trace/text.h"
#include "trace/wtr_write.h"

struct address_access {
    uint64_t address, bytes;
    uint32_t pc, gap;
    uint8_t op, space;
};

/* Where a format gives an address without a size, the access is to the 4 B word that it is in: one
 * address is one access, whatever its last bits. */
static inline uint64_t word_address(uint64_t address)
{
    return address & ~(uint64_t)3;
}

struct address_list {
    struct wtr_writer *writer;
    const char *name; /* of the launch */
    bool begun;       /* the launch, its block and its warp */
    uint64_t cut;     /* accesses of more than ACCESS_BYTES_MAX so far: they keep that many */
};

/* Begins the launch, its block and its warp, where they have not begun. */
enum status address_list_begin(struct address_list *list);
/* Begins them too. */
enum status address_list_put(struct address_list *list, const struct address_access *access);
/* STATUS_INVALID where nothing was put: an empty list would be answered with zeros. */
enum status address_list_end(const char *path, struct address_list *list, uint32_t tail,
                             struct diagnostics *diagnostics);
/* Says that there is no address in the file. */
enum status address_list_empty(const char *path, struct diagnostics *diagnostics);

struct address_parser {
    const char *name;
    /* Puts the accesses of a line that is not blank. STATUS_INVALID (which it has reported) goes on
     * with the next line. */
    enum status (*line)(struct text_reader *reader, struct address_list *list, void *context);
    /* Puts what is left; *tail as in struct access_window. May be NULL. */
    enum status (*finish)(struct address_list *list, void *context, uint32_t *tail);
};

/* Reads a whole text file. A last line that is cut short is a warning, and so are accesses that are
 * cut: one for all of them. */
enum status address_list_read(const char *path, const struct address_parser *parser, void *context,
                              struct wtr_writer *writer, struct diagnostics *diagnostics);

/* SEVERITY_ERROR, but SEVERITY_WARNING for a last line that may have been cut. */
enum severity address_list_severity(const struct text_reader *reader);
