/* The digest of a stream (docs/FORMATS.md), for every kind of file that has one. It is a sum of
 * one hash per warp, so it does not depend on the order of blocks in the file or on where chunks
 * end. */
#pragma once

#include <stddef.h>
#ifdef WARPSCAPE_XXHASH_DISPATCH
#include <xxh_x86dispatch.h> /* the same functions with the widest vectors there are */
#else
#include <xxhash.h>
#endif

#include "base/rng.h"
#include "trace/wtr_columns.h"

enum { WTR_DIGEST_BYTES = 16 };

/* What a warp contributes: its place, the XXH3-128 of its records as they are in memory, and the
 * XXH3-128 of its listed addresses. */
struct wtr_warp_digest {
    uint64_t launch, block, warp, records, tail;
    XXH128_hash_t record_hash, lane_hash;
};

uint128 wtr_digest_warp(const struct wtr_warp_digest *warp);

/* The instructions of a warp: the XXH3-128 of its runs, each after the accesses to shared memory in
 * it, which are runs of no code. */
struct wtr_issues_digest {
    XXH3_state_t *hash;
    struct wtr_run run; /* the last one, which may get longer; it does not end with its chunk */
    uint64_t issued;
};

void wtr_digest_begin(struct wtr_issues_digest *digest);
/* Adds the instructions of the last span of a chunk, to which none will be added. */
void wtr_digest_span(struct wtr_issues_digest *digest, const struct wtr_chunk *chunk);
/* Closes the last run. */
XXH128_hash_t wtr_digest_end(struct wtr_issues_digest *digest);

/* The digest of a stream from its launches, in the form of the index of a .wtr file, and the `sum`
 * of wtr_digest_warp over all warps. */
void wtr_digest_stream(const uint8_t *launches, size_t bytes, uint128 sum,
                       uint8_t digest[WTR_DIGEST_BYTES]);
