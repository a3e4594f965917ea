#include "trace/wtr_digest.h"

#include "trace/wtr.h"
#include "trace/wtr_append.h"

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

void wtr_digest_begin(struct wtr_issues_digest *digest)
{
    XXH3_128bits_reset(digest->hash);
    digest->run = (struct wtr_run){0};
    digest->issued = 0;
}

/* Runs that wait to be hashed together. */
struct waiting {
    struct wtr_run runs[128];
    size_t count;
};

static void hash_waiting(struct wtr_issues_digest *digest, struct waiting *waiting)
{
    XXH3_128bits_update(digest->hash, waiting->runs, waiting->count * sizeof *waiting->runs);
    waiting->count = 0;
}

static void hash_run(struct wtr_issues_digest *digest, struct wtr_run run, struct waiting *waiting)
{
    if (waiting->count == sizeof waiting->runs / sizeof *waiting->runs)
        hash_waiting(digest, waiting);
    waiting->runs[waiting->count++] = run;
}

void wtr_digest_span(struct wtr_issues_digest *digest, const struct wtr_chunk *chunk)
{
    const struct wtr_span *span = &chunk->spans[chunk->span_count - 1];
    const struct wtr_bank *bank = chunk->banks + span->bank;
    const struct wtr_bank *const banks_end = chunk->banks + chunk->bank_count;
    struct waiting waiting = {.count = 0};
    uint32_t end = 0; /* of the instructions of the span, those of the run and before it */
    for (size_t i = span->run; i < chunk->run_count; i++) {
        const struct wtr_run *run = &chunk->runs[i];
        /* The run that is open may go on in the next span. */
        if (i == span->run && wtr_run_followed(&digest->run, run->code, run->mask)) {
            digest->run.count += run->count;
        } else {
            if (digest->run.count)
                hash_run(digest, digest->run, &waiting);
            digest->run = *run;
        }
        end += run->count;
        for (; bank < banks_end && bank->place < end; bank++) /* no run has this code */
            hash_run(
                digest,
                (struct wtr_run){UINT32_MAX, (uint32_t)digest->issued + bank->place, bank->cycles},
                &waiting);
    }
    hash_waiting(digest, &waiting);
    digest->issued += span->issued;
}

XXH128_hash_t wtr_digest_end(struct wtr_issues_digest *digest)
{
    if (digest->run.count)
        XXH3_128bits_update(digest->hash, &digest->run, sizeof digest->run);
    return XXH3_128bits_digest(digest->hash);
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
