/* Trace files: the .wtr container and the importers that write it (docs/FORMATS.md). */
#pragma once

#include "trace/stream.h"

/* Opens any trace file that the program understands: .wtr and .u64 directly; everything else is
 * imported into an unlinked temporary .wtr first, so that there is one reader and memory stays
 * bounded. `name` becomes the source's name; NULL takes the file's. A damaged text trace that is
 * usable up to a point opens with warnings in `diagnostics`. */
enum status trace_open(const char *path, const char *name, struct trace_source **source,
                       struct diagnostics *diagnostics);

/* The kind of trace that a file is, by name and first bytes: "wtr" or an importer's name; NULL for
 * everything else. */
const char *trace_kind(const char *path);

/* Imports `path` into the .wtr file `output` (written beside it and renamed when complete).
 * `format` names an importer, NULL recognises it from name and content. */
enum status trace_import(const char *path, const char *format, const char *output,
                         struct diagnostics *diagnostics);

struct wtr_writer;

/* What an importer can see of a file before it says whether it is of its kind. */
struct trace_head {
    const char *file; /* without folder and without .gz, .xz, .zst, .bz2 */
    const char *text; /* the first bytes, unpacked, ended by NUL */
    size_t size;
};

/* One format of other programs. */
struct importer {
    const char *name; /* "accelsim", "lackey", "din", "u64", "addresses", "csv" */
    const char *help;
    bool (*recognise)(const struct trace_head *head);
    enum status (*import)(const char *path, struct wtr_writer *writer,
                          struct diagnostics *diagnostics);
};

/* All importers, ended by NULL. */
extern const struct importer *const trace_importers[];
