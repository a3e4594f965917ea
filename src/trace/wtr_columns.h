/* Encodes the records of one .wtr chunk as columns of bytes, and back (docs/FORMATS.md). zstd
 * compresses the result. Columns put similar numbers next to each other, and deltas from a
 * prediction per pc make most of them small, so zstd finds more to share. */
#pragma once

#include "trace/stream.h"

/* The records of one warp within a chunk. */
struct wtr_span {
    uint64_t block;
    uint32_t warp;
    uint32_t first, count; /* items[first .. first + count) */
    uint32_t lane;         /* the index in `lanes` of its first listed address */
    uint32_t tail;         /* as access_window.tail; 0 if the warp continues */
    bool continues;        /* the warp goes on in the next chunk; only possible for the last span */
    /* If the instructions are known: */
    uint32_t run, bank; /* the indices of its first run and of its first entry in `banks` */
    uint32_t issued;    /* instructions */
};

/* Consecutive instructions of the code, issued one after the other with one mask. */
struct wtr_run {
    uint32_t code, mask, count;
};

/* An access to shared memory: instruction `place` of its span. */
struct wtr_bank {
    uint32_t place;
    uint8_t cycles; /* as warp_instruction.banks */
};

enum {
    WTR_SPANS_MAX = 1 << 16, /* in one chunk */
    WTR_RECORDS_MAX = 1 << 16,
    WTR_LANES_MAX = 1 << 19,
    WTR_RUNS_MAX = 1 << 17,
    WTR_BANKS_MAX = 1 << 16,
    WTR_INSTRUCTIONS_MAX = 1 << 21,
    WTR_RAW_MAX = 1 << 24, /* bytes; enough for the limits above */
};

/* A decoded chunk. Listed records have base 0; their addresses follow each other in `lanes`. */
struct wtr_chunk {
    struct warp_access *items;
    uint64_t *lanes;
    struct wtr_span *spans; /* ascending by block and warp */
    size_t count, lane_count, span_count;
    size_t capacity, lane_capacity, span_capacity;
    bool patterns; /* ACCESS_PATTERN takes the place of ACCESS_LISTED: `lanes` are offsets */
    /* If the instructions are known (trace/wtr_issues.h): */
    struct wtr_run *runs;
    uint32_t *places; /* of each record: which instruction of its span it belongs to */
    /* Of writers, of each record: equal numbers but 0 say that the lanes of listed records are
     * equally far from the first. */
    uint32_t *distances;
    struct wtr_bank *banks;
    size_t run_count, bank_count, issued; /* issued: instructions */
    size_t run_capacity, place_capacity, distance_capacity, bank_capacity;
};

void wtr_chunk_free(struct wtr_chunk *chunk);

struct wtr_bytes {
    uint8_t *items;
    size_t count, capacity;
};

/* Encodes a chunk into `raw`, replacing its content; with its instructions if they are `known`. */
enum status wtr_encode(const struct wtr_chunk *chunk, bool known, struct wtr_bytes *raw);

/* Decodes raw[0..size), which may hold anything, into `chunk`. `code` is that of its launch, or
 * NULL if the instructions are not known. The caller zeroes `chunk` and frees it in any case.
 * STATUS_CORRUPT if the bytes are not a chunk of exactly these counts; *what then says why. After
 * STATUS_OK every record satisfies the invariants of struct warp_access, and the instructions those
 * of trace/instructions.h. */
enum status wtr_decode(const uint8_t *raw, size_t size, uint32_t spans, uint32_t records,
                       uint32_t lanes, const struct trace_code *code, struct wtr_chunk *chunk,
                       const char **what);
