/* Reads text traces line by line, plain or compressed (.gz, .xz, .zst, .bz2), and reports where a
 * line is wrong. A byte order mark of UTF-8 is skipped, and UTF-16 is refused by its name. It can
 * also deliver raw bytes, for binary address lists.
 *
 * Memory: a buffer of 2 MiB, twice the longest legal line, and what libarchive needs. A line longer
 * than that is refused, so a hostile file cannot make the buffer grow. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum { TEXT_LINE_MAX = 1 << 20, TEXT_PROBLEMS_MAX = 20 };

/* A source of text other than a file that libarchive can read. */
struct text_source {
    /* Returns the next bytes, which stay valid until the next call. 0 is the end; -1 means that
     * reading failed, and *why says why. */
    ptrdiff_t (*read)(void *argument, const void **bytes, const char **why);
    void (*close)(void *argument);
    void *argument;
};

struct text_reader {
    struct archive *archive;   /* either this, or: */
    struct text_source source; /* if `read` is not NULL, or: */
    int file;                  /* if it is `plain`: neither compressed nor a pipe */
    bool plain;
    const char *bytes; /* bytes from the source that are not in the buffer yet */
    size_t byte_count;
    char *path;
    struct diagnostics *diagnostics;
    char *buffer;
    size_t begin, end; /* the part of the buffer that was not returned yet */
    bool exhausted;    /* there are no more bytes after `end` */
    /* The line that text_line returned last: */
    char *line; /* NUL-terminated, without newline and carriage return */
    size_t length;
    unsigned number;    /* from 1 */
    bool complete;      /* it ended with a newline; only the last line of a file may lack one */
    bool again;         /* text_line stays at it once more */
    unsigned problems;  /* reported so far; those above TEXT_PROBLEMS_MAX are only counted */
    enum status status; /* STATUS_CORRUPT or STATUS_INVALID (a line too long, UTF-16) once
                         * reading has failed; the failure has been reported */
};

/* Opens a file. Failures are reported; the reader must not be used after one. */
enum status text_open(const char *path, struct text_reader *reader,
                      struct diagnostics *diagnostics);

/* Reads from `source`, which the reader closes in the end, also after a failure. `path` is for
 * diagnostics. */
enum status text_open_source(const char *path, const struct text_source *source,
                             struct text_reader *reader, struct diagnostics *diagnostics);

/* Closes the reader and reports how many problems were not shown. */
void text_close(struct text_reader *reader);

/* Moves to the next line; false at the end of the file or after a failure (reader->status). */
bool text_line(struct text_reader *reader);

/* The next text_line finds the current line once more, which is then unchanged. */
static inline void text_again(struct text_reader *reader)
{
    reader->again = true;
}

/* Moves past the next line, of which `length` bytes with the newline lie at buffer + begin. */
static inline void text_skip(struct text_reader *reader, size_t length)
{
    reader->begin += length;
    reader->number++;
}

/* Reads up to `size` raw bytes; returns 0 at the end. Do not mix with text_line. */
size_t text_bytes(struct text_reader *reader, void *bytes, size_t size);

/* Reports a problem with the current line. `at` points to the wrong token in it, or is NULL. */
void text_problem(struct text_reader *reader, enum severity severity, const char *at,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Scanning within a line. Each function skips blanks, reads one token and moves *at past it. If the
 * token is of another kind or too large, it returns false and leaves *at at the token. */
bool scan_decimal(const char **at, uint64_t *value);
bool scan_up_to(const char **at, uint64_t most, uint64_t *value); /* decimal */
bool scan_signed(const char **at, int64_t *value);
bool scan_hex(const char **at, uint64_t *value); /* with or without 0x */
bool scan_word(const char **at, const char **word, size_t *length);
bool scan_end(const char **at);
