/* Opens trace files: the .wtr container, and the formats of other programs through importers
 * (docs/FORMATS.md). */
#pragma once

#include "trace/stream.h"

/* Opens any trace file that the program understands. .wtr and .u64 are read directly. Everything
 * else is imported into an unlinked temporary .wtr first, so that there is one reader and memory
 * stays bounded; the import costs one pass over the file. `name` becomes the source's name; NULL
 * takes it from the file. A damaged text trace that
 * is usable up to some point opens with warnings. */
enum status trace_open(const char *path, const char *name, struct trace_source **source,
                       struct diagnostics *diagnostics);

/* What to open of a trace, and how. */
struct trace_part {
    const char *format; /* "wtr" or the name of an importer; NULL: what content and name say */
    struct launch_choice *choice; /* of launches (trace/launch_choice.h); NULL: all */
};

/* The same of a part of a trace. Of a list of kernels the others are not read. */
enum status trace_open_part(const char *path, const char *name, const struct trace_part *part,
                            struct trace_source **source, struct diagnostics *diagnostics);

/* The kind of a trace file, judged by its first bytes and then its name: "wtr" or the name of an
 * importer. NULL for all other files. */
const char *trace_kind(const char *path);

/* Imports a part of `path` into the .wtr file `output`, which is there only when it is complete.
 * `options`: enum output_option. */
enum status trace_import(const char *path, const struct trace_part *part, const char *output,
                         unsigned options, struct diagnostics *diagnostics);

struct wtr_writer;

/* What an importer sees of a file to decide whether it is of its kind. */
struct trace_head {
    const char *file; /* without its folder and without .gz, .xz, .zst, .bz2 */
    const char *text; /* the first bytes, decompressed, without a byte order mark, NUL-terminated */
    size_t size;
    bool whole; /* the file has no more */
};

/* An importer: one trace format of other programs. */
struct importer {
    const char *name; /* "accelsim", "lackey", "din", "u64", "addresses", "csv" */
    const char *help;
    /* Whether the first bytes can be nothing else. NULL: only names tell. */
    bool (*content)(const struct trace_head *head);
    /* Whether files of this name are of its kind, unless their content is another's. */
    bool (*named)(const char *file);
    enum status (*import)(const char *path, struct wtr_writer *writer,
                          struct diagnostics *diagnostics);
};

/* All importers, then NULL. */
extern const struct importer *const trace_importers[];
