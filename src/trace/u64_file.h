/* Raw address files (.u64): 8 B an address, little-endian; loads of the 4 B words that they are in.
 * Read as they are, without a .wtr in between: at the speed of the disk, in constant memory. */
#pragma once

#include "trace/stream.h"

enum { U64_ACCESS_BYTES = 4 };

struct u64_file {
    int fd;
    uint64_t count; /* addresses */
    char *path;
};

/* A last address that is cut short is left out, with a warning. STATUS_INVALID: there is none. */
enum status u64_open(const char *path, struct u64_file *file, struct diagnostics *diagnostics);
void u64_close(struct u64_file *file);

/* The next `count` addresses from number `first` on; there must be so many. Any number of threads
 * may read at once. */
enum status u64_read(const struct u64_file *file, uint64_t first, uint64_t *addresses, size_t count,
                     struct diagnostics *diagnostics);

/* True for the names of files that are read so; packed ones are not. */
bool u64_is_raw(const char *path);

/* The file as the stream that its import makes, and with the same digest: one launch of one block
 * of one warp, one active thread a record. Takes over `file`, also on failure. */
enum status u64_source(struct u64_file *file, const char *name, struct trace_source **source,
                       struct diagnostics *diagnostics);
