/* Writes a .wtr file record by record.
 *
 * Memory: one chunk (up to 65,536 records) with its encoded form, and one index entry per chunk.
 * Equal records are written in one form, so equal streams have equal digests. */
#pragma once

#include "trace/stream.h"

struct wtr_writer;

/* Begins a file in `fd`, which must be empty and seekable and remains the caller's. `path` is for
 * diagnostics. */
enum status wtr_writer_create(int fd, const char *path, struct wtr_writer **writer,
                              struct diagnostics *diagnostics);
void wtr_writer_free(struct wtr_writer *writer);

/* Calls nest: launches > blocks > warps > records. Blocks may come in any order, each once; the
 * warps of a block must come in ascending order. After a failure all further calls return its
 * status, so a caller may check wtr_finish alone. */
enum status wtr_begin_launch(struct wtr_writer *writer, const struct trace_launch *launch);
enum status wtr_begin_block(struct wtr_writer *writer, uint64_t block);
enum status wtr_begin_warp(struct wtr_writer *writer, uint32_t warp);

/* Adds one record. `lanes` are the addresses of the active lanes in lane order, or NULL if `access`
 * is affine. */
enum status wtr_put(struct wtr_writer *writer, const struct warp_access *access,
                    const uint64_t *lanes);
/* Whether any record has been put so far. */
bool wtr_has_records(const struct wtr_writer *writer);
enum status wtr_end_warp(struct wtr_writer *writer, uint32_t tail);
enum status wtr_end_block(struct wtr_writer *writer);

/* Discards the open block, for instance because the trace ended in the middle of it. */
enum status wtr_drop_block(struct wtr_writer *writer);

/* Writes the rest. The file is complete once this returns STATUS_OK. */
enum status wtr_finish(struct wtr_writer *writer);
