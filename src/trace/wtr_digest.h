/* The digest of a stream (docs/FORMATS.md), for every kind of file that has one. It is a sum of
 * one hash per warp, so it does not depend on the order of blocks in the file or on where chunks
 * end. */
#pragma once

#include <stddef.h>
#include <xxhash.h>

#include "base/rng.h"

enum { WTR_DIGEST_BYTES = 16 };

/* What a warp contributes: its place, the XXH3-128 of its records as they are in memory, and the
 * XXH3-128 of its listed addresses. */
struct wtr_warp_digest {
    uint64_t launch, block, warp, records, tail;
    XXH128_hash_t record_hash, lane_hash;
};

uint128 wtr_digest_warp(const struct wtr_warp_digest *warp);
/* The digest of a stream from its launches, in the form of the index of a .wtr file, and the `sum`
 * of wtr_digest_warp over all warps. */
void wtr_digest_stream(const uint8_t *launches, size_t bytes, uint128 sum,
                       uint8_t digest[WTR_DIGEST_BYTES]);
