/* The .wtr container: what its writer and reader share (docs/FORMATS.md).
 *
 * File: header, chunks, index, trailer; every number is little-endian. A chunk holds the records of
 * consecutive warps of consecutive blocks of one launch, as the columns of wtr_columns.h compressed
 * with zstd. The index lists launches and chunks. The trailer, at the end of the file, locates the
 * index and holds its checksum. So a writer needs one pass, and a reader finds any block with a
 * binary search in the index. */
#pragma once

#include <string.h>

#include "trace/wtr_columns.h"
#include "trace/wtr_kept.h"

#define WTR_HEADER_MAGIC  "\x89WTR\r\n\x1a\n"
#define WTR_TRAILER_MAGIC "WTRINDEX"

enum {
    WTR_VERSION = 1,             /* records only */
    WTR_VERSION_TIMED = 2,       /* the instructions of some launch are known: columns and codes */
    WTR_HEADER_BYTES = 16,       /* magic, version u32, flags u32 */
    WTR_NUMBERED = 1,            /* a flag: the index ends with the numbers of the launches */
    WTR_CHUNK_HEADER_BYTES = 32, /* magic, stored, raw, spans, records, lanes u32; checksum u64 */
    WTR_CHUNK_MAGIC = 0x4b4e4843,
    WTR_TRAILER_BYTES = 64, /* index offset, bytes, checksum u64; digest 16 B; 0 u64; checksum of
                             * the 48 bytes before u64; magic */
    WTR_LAUNCH_BYTES = 40,  /* grid 3, block 3, registers, shared, arch, name bytes u32; name */
    WTR_ENTRY_BYTES = 52,   /* the fields of struct wtr_entry in order, continues as u32 */
    WTR_NAME_MAX = 1 << 16, /* bytes */
    WTR_THREADS_MAX = 4096, /* in a block */
};

/* Limits the blocks of all launches together. A reader may visit every block, even one without
 * records, so a few bytes of a damaged file must not be able to demand 2^64 of them. */
#define WTR_BLOCKS_MAX ((uint64_t)1 << 28)

/* One chunk in the index. Entries are sorted by launch, first block and first warp. An entry begins
 * with the last warp of its predecessor only if that warp continues. */
struct wtr_entry {
    uint64_t offset; /* of the chunk's header */
    uint64_t first_block, last_block;
    uint32_t launch, first_warp, last_warp;
    uint32_t stored; /* bytes after the chunk's header */
    uint32_t records, spans;
    bool continues; /* the last warp continues in the next chunk */
};

/* Whether `next` may come directly after `last` in the index. */
static inline bool wtr_entry_follows(const struct wtr_entry *last, const struct wtr_entry *next)
{
    if (last->continues)
        return next->launch == last->launch && next->first_block == last->last_block &&
               next->first_warp == last->last_warp;
    if (next->launch != last->launch)
        return next->launch > last->launch;
    return next->first_block > last->last_block ||
           (next->first_block == last->last_block && next->first_warp > last->last_warp);
}

static inline void wtr_put32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static inline void wtr_put64(uint8_t *at, uint64_t value)
{
    wtr_put32(at, (uint32_t)value);
    wtr_put32(at + 4, (uint32_t)(value >> 32));
}

static inline uint32_t wtr_get32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t wtr_get64(const uint8_t *at)
{
    return wtr_get32(at) | (uint64_t)wtr_get32(at + 4) << 32;
}

/* Whether the shape of a launch is within the limits above. */
static inline bool wtr_launch_fits(const struct trace_launch *launch)
{
    uint64_t blocks = launch_blocks(launch);
    uint32_t threads = launch_threads(launch);
    return blocks && blocks <= WTR_BLOCKS_MAX && threads && threads <= WTR_THREADS_MAX;
}

/* Opens the .wtr file `fd`. The source owns `fd` from now on; a failure closes it. `path` is for
 * diagnostics; name and provenance are copied. A damaged file is STATUS_CORRUPT,
 * and the message names the byte. */
enum status wtr_open(int fd, const char *path, const char *name, const char *provenance,
                     struct trace_source **source, struct diagnostics *diagnostics);

/* Gives a source that wtr_open has just opened the chunks that the file's writer kept, and empties
 * `kept`. On STATUS_MEMORY the source cannot be read. */
enum status wtr_take_kept(struct trace_source *source, struct wtr_kept *kept);
