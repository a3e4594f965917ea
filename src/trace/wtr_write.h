/* Writes a .wtr file record by record.
 *
 * Memory: one chunk (up to 65,536 records) with its encoded form, and one index entry per chunk;
 * 52 B for each instruction of a kernel.
 * Equal records are written in one form, so equal streams have equal digests. */
#pragma once

#include "trace/stream.h"
#include "trace/wtr_kept.h"

struct wtr_writer;

/* Begins a file in `fd`, which must be empty and seekable and remains the caller's. `path` is for
 * diagnostics. */
enum status wtr_writer_create(int fd, const char *path, struct wtr_writer **writer,
                              struct diagnostics *diagnostics);
void wtr_writer_free(struct wtr_writer *writer);

/* Keeps decoded chunks in `kept`, which must outlive the writer, as long as there is room, and
 * leaves them out of the file. Nothing has been put yet. Whoever opens the file gives `kept` to
 * wtr_take_kept; other readers find it damaged. */
void wtr_writer_keep(struct wtr_writer *writer, struct wtr_kept *kept);

struct launch_choice;

/* Only these launches are wanted; NULL: all. The choice must outlive the writer. */
void wtr_writer_choose(struct wtr_writer *writer, struct launch_choice *choice);

/* Whether a launch is wanted. An importer of many asks before it begins one, so that the others
 * cost nothing but their headers. The launch gets the number by which it was chosen. */
bool wtr_wants(struct wtr_writer *writer, struct trace_launch *launch);

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

/* Says that the instructions of the launch that has just begun are known. All of them are then put,
 * in program order: wtr_put_instruction those without a record, wtr_put_issued the others with
 * their records, instead of wtr_put. Gaps and tails count the former, as ever. A file without any
 * such launch is the same byte for byte as one of a writer that knows no instructions. */
enum status wtr_begin_code(struct wtr_writer *writer, const struct trace_launch *launch);
/* The row of an instruction in the code of the launch's kernel; a new one is added. */
enum status wtr_code_row(struct wtr_writer *writer, const struct instruction *instruction,
                         uint32_t *row);
enum status wtr_put_instruction(struct wtr_writer *writer, uint32_t row, uint32_t mask,
                                uint8_t banks);
enum status wtr_put_issued(struct wtr_writer *writer, uint32_t row,
                           const struct warp_access *access, const uint64_t *lanes);
/* As wtr_put_issued, for lanes that are known not to be at equal distances. */
enum status wtr_put_listed(struct wtr_writer *writer, uint32_t row,
                           const struct warp_access *access, const uint64_t *lanes);

/* The same, whose lanes are as far from `first` as `offsets` say. Two calls with the same
 * `distance`, which is not 0, between two calls of wtr_begin_launch have equal offsets. */
enum status wtr_put_follows(struct wtr_writer *writer, uint32_t row,
                            const struct warp_access *access, uint64_t first,
                            const uint64_t *offsets, uint32_t distance);

/* The first failure of the writer, which every later call returns. */
enum status wtr_status(const struct wtr_writer *writer);
/* Whether any record has been put so far. */
bool wtr_has_records(const struct wtr_writer *writer);
enum status wtr_end_warp(struct wtr_writer *writer, uint32_t tail);
enum status wtr_end_block(struct wtr_writer *writer);

/* Discards the open block, for instance because the trace ended in the middle of it. */
enum status wtr_drop_block(struct wtr_writer *writer);

/* Writes the rest. The file is complete once this returns STATUS_OK. */
enum status wtr_finish(struct wtr_writer *writer);
