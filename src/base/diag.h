/* Diagnostics: what was wrong, where, and what would have been right.
 *
 * A function that reads input takes a `struct diagnostics *` and adds every problem that it finds,
 * not the first only; it then returns a status. A NULL diagnostics is allowed and drops the text.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

/* A place in a file. line and column count from 1, 0 = unknown; span is the number of characters
 * to underline from column on. For binary files use `offset` and line 0. */
struct place {
    const char *file;          /* may be NULL */
    unsigned line, column;     /* characters, not bytes */
    unsigned span;             /* characters */
    const char *source;        /* the text of that line, may be NULL, need not end at its newline */
    unsigned long long offset; /* bytes; printed when line is 0 and has_offset */
    bool has_offset;
};

struct diagnostic {
    enum severity severity;
    char *file, *source; /* owned, as they were given; may be NULL */
    char *message;       /* owned; what a terminal must not see is escaped; NULL: no memory */
    unsigned line, column, span;
    unsigned long long offset;
    bool has_offset;
};

struct diagnostics {
    struct diagnostic *items;
    size_t count, capacity;
    size_t errors; /* how many items are SEVERITY_ERROR */
};

#define DIAGNOSTICS_INIT                                                                           \
    {                                                                                              \
        0                                                                                          \
    }

void diagnostics_free(struct diagnostics *diagnostics);

/* Adds one diagnostic; `place` may be NULL. The message may hold text of any file: control
 * characters, bytes that are no UTF-8 and marks of direction become "\x1b", one escape a byte. */
void diagnostics_add(struct diagnostics *diagnostics, enum severity severity,
                     const struct place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for functions of one's own that take a format. `subject`, where not NULL, comes first,
 * with a colon behind it. What such functions say may quote a file at any length: it is cut after
 * QUOTING_MAX bytes. */
enum { QUOTING_MAX = 400 };
void diagnostics_vadd(struct diagnostics *diagnostics, enum severity severity,
                      const struct place *place, const char *subject, const char *format,
                      va_list arguments) __attribute__((format(printf, 5, 0)));

/* diagnostics_add of an error without a place; returns `status`, so that a caller can write
 * `return diagnostics_error(d, STATUS_IO, "...")`. */
enum status diagnostics_error(struct diagnostics *diagnostics, enum status status,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Gives the place to every diagnostic that names no file; of the place, file and line count. */
void diagnostics_locate(struct diagnostics *diagnostics, const struct place *place);

/* Moves every diagnostic of `from` behind those of `to`. */
void diagnostics_move(struct diagnostics *to, struct diagnostics *from);

/* Sorts those from index `from` on by line and column, so that a file is reported from top to
 * bottom whatever the order of the checks was. */
void diagnostics_sort(struct diagnostics *diagnostics, size_t from);

/* One diagnostic as text of one to three lines:
 *     gtx480.yaml:5:3: unknown key 'asoc' in l1d; did you mean 'ways'?
 *         5 |   asoc: 4
 *           |   ^~~~
 * Warnings and notes carry their severity after the place. */
void diagnostic_print(const struct diagnostic *diagnostic, FILE *out);
void diagnostics_print(const struct diagnostics *diagnostics, FILE *out);

/* The entry of names[0..count) that `name` most likely meant, or NULL: the shortest that begins
 * with it and is at most twice as long, else the nearest (edit distance with transpositions, at
 * most a third of its length, at least 1). */
const char *nearest_name(const char *name, const char *const *names, size_t count);

/* "; did you mean 'X'?" for a nearest name, "" for none. Returns `text`. */
enum { SUGGESTION_TEXT = 96 };
const char *suggestion(const char *nearest, char text[SUGGESTION_TEXT]);
