#include "trace/wtr_columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "trace/wtr.h"
#include "trace/wtr_issues.h"
#include "trace/wtr_numbers.h"

/* The columns in file order. Numbers are LEB128; signed ones are zigzag-encoded first. */
enum column {
    COLUMN_SPANS,  /* block delta, warp (delta within a block), count, tail, continues */
    COLUMN_PC,     /* delta from the previous record */
    COLUMN_MASK,   /* exclusive-or with the previous record */
    COLUMN_BASE,   /* affine: delta from the prediction */
    COLUMN_STRIDE, /* affine: delta from the prediction */
    COLUMN_GAP,
    COLUMN_BYTES, /* one byte a record */
    COLUMN_KIND,  /* one byte a record: op | space << 2 | flags << 5 */
    COLUMN_LANES, /* listed: the first as delta from the prediction, the others from lane to lane */
    COLUMN_COUNT, /* those of wtr_issues.h follow if the instructions are known */
    COLUMNS_MOST = COLUMN_COUNT + WTR_ISSUE_COLUMNS
};

/* Predicts that a record continues where the last record of the same pc was. Loops repeat their
 * steps, so the deltas are mostly the same small number again and again. Different pcs may share an
 * entry; that costs compression, not correctness. */
enum { PREDICTIONS = 256 };
struct prediction {
    uint64_t address;
    int32_t stride;
};

static inline struct prediction *predict(struct prediction *predictions, uint32_t pc)
{
    return &predictions[(pc ^ pc >> 4 ^ pc >> 12) % PREDICTIONS];
}

void wtr_chunk_free(struct wtr_chunk *chunk)
{
    free(chunk->items);
    free(chunk->lanes);
    free(chunk->spans);
    free(chunk->runs);
    free(chunk->places);
    free(chunk->distances);
    free(chunk->banks);
    *chunk = (struct wtr_chunk){0};
}

static uint8_t *encode_spans(const struct wtr_chunk *chunk, uint8_t *at)
{
    uint64_t block = 0;
    uint32_t warp = 0;
    for (size_t i = 0; i < chunk->span_count; i++) {
        const struct wtr_span *span = &chunk->spans[i];
        at = put_number(at, span->block - block);
        at = put_number(at, i && span->block == block ? span->warp - warp : span->warp);
        at = put_number(at, span->count);
        at = put_number(at, span->tail);
        *at++ = span->continues;
        block = span->block;
        warp = span->warp;
    }
    return at;
}

/* A file has no patterns; their bit says that an access is single. */
enum { FILE_SINGLE = 1 << 2, FLAGS_SAME = ACCESS_LISTED | ACCESS_BYPASS_L1 };

static uint8_t file_flags(uint8_t flags)
{
    return (uint8_t)((flags & FLAGS_SAME) | (flags & ACCESS_SINGLE ? FILE_SINGLE : 0));
}

static uint8_t memory_flags(uint8_t flags)
{
    return (uint8_t)((flags & FLAGS_SAME) | (flags & FILE_SINGLE ? ACCESS_SINGLE : 0));
}

static uint8_t *encode_column(const struct wtr_chunk *chunk, enum column column, uint8_t *at)
{
    uint32_t pc = 0, mask = 0;
    for (size_t i = 0; i < chunk->count; i++) {
        const struct warp_access *access = &chunk->items[i];
        switch (column) {
        case COLUMN_PC:
            at = put_signed(at, (uint64_t)access->pc - pc);
            pc = access->pc;
            break;
        case COLUMN_MASK:
            at = put_number(at, access->mask ^ mask);
            mask = access->mask;
            break;
        case COLUMN_GAP:
            at = put_number(at, access->gap);
            break;
        case COLUMN_BYTES:
            *at++ = (uint8_t)access->bytes;
            break;
        default:
            *at++ = (uint8_t)(access->op | access->space << 2 | file_flags(access->flags) << 5);
            break;
        }
    }
    return at;
}

/* Encodes the addresses of a record as deltas from lane to lane. */
static uint8_t *encode_lanes(const uint64_t *lanes, unsigned count, uint64_t before, uint8_t *at)
{
    for (unsigned k = 0; k < count; k++) {
        at = put_signed(at, lanes[k] - before);
        before = lanes[k];
    }
    return at;
}

/* Encodes one of the three columns that depend on the predictions. */
static uint8_t *encode_addresses(const struct wtr_chunk *chunk, enum column column, uint8_t *at)
{
    struct prediction predictions[PREDICTIONS] = {0};
    const uint64_t *lane = chunk->lanes;
    for (size_t i = 0; i < chunk->count; i++) {
        const struct warp_access *access = &chunk->items[i];
        struct prediction *last = predict(predictions, access->pc);
        if (access->flags & ACCESS_LISTED) {
            const unsigned active = bits_count(access->mask);
            if (column == COLUMN_LANES)
                at = encode_lanes(lane, active, last->address, at);
            last->address = *lane;
            lane += active;
            continue;
        }
        if (column == COLUMN_BASE)
            at = put_signed(at, access->base - last->address);
        else if (column == COLUMN_STRIDE)
            at = put_signed(at, (uint64_t)((int64_t)access->stride - last->stride));
        *last = (struct prediction){access->base, access->stride};
    }
    return at;
}

static bool column_predicted(enum column column)
{
    return column == COLUMN_BASE || column == COLUMN_STRIDE || column == COLUMN_LANES;
}

enum status wtr_encode(const struct wtr_chunk *chunk, bool known, struct wtr_bytes *raw)
{
    const enum column columns = known ? COLUMNS_MOST : COLUMN_COUNT;
    /* A 32-bit number takes at most 5 B, a 64-bit number 10 B. */
    size_t bound = (size_t)columns * 4 + chunk->span_count * 26 + chunk->count * 37 +
                   chunk->lane_count * WTR_NUMBER_MAX + (known ? wtr_issues_bound(chunk) : 0);
    if (array_reserve(&raw->items, &raw->capacity, bound))
        return STATUS_MEMORY;
    uint8_t *at = raw->items + (size_t)columns * 4;
    for (enum column column = 0; column < columns; column++) {
        uint8_t *begin = at;
        if (column >= COLUMN_COUNT)
            at = wtr_encode_issues(chunk, (int)column - COLUMN_COUNT, at);
        else if (column == COLUMN_SPANS)
            at = encode_spans(chunk, at);
        else if (column_predicted(column))
            at = encode_addresses(chunk, column, at);
        else
            at = encode_column(chunk, column, at);
        wtr_put32(raw->items + 4 * column, (uint32_t)(at - begin));
    }
    raw->count = (size_t)(at - raw->items);
    return STATUS_OK;
}

/* Finds the columns from their lengths at the start, which must add up to exactly the size. */
static bool split_columns(const uint8_t *raw, size_t size, int count, struct wtr_cursor *columns)
{
    size_t offset = (size_t)count * 4;
    if (size < offset)
        return false;
    for (int i = 0; i < count; i++) {
        uint32_t length = wtr_get32(raw + 4 * i);
        if (length > size - offset)
            return false;
        columns[i] = (struct wtr_cursor){raw + offset, raw + offset + length, false};
        offset += length;
    }
    return offset == size;
}

static bool decode_spans(struct wtr_cursor *cursor, uint32_t spans, uint32_t records,
                         struct wtr_chunk *chunk)
{
    uint64_t block = 0, first = 0;
    uint32_t warp = 0;
    for (uint32_t i = 0; i < spans; i++) {
        uint64_t block_step = get_number(cursor);
        uint32_t warp_step = get_number32(cursor);
        bool same = i && !block_step;
        struct wtr_span *span = &chunk->spans[i];
        *span = (struct wtr_span){.block = block + block_step, .first = (uint32_t)first};
        span->warp = same ? warp + warp_step : warp_step;
        span->count = get_number32(cursor);
        span->tail = get_number32(cursor);
        uint8_t continues = get_byte(cursor);
        span->continues = continues;
        first += span->count;
        if (cursor->bad || span->block < block || (same && span->warp <= warp) || first > records ||
            continues > 1 || (continues && (i + 1 < spans || span->tail)))
            return false;
        block = span->block;
        warp = span->warp;
    }
    chunk->span_count = spans;
    return first == records;
}

static bool access_valid(const struct warp_access *access)
{
    return access->mask && access->bytes && access->bytes <= ACCESS_BYTES_MAX &&
           access->space < SPACE_COUNT &&
           !(access->flags & ~(ACCESS_LISTED | ACCESS_BYPASS_L1 | ACCESS_SINGLE)) &&
           (access->space != SPACE_LOCAL || access->bytes <= 16);
}

static bool decode_lanes(struct wtr_cursor *cursor, unsigned active, struct prediction *last,
                         struct wtr_chunk *chunk)
{
    if (active > chunk->lane_capacity - chunk->lane_count)
        return false;
    uint64_t *lanes = chunk->lanes + chunk->lane_count, address = last->address;
    for (unsigned k = 0; k < active;) {
        if (active - k >= 8 && cursor_short(cursor)) {
            for (unsigned end = k + 8; k < end; k++)
                lanes[k] = address += signed_of(*cursor->at++);
            continue;
        }
        lanes[k++] = address += get_signed(cursor);
    }
    last->address = lanes[0];
    chunk->lane_count += active;
    return true;
}

static bool decode_records(struct wtr_cursor columns[COLUMN_COUNT], struct wtr_chunk *chunk)
{
    struct prediction predictions[PREDICTIONS] = {0};
    uint32_t pc = 0, mask = 0;
    for (size_t s = 0; s < chunk->span_count; s++) {
        chunk->spans[s].lane = (uint32_t)chunk->lane_count;
        for (uint32_t i = 0; i < chunk->spans[s].count; i++) {
            struct warp_access *access = &chunk->items[chunk->count++];
            uint8_t kind = get_byte(&columns[COLUMN_KIND]);
            *access = (struct warp_access){
                .pc = pc += (uint32_t)get_signed(&columns[COLUMN_PC]),
                .mask = mask ^= get_number32(&columns[COLUMN_MASK]),
                .gap = get_number32(&columns[COLUMN_GAP]),
                .bytes = get_byte(&columns[COLUMN_BYTES]),
                .op = kind & 3,
                .space = kind >> 2 & 7,
                .flags = memory_flags((uint8_t)(kind >> 5)),
            };
            if (!access_valid(access))
                return false;
            struct prediction *last = predict(predictions, pc);
            if (access->flags & ACCESS_LISTED) {
                unsigned active = bits_count(mask);
                if (!decode_lanes(&columns[COLUMN_LANES], active, last, chunk))
                    return false;
                continue;
            }
            access->base = last->address + get_signed(&columns[COLUMN_BASE]);
            access->stride =
                (int32_t)((uint32_t)last->stride + (uint32_t)get_signed(&columns[COLUMN_STRIDE]));
            *last = (struct prediction){access->base, access->stride};
        }
    }
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (columns[i].bad || columns[i].at != columns[i].end)
            return false;
    return chunk->lane_count == chunk->lane_capacity;
}

enum status wtr_decode(const uint8_t *raw, size_t size, uint32_t spans, uint32_t records,
                       uint32_t lanes, const struct trace_code *code, struct wtr_chunk *chunk,
                       const char **what)
{
    struct wtr_cursor columns[COLUMNS_MOST];
    *what = "its counts are over the limits of the format";
    if (spans > WTR_SPANS_MAX || records > WTR_RECORDS_MAX || lanes > WTR_LANES_MAX)
        return STATUS_CORRUPT;
    *what = "its columns do not fill it";
    if (!split_columns(raw, size, code ? COLUMNS_MOST : COLUMN_COUNT, columns))
        return STATUS_CORRUPT;
    chunk->items = malloc((records + 1) * sizeof *chunk->items);
    chunk->lanes = malloc((lanes + 1) * sizeof *chunk->lanes);
    chunk->spans = malloc((spans + 1) * sizeof *chunk->spans);
    if (!chunk->items || !chunk->lanes || !chunk->spans)
        return STATUS_MEMORY;
    chunk->capacity = records;
    chunk->lane_capacity = lanes;
    chunk->span_capacity = spans;
    *what = "its list of warps is not in order";
    if (!decode_spans(&columns[COLUMN_SPANS], spans, records, chunk))
        return STATUS_CORRUPT;
    *what = "it holds an impossible record";
    if (!decode_records(columns, chunk))
        return STATUS_CORRUPT;
    return code ? wtr_decode_issues(columns + COLUMN_COUNT, code, chunk, what) : STATUS_OK;
}
