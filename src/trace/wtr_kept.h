/* The decoded chunks of a trace that has just been imported, so that reading it decodes nothing
 * that this process encoded. Of a chunk that is kept the file has no more than the header.
 *
 * Invariant: chunks are in the order of their offsets in the file. Cost: one pass over each chunk,
 * and no more than WTR_KEPT_BYTES of memory; what does not fit goes to the file. */
#pragma once

#include "trace/wtr_columns.h"

enum { WTR_KEPT_BYTES = 64 << 20 };

struct wtr_kept_chunk {
    uint64_t offset; /* of its header */
    struct wtr_chunk chunk;
};

struct wtr_kept { /* zero-initialize */
    struct wtr_kept_chunk *items;
    size_t count, capacity;
    size_t bytes, most; /* most: 0 stands for WTR_KEPT_BYTES */
    bool full;          /* there was no room for a chunk: no more are kept */
};

/* Copies a chunk, with its instructions if they are `known`; its listed records become
 * patterns (wtr_chunk.patterns). False if there is no room for it. */
bool wtr_keep(struct wtr_kept *kept, const struct wtr_chunk *chunk, bool known, uint64_t offset);

/* Drops the chunks at `offset` and after it. */
void wtr_kept_drop(struct wtr_kept *kept, uint64_t offset);

/* The chunk at an offset, or NULL. Only whoever takes it over may change it. */
struct wtr_chunk *wtr_kept_find(const struct wtr_kept *kept, uint64_t offset);

void wtr_kept_free(struct wtr_kept *kept);
