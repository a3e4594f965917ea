/* Packs a chunk of a .wtr file: its columns compressed with zstd, after a header with their sizes
 * and a checksum (docs/FORMATS.md). wtr_chunks.c unpacks. */
#pragma once

#include "trace/wtr_columns.h"

/* Packs a chunk into `packed`, replacing its content, with its instructions if they are `known`;
 * `raw` is room for the columns. *stored: bytes after the header. STATUS_MEMORY. */
enum status wtr_pack(const struct wtr_chunk *chunk, bool known, struct wtr_bytes *raw,
                     struct wtr_bytes *packed, size_t *stored);

/* The header alone, of a chunk that stays in memory (trace/wtr_kept.h); without a checksum, so that
 * nobody takes it for a chunk. STATUS_MEMORY. */
enum status wtr_pack_header(const struct wtr_chunk *chunk, struct wtr_bytes *packed);
