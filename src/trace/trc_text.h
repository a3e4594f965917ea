/* The text of a .trc trace (see import_trc.c), read number by number: it is large, and its lines
 * mean nothing. */
#pragma once

#include "trace/text.h"

enum { TRC_THREADS = 32768, TRC_BLOCK_THREADS = 1536, TRC_BYTES_MAX = 32 };

struct trc_access {
    uint64_t address;
    uint32_t thread, bytes;
    bool store;
};

struct trc_text {
    struct text_reader reader;
    char *buffer;         /* behind `end` stand zeros */
    char *at, *end;       /* what was not read yet */
    char *record;         /* the begin of the last access */
    char *line;           /* the begin of its line; before the buffer's: not there any more */
    uint64_t dropped;     /* bytes of the line that are gone */
    unsigned line_number; /* from 1 */
    bool exhausted;
    uint32_t block[3];
    enum status status; /* STATUS_INVALID once something was wrong */
};

/* Opens a trace and reads its block size. */
enum status trc_open(const char *path, struct trc_text *text, struct diagnostics *diagnostics);
void trc_close(struct trc_text *text);

/* The next access; false at the end. What is wrong is reported and passed over, and remembered in
 * text->status. */
bool trc_next(struct trc_text *text, struct trc_access *access);

/* Reports a problem of the access read last. */
void trc_problem(struct trc_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
