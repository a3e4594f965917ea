/* Writes a .wtr file record by record, with memory for one chunk. */
#pragma once

#include "trace/stream.h"

struct wtr_writer;

/* Begins a file in `fd` (empty, seekable; stays the caller's). `path` is for diagnostics. */
enum status wtr_writer_create(int fd, const char *path, struct wtr_writer **writer,
                              struct diagnostics *diagnostics);
void wtr_writer_free(struct wtr_writer *writer);

/* The calls nest: launches > blocks > warps > records. Blocks may come in any order, each once;
 * the warps of a block come in ascending order. The first failure is kept and returned by
 * everything that follows, so a caller may check wtr_finish alone. */
enum status wtr_begin_launch(struct wtr_writer *writer, const struct trace_launch *launch);
enum status wtr_begin_block(struct wtr_writer *writer, uint64_t block);
enum status wtr_begin_warp(struct wtr_writer *writer, uint32_t warp);

/* One record: the addresses of the active lanes in lane order, or NULL where `access` is affine. */
enum status wtr_put(struct wtr_writer *writer, const struct warp_access *access,
                    const uint64_t *lanes);
/* Whether any was put into the file. */
bool wtr_has_records(const struct wtr_writer *writer);
enum status wtr_end_warp(struct wtr_writer *writer, uint32_t tail);
enum status wtr_end_block(struct wtr_writer *writer);

/* Forgets the open block, for one that turned out to be cut short. */
enum status wtr_drop_block(struct wtr_writer *writer);

/* Writes the rest; the file is complete when this returns STATUS_OK. */
enum status wtr_finish(struct wtr_writer *writer);
