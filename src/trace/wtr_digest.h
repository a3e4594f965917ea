/* The digest of a stream (docs/FORMATS.md), for every kind of file that has one. */
#pragma once

#include <stddef.h>
#include <xxhash.h>

#include "base/rng.h"

/* What a warp adds to the digest: where it is, and XXH3-128 of its records, as they are in memory,
 * and of its listed addresses. */
struct wtr_warp_digest {
    uint64_t launch, block, warp, records, tail;
    XXH128_hash_t record_hash, lane_hash;
};

uint128 wtr_digest_warp(const struct wtr_warp_digest *warp);
/* `launches`: as the index of a .wtr file has them; `sum` of all warps. The 16 bytes of it. */
void wtr_digest_stream(const uint8_t *launches, size_t bytes, uint128 sum, uint8_t digest[16]);
