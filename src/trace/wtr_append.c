#include "trace/wtr_append.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"

struct wtr_extent wtr_extent_of(const struct wtr_chunk *chunk)
{
    return (struct wtr_extent){chunk->count,     chunk->lane_count, chunk->span_count,
                               chunk->run_count, chunk->bank_count, chunk->issued};
}

void wtr_cut(struct wtr_chunk *chunk, struct wtr_extent extent)
{
    chunk->count = extent.records;
    chunk->lane_count = extent.lanes;
    chunk->span_count = extent.spans;
    chunk->run_count = extent.runs;
    chunk->bank_count = extent.banks;
    chunk->issued = extent.issued;
}

void wtr_remove_before(struct wtr_chunk *chunk, struct wtr_extent begin, bool known)
{
    struct wtr_extent left = wtr_extent_of(chunk);
    left.records -= begin.records;
    left.lanes -= begin.lanes;
    left.spans -= begin.spans;
    left.runs -= begin.runs;
    left.banks -= begin.banks;
    left.issued -= begin.issued;
    memmove(chunk->items, chunk->items + begin.records, left.records * sizeof *chunk->items);
    memmove(chunk->lanes, chunk->lanes + begin.lanes, left.lanes * sizeof *chunk->lanes);
    memmove(chunk->spans, chunk->spans + begin.spans, left.spans * sizeof *chunk->spans);
    if (known) {
        memmove(chunk->places, chunk->places + begin.records, left.records * sizeof *chunk->places);
        memmove(chunk->distances, chunk->distances + begin.records,
                left.records * sizeof *chunk->distances);
        memmove(chunk->runs, chunk->runs + begin.runs, left.runs * sizeof *chunk->runs);
        memmove(chunk->banks, chunk->banks + begin.banks, left.banks * sizeof *chunk->banks);
    }
    wtr_cut(chunk, left);
    for (size_t i = 0; i < chunk->span_count; i++) {
        chunk->spans[i].first -= (uint32_t)begin.records;
        chunk->spans[i].lane -= (uint32_t)begin.lanes;
        chunk->spans[i].run -= (uint32_t)begin.runs;
        chunk->spans[i].bank -= (uint32_t)begin.banks;
    }
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t wtr_room(const struct wtr_chunk *chunk)
{
    size_t room =
        smaller(WTR_RECORDS_MAX - chunk->count, (WTR_LANES_MAX - chunk->lane_count) / WARP_SIZE);
    room = smaller(room, WTR_RUNS_MAX - chunk->run_count);
    room = smaller(room, WTR_BANKS_MAX - chunk->bank_count);
    return smaller(room, WTR_INSTRUCTIONS_MAX - chunk->issued);
}

bool wtr_half_empty(const struct wtr_chunk *chunk)
{
    return chunk->count < WTR_RECORDS_MAX / 2 && chunk->lane_count < WTR_LANES_MAX / 2 &&
           chunk->run_count < WTR_RUNS_MAX / 2 && chunk->bank_count < WTR_BANKS_MAX / 2 &&
           chunk->issued < WTR_INSTRUCTIONS_MAX / 2;
}

static void append_lanes(struct wtr_chunk *chunk, uint32_t mask, const uint64_t *lanes)
{
    const unsigned active = bits_count(mask);
    lanes_copy(chunk->lanes + chunk->lane_count, lanes, active);
    chunk->lane_count += active;
}

void wtr_append_record(struct wtr_chunk *chunk, const struct warp_access *access,
                       const uint64_t *lanes)
{
    struct warp_access *put = &chunk->items[chunk->count++];
    *put = *access;
    memset(put->reserved, 0, sizeof put->reserved);
    /* Equal records get one form, so that equal streams have equal digests. */
    if (lanes) {
        access_compress(put, lanes);
    } else if (!(put->mask & (put->mask - 1))) {
        put->base += (uint64_t)((int64_t)put->stride * __builtin_ctz(put->mask));
        put->stride = 0;
    }
    if (put->flags & ACCESS_LISTED) {
        assert(lanes);
        append_lanes(chunk, put->mask, lanes);
    }
}

/* Appends a listed record without its lanes. */
static void append_item(struct wtr_chunk *chunk, const struct warp_access *access)
{
    struct warp_access *put = &chunk->items[chunk->count++];
    *put = *access;
    memset(put->reserved, 0, sizeof put->reserved);
    put->flags = (uint8_t)(put->flags | ACCESS_LISTED);
    put->base = 0;
    put->stride = 0;
}

void wtr_append_listed(struct wtr_chunk *chunk, const struct warp_access *access,
                       const uint64_t *lanes)
{
    append_item(chunk, access);
    append_lanes(chunk, access->mask, lanes);
}

void wtr_append_follows(struct wtr_chunk *chunk, const struct warp_access *access, uint64_t first,
                        const uint64_t *offsets, uint32_t distance)
{
    uint64_t *lanes = chunk->lanes + chunk->lane_count;
    const unsigned active = bits_count(access->mask);
    chunk->distances[chunk->count] = distance;
    append_item(chunk, access);
    for (unsigned i = 0; i < active; i++)
        lanes[i] = first + offsets[i];
    chunk->lane_count += active;
}
