/* Raw address files (.u64): 8 bytes per address, little-endian; each is a load of the 4 B word that
 * holds the address. They are read directly, without an intermediate .wtr, in constant memory. */
#pragma once

#include "trace/stream.h"

enum { U64_ACCESS_BYTES = 4 };

struct u64_file {
    int fd;
    uint64_t count; /* addresses */
    char *path;
};

/* Opens a file. A truncated last address is dropped with a warning. STATUS_INVALID if there is no
 * address. */
enum status u64_open(const char *path, struct u64_file *file, struct diagnostics *diagnostics);
void u64_close(struct u64_file *file);

/* Reads `count` addresses from number `first` on; the file must have that many. Several threads may
 * read at once. */
enum status u64_read(const struct u64_file *file, uint64_t first, uint64_t *addresses, size_t count,
                     struct diagnostics *diagnostics);

/* Whether a file of this name is read directly; compressed ones are not. */
bool u64_is_raw(const char *path);

/* The file as a stream. It has the same records and the same digest as an import of the file would
 * have: one launch of one block of one warp, one active thread per record. Opening reads the file
 * once for the digest. Takes over `file`, also on failure. */
enum status u64_source(struct u64_file *file, const char *name, struct trace_source **source,
                       struct diagnostics *diagnostics);
