#include "trace/wtr_kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

static size_t chunk_bytes(const struct wtr_chunk *chunk, bool known)
{
    const size_t records = chunk->count * sizeof *chunk->items +
                           chunk->lane_count * sizeof *chunk->lanes +
                           chunk->span_count * sizeof *chunk->spans;
    const size_t issues = chunk->run_count * sizeof *chunk->runs +
                          chunk->count * sizeof *chunk->places +
                          chunk->bank_count * sizeof *chunk->banks;
    return records + (known ? issues : 0);
}

/* Copies an array; the copy is not NULL even if the array is empty. */
static void *copy_bytes(const void *items, size_t size)
{
    void *copy = malloc(size + 1);
    if (copy && size)
        memcpy(copy, items, size);
    return copy;
}

static inline bool lanes_at(const uint64_t *offsets, const uint64_t *lanes, unsigned count)
{
    uint64_t differs = 0;
    for (unsigned k = 0; k < count; k++)
        differs |= (lanes[k] - lanes[0]) ^ offsets[k];
    return !differs;
}

/* Whether lanes are as far from the first one as `offsets` say. Most warps are full: a loop of a
 * known length is vectors without a rest. */
static bool same_offsets(const uint64_t *offsets, const uint64_t *lanes, unsigned active)
{
    return active == WARP_SIZE ? lanes_at(offsets, lanes, WARP_SIZE)
                               : lanes_at(offsets, lanes, active);
}

/* Makes patterns of listed records. A record shares the offsets of its lanes with the one of its pc
 * before it where they are the same. Loops move whole warps, so nearly all are. */
static void share_offsets(struct wtr_chunk *to, const struct wtr_chunk *from,
                          const uint32_t *distances)
{
    enum { PCS = 256 };
    struct {
        uint32_t at, distance;
        unsigned active; /* 0: none yet */
    } before[PCS] = {0};
    const uint64_t *lanes = from->lanes;
    to->lane_count = 0;
    for (size_t i = 0; i < to->count; i++) {
        const struct warp_access *access = &from->items[i];
        if (!(access->flags & ACCESS_LISTED))
            continue;
        const unsigned active = bits_count(access->mask), pc = (access->pc ^ access->pc >> 8) % PCS;
        const uint32_t distance = distances ? distances[i] : 0;
        const bool known = distance && before[pc].distance == distance;
        if (!known && (before[pc].active != active ||
                       !same_offsets(to->lanes + before[pc].at, lanes, active))) {
            before[pc].at = (uint32_t)to->lane_count;
            before[pc].active = active;
            for (unsigned k = 0; k < active; k++)
                to->lanes[to->lane_count++] = lanes[k] - lanes[0];
        }
        before[pc].distance = distance;
        struct warp_access *pattern = &to->items[i];
        pattern->flags = (uint8_t)(access->flags ^ (ACCESS_LISTED | ACCESS_PATTERN));
        pattern->base = lanes[0];
        pattern->stride = (int32_t)before[pc].at;
        lanes += active;
    }
    to->patterns = true;
}

/* Gives back the memory after the last of `count` offsets. */
static void trim_offsets(struct wtr_chunk *chunk)
{
    uint64_t *trimmed = realloc(chunk->lanes, (chunk->lane_count + 1) * sizeof *trimmed);
    if (trimmed)
        chunk->lanes = trimmed;
}

static bool copy_chunk(struct wtr_chunk *to, const struct wtr_chunk *from, bool known)
{
    *to = (struct wtr_chunk){.count = from->count,
                             .span_count = from->span_count,
                             .items = copy_bytes(from->items, from->count * sizeof *from->items),
                             .lanes = malloc((from->lane_count + 1) * sizeof *to->lanes),
                             .spans =
                                 copy_bytes(from->spans, from->span_count * sizeof *from->spans)};
    bool good = to->items && to->lanes && to->spans;
    if (known) {
        to->run_count = from->run_count;
        to->bank_count = from->bank_count;
        to->issued = from->issued;
        to->runs = copy_bytes(from->runs, from->run_count * sizeof *from->runs);
        to->places = copy_bytes(from->places, from->count * sizeof *from->places);
        to->banks = copy_bytes(from->banks, from->bank_count * sizeof *from->banks);
        good &= to->runs && to->places && to->banks;
    }
    if (!good) {
        wtr_chunk_free(to);
        return false;
    }
    share_offsets(to, from, known ? from->distances : NULL);
    trim_offsets(to);
    return true;
}

bool wtr_keep(struct wtr_kept *kept, const struct wtr_chunk *chunk, bool known, uint64_t offset)
{
    const size_t most = kept->most ? kept->most : WTR_KEPT_BYTES;
    struct wtr_chunk copy;
    if (kept->full || array_reserve(&kept->items, &kept->capacity, kept->count + 1) ||
        !copy_chunk(&copy, chunk, known))
        return false;
    const size_t bytes = chunk_bytes(&copy, known);
    if (bytes > most - kept->bytes) {
        kept->full = true;
        wtr_chunk_free(&copy);
        return false;
    }
    kept->items[kept->count++] = (struct wtr_kept_chunk){offset, copy};
    kept->bytes += bytes;
    return true;
}

void wtr_kept_drop(struct wtr_kept *kept, uint64_t offset)
{
    while (kept->count && kept->items[kept->count - 1].offset >= offset) {
        struct wtr_chunk *chunk = &kept->items[--kept->count].chunk;
        kept->bytes -= chunk_bytes(chunk, chunk->runs != NULL);
        wtr_chunk_free(chunk);
    }
}

struct wtr_chunk *wtr_kept_find(const struct wtr_kept *kept, uint64_t offset)
{
    size_t low = 0, high = kept->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (kept->items[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < kept->count && kept->items[low].offset == offset ? &kept->items[low].chunk : NULL;
}

void wtr_kept_free(struct wtr_kept *kept)
{
    wtr_kept_drop(kept, 0);
    free(kept->items);
    *kept = (struct wtr_kept){0};
}
