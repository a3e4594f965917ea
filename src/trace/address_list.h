/* What the importers of address lists share. A list of single accesses becomes one launch of one
 * block of one warp, with one active thread per record, so that the accesses keep their order. A
 * list that names its warps makes a launch itself instead (import_csv.c). */
#pragma once

#include "trace/text.h"
#include "trace/wtr_write.h"

struct address_access {
    uint64_t address, bytes;
    uint32_t pc, gap;
    uint8_t op, space;
};

/* If a format gives addresses without sizes, an access is to the 4 B word that holds the address.
 * So one address is always one access, whatever its last bits. */
static inline uint64_t word_address(uint64_t address)
{
    return address & ~(uint64_t)3;
}

/* Whether a line is a comment as a whole. */
static inline bool address_line_is_comment(const char *line)
{
    while (*line == ' ' || *line == '\t')
        line++;
    return *line == '#';
}

struct address_list {
    struct wtr_writer *writer;
    const char *name; /* of the launch */
    bool begun;       /* the launch, its block and its warp have begun */
    uint64_t cut;     /* the number of accesses above ACCESS_BYTES_MAX so far; they are cut to
                       * that size */
};

/* Begins the launch, its block and its warp, unless they have begun. */
enum status address_list_begin(struct address_list *list);
/* Adds one access, after address_list_begin if that has not happened yet. */
enum status address_list_put(struct address_list *list, const struct address_access *access);
/* Ends the warp and its block. STATUS_INVALID if nothing was put: an evaluation of an empty list
 * would answer with zeros. */
enum status address_list_end(const char *path, struct address_list *list, uint32_t tail,
                             struct diagnostics *diagnostics);
/* Reports that the file holds no address. Returns STATUS_INVALID. */
enum status address_list_empty(const char *path, struct diagnostics *diagnostics);

struct address_parser {
    const char *name;
    /* Parses a line that is not blank and puts its accesses. After STATUS_INVALID, which it has
     * reported, reading continues with the next line. */
    enum status (*line)(struct text_reader *reader, struct address_list *list, void *context);
    /* Puts what is left at the end; *tail as in struct access_window. May be NULL. */
    enum status (*finish)(struct address_list *list, void *context, uint32_t *tail);
};

/* Imports a whole text file. A truncated last line is a warning. Accesses that had to be cut get
 * one warning for all of them. */
enum status address_list_read(const char *path, const struct address_parser *parser, void *context,
                              struct wtr_writer *writer, struct diagnostics *diagnostics);

/* SEVERITY_ERROR; but SEVERITY_WARNING for a last line without a newline, which may be
 * truncated. */
enum severity address_list_severity(const struct text_reader *reader);

/* Reports at that severity what was expected at a place of the line. Returns STATUS_INVALID. */
enum status address_list_expected(struct text_reader *reader, const char *at, const char *expected);
