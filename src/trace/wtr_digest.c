#include "trace/wtr_digest.h"

#include "trace/wtr.h"

uint128 wtr_digest_warp(const struct wtr_warp_digest *warp)
{
    const uint64_t parts[] = {warp->launch,
                              warp->block,
                              warp->warp,
                              warp->records,
                              warp->tail,
                              warp->record_hash.high64,
                              warp->record_hash.low64,
                              warp->lane_hash.high64,
                              warp->lane_hash.low64};
    XXH128_hash_t hash = XXH3_128bits(parts, sizeof parts);
    return (uint128)hash.high64 << 64 | hash.low64;
}

void wtr_digest_stream(const uint8_t *launches, size_t bytes, uint128 sum,
                       uint8_t digest[WTR_DIGEST_BYTES])
{
    XXH128_hash_t hash = XXH3_128bits(launches, bytes);
    const uint64_t parts[] = {hash.high64, hash.low64, (uint64_t)(sum >> 64), (uint64_t)sum};
    hash = XXH3_128bits(parts, sizeof parts);
    wtr_put64(digest, hash.high64);
    wtr_put64(digest + 8, hash.low64);
}
