/* Reads the text of a .trc trace (import_trc.c) number by number. These files are large and their
 * line breaks mean nothing, so this scanner reads eight digits at a time instead of going through
 * text_line. Memory: one buffer of 256 KiB, besides that of the text reader. */
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
    char *buffer;         /* zeros follow `end`, so that scanning stops there */
    char *at, *end;       /* the part that was not read yet */
    char *record;         /* the beginning of the last access */
    char *line;           /* the beginning of its line; below `buffer` if that has been dropped */
    uint64_t dropped;     /* bytes of the line that have been dropped */
    unsigned line_number; /* from 1 */
    bool exhausted;
    uint32_t block[3];
    enum status status; /* STATUS_INVALID once a problem was found */
};

/* Opens a trace and reads the size of its blocks. */
enum status trc_open(const char *path, struct trc_text *text, struct diagnostics *diagnostics);
void trc_close(struct trc_text *text);

/* Reads the next access; false at the end. Malformed accesses are reported, skipped and remembered
 * in text->status. */
bool trc_next(struct trc_text *text, struct trc_access *access);

/* Reports a problem with the access that was read last. */
void trc_problem(struct trc_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
