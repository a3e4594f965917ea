/* The columns of one .wtr chunk: records to bytes and back (docs/FORMATS.md). zstd comes after. */
#pragma once

#include "trace/stream.h"

/* The records of one warp within a chunk. */
struct wtr_span {
    uint64_t block;
    uint32_t warp;
    uint32_t first, count; /* items[first .. first + count) */
    uint32_t lane;         /* index in lanes of its first listed address */
    uint32_t tail;         /* as access_window.tail; 0 where the warp continues */
    bool continues;        /* further records are in the next chunk; only the last span */
};

enum {
    WTR_SPANS_MAX = 1 << 16, /* in one chunk */
    WTR_RECORDS_MAX = 1 << 16,
    WTR_LANES_MAX = 1 << 19,
    WTR_RAW_MAX = 1 << 24, /* bytes; what the three above can need */
};

/* Listed records have base 0: their addresses follow each other in `lanes`. */
struct wtr_chunk {
    struct warp_access *items;
    uint64_t *lanes;
    struct wtr_span *spans; /* ascending by block and warp */
    size_t count, lane_count, span_count;
    size_t capacity, lane_capacity, span_capacity;
};

void wtr_chunk_free(struct wtr_chunk *chunk);

struct wtr_bytes {
    uint8_t *items;
    size_t count, capacity;
};

/* Replaces the content of `raw`. */
enum status wtr_encode(const struct wtr_chunk *chunk, struct wtr_bytes *raw);

/* Fills `chunk` (zeroed by the caller, freed by it in any case) from raw[0..size), which may hold
 * anything: STATUS_CORRUPT where it is no chunk of exactly these counts, and *what then says why.
 * Every record that is returned satisfies the invariants of struct warp_access. */
enum status wtr_decode(const uint8_t *raw, size_t size, uint32_t spans, uint32_t records,
                       uint32_t lanes, struct wtr_chunk *chunk, const char **what);
