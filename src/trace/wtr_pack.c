#include "trace/wtr_pack.h"

#include <xxhash.h>
#include <zstd.h>

#include "base/memory.h"
#include "trace/wtr.h"

enum { ZSTD_LEVEL = 3 };

static void put_header(const struct wtr_chunk *chunk, size_t stored, size_t raw,
                       uint8_t header[WTR_CHUNK_HEADER_BYTES])
{
    wtr_put32(header, WTR_CHUNK_MAGIC);
    wtr_put32(header + 4, (uint32_t)stored);
    wtr_put32(header + 8, (uint32_t)raw);
    wtr_put32(header + 12, (uint32_t)chunk->span_count);
    wtr_put32(header + 16, (uint32_t)chunk->count);
    wtr_put32(header + 20, (uint32_t)chunk->lane_count);
    wtr_put64(header + 24, 0);
}

enum status wtr_pack(const struct wtr_chunk *chunk, bool known, struct wtr_bytes *raw,
                     struct wtr_bytes *packed, size_t *stored)
{
    if (wtr_encode(chunk, known, raw) ||
        array_reserve(&packed->items, &packed->capacity,
                      WTR_CHUNK_HEADER_BYTES + ZSTD_compressBound(raw->count)))
        return STATUS_MEMORY;
    uint8_t *header = packed->items, *data = header + WTR_CHUNK_HEADER_BYTES;
    *stored = ZSTD_compress(data, packed->capacity - WTR_CHUNK_HEADER_BYTES, raw->items, raw->count,
                            ZSTD_LEVEL);
    if (ZSTD_isError(*stored)) /* the output has room and the level is legal: only memory is left */
        return STATUS_MEMORY;
    put_header(chunk, *stored, raw->count, header);
    wtr_put64(header + 24, XXH64(data, *stored, XXH64(header, 24, 0)));
    return STATUS_OK;
}

enum status wtr_pack_header(const struct wtr_chunk *chunk, struct wtr_bytes *packed)
{
    if (array_reserve(&packed->items, &packed->capacity, WTR_CHUNK_HEADER_BYTES))
        return STATUS_MEMORY;
    put_header(chunk, 0, 0, packed->items);
    return STATUS_OK;
}
