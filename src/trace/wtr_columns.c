#include "trace/wtr_columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/wtr.h"

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
    COLUMN_COUNT
};

enum { HEADER_BYTES = COLUMN_COUNT * 4, NUMBER_MAX = 10 };

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
    *chunk = (struct wtr_chunk){0};
}

static inline uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

static inline uint8_t *put_number(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static inline uint8_t *put_signed(uint8_t *at, uint64_t delta)
{
    return put_number(at, zigzag((int64_t)delta));
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
            *at++ = (uint8_t)(access->op | access->space << 2 | access->flags << 5);
            break;
        }
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
            unsigned active = (unsigned)__builtin_popcount(access->mask);
            uint64_t first = *lane;
            for (unsigned k = 0; k < active; k++, lane++)
                if (column == COLUMN_LANES)
                    at = put_signed(at, *lane - (k ? lane[-1] : last->address));
            last->address = first;
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

enum status wtr_encode(const struct wtr_chunk *chunk, struct wtr_bytes *raw)
{
    /* A 32-bit number takes at most 5 B, a 64-bit number 10 B. */
    size_t bound =
        HEADER_BYTES + chunk->span_count * 26 + chunk->count * 37 + chunk->lane_count * NUMBER_MAX;
    if (array_reserve(&raw->items, &raw->capacity, bound))
        return STATUS_MEMORY;
    uint8_t *at = raw->items + HEADER_BYTES;
    for (enum column column = 0; column < COLUMN_COUNT; column++) {
        uint8_t *begin = at;
        if (column == COLUMN_SPANS)
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

/* A position in a column. `bad` stays set once a number was truncated or too long. */
struct cursor {
    const uint8_t *at, *end;
    bool bad;
};

static inline uint64_t get_number(struct cursor *cursor)
{
    /* Most numbers are deltas below 128. */
    if (cursor->at < cursor->end && *cursor->at < 0x80)
        return *cursor->at++;
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && cursor->at < cursor->end; shift += 7) {
        uint8_t byte = *cursor->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    cursor->bad = true;
    return 0;
}

static inline uint32_t get_number32(struct cursor *cursor)
{
    uint64_t value = get_number(cursor);
    cursor->bad |= value > UINT32_MAX;
    return (uint32_t)value;
}

static inline uint64_t get_signed(struct cursor *cursor)
{
    return (uint64_t)unzigzag(get_number(cursor));
}

static inline uint8_t get_byte(struct cursor *cursor)
{
    if (cursor->at < cursor->end)
        return *cursor->at++;
    cursor->bad = true;
    return 0;
}

/* Finds the columns from their lengths at the start, which must add up to exactly the size. */
static bool split_columns(const uint8_t *raw, size_t size, struct cursor columns[COLUMN_COUNT])
{
    if (size < HEADER_BYTES)
        return false;
    size_t offset = HEADER_BYTES;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        uint32_t length = wtr_get32(raw + 4 * i);
        if (length > size - offset)
            return false;
        columns[i] = (struct cursor){raw + offset, raw + offset + length, false};
        offset += length;
    }
    return offset == size;
}

static bool decode_spans(struct cursor *cursor, uint32_t spans, uint32_t records,
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
           access->space < SPACE_COUNT && !(access->flags & ~(ACCESS_LISTED | ACCESS_BYPASS_L1)) &&
           (access->space != SPACE_LOCAL || access->bytes <= 16);
}

static bool decode_lanes(struct cursor *cursor, unsigned active, struct prediction *last,
                         struct wtr_chunk *chunk)
{
    if (active > chunk->lane_capacity - chunk->lane_count)
        return false;
    uint64_t *lanes = chunk->lanes + chunk->lane_count, address = last->address;
    for (unsigned k = 0; k < active; k++)
        lanes[k] = address += get_signed(cursor);
    last->address = lanes[0];
    chunk->lane_count += active;
    return true;
}

static bool decode_records(struct cursor columns[COLUMN_COUNT], struct wtr_chunk *chunk)
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
                .flags = kind >> 5,
            };
            if (!access_valid(access))
                return false;
            struct prediction *last = predict(predictions, pc);
            if (access->flags & ACCESS_LISTED) {
                unsigned active = (unsigned)__builtin_popcount(mask);
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
                       uint32_t lanes, struct wtr_chunk *chunk, const char **what)
{
    struct cursor columns[COLUMN_COUNT];
    *what = "its counts are over the limits of the format";
    if (spans > WTR_SPANS_MAX || records > WTR_RECORDS_MAX || lanes > WTR_LANES_MAX)
        return STATUS_CORRUPT;
    *what = "its columns do not fill it";
    if (!split_columns(raw, size, columns))
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
    return decode_records(columns, chunk) ? STATUS_OK : STATUS_CORRUPT;
}
