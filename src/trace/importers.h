/* The one list of importers. Each is one file, import_NAME.c, which exports one const descriptor.
 * They are asked in this order whether a file is theirs, so the ones with unmistakable signs come
 * first. */
#pragma once

#include "trace/trace_file.h"

#define IMPORTER_LIST(X)                                                                           \
    X(accelsim)                                                                                    \
    X(mem_trace)                                                                                   \
    X(trc)                                                                                         \
    X(u64)                                                                                         \
    X(lackey)                                                                                      \
    X(csv)                                                                                         \
    X(din)                                                                                         \
    X(addresses)

#define IMPORTER_DECLARATION(name) extern const struct importer importer_##name;
IMPORTER_LIST(IMPORTER_DECLARATION)
#undef IMPORTER_DECLARATION

/* What a line of a head is to an importer. */
enum head_line {
    HEAD_NEUTRAL, /* a blank line, a comment, or it may be of any kind */
    HEAD_MINE,    /* of its format */
    HEAD_OTHER    /* of another */
};

struct head_lines {
    unsigned mine, other;
};

/* Judges the lines of a head that are whole. */
struct head_lines head_judge(const struct trace_head *head,
                             enum head_line (*judge)(const char *line));
