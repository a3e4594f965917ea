/* Reads text traces line by line, plain or compressed (.gz, .xz, .zst, .bz2), in bounded memory,
 * and says where a line is wrong. Also raw bytes, for binary address lists. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum { TEXT_LINE_MAX = 1 << 20, TEXT_PROBLEMS_MAX = 20 };

/* Where text comes from that is in no file as such. */
struct text_source {
    /* The next bytes, valid until the next call; 0 at the end, -1 where reading failed, and then
     * *why says so. */
    ptrdiff_t (*read)(void *argument, const void **bytes, const char **why);
    void (*close)(void *argument);
    void *argument;
};

struct text_reader {
    struct archive *archive;   /* or: */
    struct text_source source; /* where its `read` is not NULL */
    const char *bytes;         /* that it gave and are not in the buffer yet */
    size_t byte_count;
    char *path;
    struct diagnostics *diagnostics;
    char *buffer;
    size_t begin, end; /* what of the buffer was not returned yet */
    bool exhausted;    /* no more bytes behind `end` */
    /* The line that text_line returned last. */
    char *line; /* ended by NUL, without its newline and carriage return */
    size_t length;
    unsigned number;    /* from 1 */
    bool complete;      /* it had a newline; only the last line of a file may not */
    unsigned problems;  /* reported so far; those over TEXT_PROBLEMS_MAX are counted only */
    enum status status; /* STATUS_IO or STATUS_CORRUPT once reading failed (reported already) */
};

enum status text_open(const char *path, struct text_reader *reader,
                      struct diagnostics *diagnostics);

/* Reads from `source`, which belongs to the reader from now on, also on failure. `path` is for
 * diagnostics. */
enum status text_open_source(const char *path, const struct text_source *source,
                             struct text_reader *reader, struct diagnostics *diagnostics);

/* Closes and says how many problems were left out. */
void text_close(struct text_reader *reader);

/* Moves to the next line; false at the end of the file or after a failure (reader->status). */
bool text_line(struct text_reader *reader);

/* Up to `size` raw bytes; 0 at the end. Not to be mixed with text_line. */
size_t text_bytes(struct text_reader *reader, void *bytes, size_t size);

/* Reports a problem of the current line; `at` points into it at the wrong token, or is NULL. */
void text_problem(struct text_reader *reader, enum severity severity, const char *at,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Scanning within a line. Each skips blanks, reads one token and moves *at behind it; false (and
 * *at at the token) where the token is something else or too large. */
bool scan_decimal(const char **at, uint64_t *value);
bool scan_up_to(const char **at, uint64_t most, uint64_t *value); /* decimal */
bool scan_signed(const char **at, int64_t *value);
bool scan_hex(const char **at, uint64_t *value); /* with or without 0x */
bool scan_word(const char **at, const char **word, size_t *length);
bool scan_end(const char **at);
