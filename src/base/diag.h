/* Diagnostics: what is wrong, where, and what would be right.
 *
 * A function that reads input takes a `struct diagnostics *` and adds every problem that it finds,
 * not only the first; then it returns a status. Callers that do not want the text pass NULL.
 *
 * Invariants: messages are safe to print, because text quoted from files is escaped when it is
 * added; and `errors` counts an error even if there was no memory to keep its text. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

/* A place in a file. `line` and `column` count from 1; 0 means unknown. `span` is the number of
 * characters to underline from `column` on. For binary files use `offset` and line 0. */
struct place {
    const char *file;          /* may be NULL */
    unsigned line, column;     /* characters, not bytes */
    unsigned span;             /* characters */
    const char *source;        /* the text of that line; may be NULL; only the part up to its
                                * newline is used */
    unsigned long long offset; /* bytes; printed when line is 0 and has_offset */
    bool has_offset;
};

struct diagnostic {
    enum severity severity;
    char *file, *source; /* owned copies, not escaped; may be NULL */
    char *message;       /* owned and already escaped; NULL: no memory */
    unsigned line, column, span;
    unsigned long long offset;
    bool has_offset;
};

struct diagnostics {
    struct diagnostic *items;
    size_t count, capacity;
    size_t errors; /* the number of SEVERITY_ERROR */
};

#define DIAGNOSTICS_INIT                                                                           \
    {                                                                                              \
        0                                                                                          \
    }

void diagnostics_free(struct diagnostics *diagnostics);

/* The message of the first item, or what `status` means if there is none. It lasts as long as the
 * diagnostics. */
const char *diagnostics_first(const struct diagnostics *diagnostics, enum status status);

/* Adds one diagnostic; `place` may be NULL. Arguments may hold text of any file: each byte of a
 * control character, of invalid UTF-8 or of a direction mark becomes an escape such as "\x1b". */
void diagnostics_add(struct diagnostics *diagnostics, enum severity severity,
                     const struct place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* diagnostics_add for functions that take a format themselves. A non-NULL `subject` comes first,
 * followed by a colon. Such messages may quote a file at any length, so what follows the subject is
 * cut after QUOTING_MAX bytes. */
enum { QUOTING_MAX = 400 };
void diagnostics_vadd(struct diagnostics *diagnostics, enum severity severity,
                      const struct place *place, const char *subject, const char *format,
                      va_list arguments) __attribute__((format(printf, 5, 0)));

/* diagnostics_add of an error without a place; returns `status`, so that a caller can write
 * `return diagnostics_error(d, STATUS_IO, "...")`. It is a number and no enum status because a
 * caller that knows what it passed may drop it. */
unsigned diagnostics_error(struct diagnostics *diagnostics, enum status status, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));

/* Gives the file and line of `place` to every diagnostic that has no file yet. */
void diagnostics_locate(struct diagnostics *diagnostics, const struct place *place);

/* Appends all of `from` to `to` and empties `from`. They are lost if `to` is NULL or there is no
 * memory. */
void diagnostics_move(struct diagnostics *to, struct diagnostics *from);

/* Sorts those from index `from` on by line and column, so that a file is reported from top to
 * bottom whatever the order of the checks was. */
void diagnostics_sort(struct diagnostics *diagnostics, size_t from);

void diagnostics_print(const struct diagnostics *diagnostics, FILE *out);

/* The most likely meaning of a mistyped `name` among names[0..count), or NULL. First choice is the
 * shortest entry that begins with `name` and is at most twice as long. Otherwise it is the entry
 * with the smallest edit distance (insertions, deletions, substitutions, swaps of neighbours),
 * which may be a third of the length of `name`, or 1 if that is more. Costs count times the product
 * of the lengths. */
const char *nearest_name(const char *name, const char *const *names, size_t count);

/* "; did you mean 'X'?", or "" if `nearest` is NULL. Returns `text`. */
enum { SUGGESTION_TEXT = 96 };
const char *suggestion(const char *nearest, char text[SUGGESTION_TEXT]);
