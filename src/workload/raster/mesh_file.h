/* A mesh's file in memory, plain or unpacked: numbers of either byte order at an offset, or words
 * one after the other; and messages that name the offset, or in text the line. For the formats that
 * are not read line by line (.3ds, .ply, .stl).
 *
 * Invariant: bytes[size] is 0. A file has 256 MiB at most. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

struct mesh_file {
    const char *path;
    char *bytes;
    size_t size, at; /* where the next word is looked for */
    bool text;       /* messages name lines */
    struct diagnostics *diagnostics;
};

/* Reports a failure. `path` has to stay. */
enum status mesh_file_load(const char *path, struct mesh_file *file,
                           struct diagnostics *diagnostics);
void mesh_file_free(struct mesh_file *file);

/* Reports that something else was expected at an offset. Returns STATUS_INVALID. */
enum status mesh_file_expected(const struct mesh_file *file, size_t at, const char *what);

/* A number of 1, 2, 4 or 8 bytes, which have to be there; and one of 4 or 8 bytes in floating
 * point. `big`: its first byte is the highest. */
uint64_t mesh_file_integer(const struct mesh_file *file, size_t at, unsigned bytes, bool big);
double mesh_file_real(const struct mesh_file *file, size_t at, unsigned bytes, bool big);

/* The next word between white space, `length` long, after which file->at stands then. NULL: the end
 * of the file. */
const char *mesh_file_word(struct mesh_file *file, size_t *length);
/* Whether the next word is a finite number. file->at moves past it then. */
bool mesh_file_number(struct mesh_file *file, double *value);
