/* Lists of arrays, for streams that do not name their own: a line "NAME ADDRESS BYTES" for each, as
 * in "A 0x7f5c00000000 64KiB", with blanks or commas between; lines that begin with # are
 * comments. */
#pragma once

#include <stddef.h>

#include "base/diag.h"
#include "trace/stream.h"

/* Reads a file. All problems are reported with their lines. *arrays and the names are the caller's
 * (array_file_free). */
enum status array_file_read(const char *path, struct trace_array **arrays, size_t *count,
                            struct diagnostics *diagnostics);
void array_file_free(struct trace_array *arrays, size_t count);

/* Puts arrays in the order of their addresses. STATUS_INVALID: two of them overlap. */
enum status arrays_sort(struct trace_array *arrays, size_t count, struct diagnostics *diagnostics);
