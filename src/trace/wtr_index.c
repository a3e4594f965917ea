#include "trace/wtr_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void wtr_index_free(struct wtr_index *index)
{
    free(index->launches.items);
    free(index->entries);
    free(index->codes);
    free(index->numbers);
}

enum status wtr_put_launch(struct wtr_bytes *bytes, const struct trace_launch *launch)
{
    const char *name = launch->name ? launch->name : "";
    size_t length = strnlen(name, WTR_NAME_MAX);
    const uint32_t fields[] = {launch->grid[0],   launch->grid[1],      launch->grid[2],
                               launch->block[0],  launch->block[1],     launch->block[2],
                               launch->registers, launch->shared_bytes, launch->arch,
                               (uint32_t)length};
    if (array_reserve(&bytes->items, &bytes->capacity, bytes->count + sizeof fields + length))
        return STATUS_MEMORY;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++, bytes->count += 4)
        wtr_put32(bytes->items + bytes->count, fields[i]);
    memcpy(bytes->items + bytes->count, name, length);
    bytes->count += length;
    return STATUS_OK;
}

enum status wtr_index_add_launch(struct wtr_index *index, const struct trace_launch *launch)
{
    const uint32_t count = index->launch_count + 1;
    if (array_reserve(&index->codes, &index->code_capacity, count) ||
        array_reserve(&index->numbers, &index->number_capacity, count) ||
        wtr_put_launch(&index->launches, launch))
        return STATUS_MEMORY;
    index->codes[index->launch_count] = 0;
    index->numbers[index->launch_count] = launch->number;
    index->numbered |= launch->number != 0;
    index->launch_count = count;
    return STATUS_OK;
}

enum status wtr_index_add_chunk(struct wtr_index *index, const struct wtr_entry *entry)
{
    if (array_reserve(&index->entries, &index->entry_capacity, index->entry_count + 1))
        return STATUS_MEMORY;
    index->entries[index->entry_count++] = *entry;
    return STATUS_OK;
}

static int entry_order(const void *left, const void *right)
{
    const struct wtr_entry *a = left, *b = right;
    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    if (a->first_block != b->first_block)
        return a->first_block < b->first_block ? -1 : 1;
    if (a->first_warp != b->first_warp)
        return a->first_warp < b->first_warp ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

enum status wtr_index_order(struct wtr_index *index)
{
    if (index->entry_count)
        qsort(index->entries, index->entry_count, sizeof *index->entries, entry_order);
    for (size_t i = 1; i < index->entry_count; i++)
        if (!wtr_entry_follows(&index->entries[i - 1], &index->entries[i]))
            return STATUS_INVALID;
    return STATUS_OK;
}

static void put_entry(const struct wtr_entry *entry, uint8_t *at)
{
    wtr_put64(at, entry->offset);
    wtr_put64(at + 8, entry->first_block);
    wtr_put64(at + 16, entry->last_block);
    wtr_put32(at + 24, entry->launch);
    wtr_put32(at + 28, entry->first_warp);
    wtr_put32(at + 32, entry->last_warp);
    wtr_put32(at + 36, entry->stored);
    wtr_put32(at + 40, entry->records);
    wtr_put32(at + 44, entry->spans);
    wtr_put32(at + 48, entry->continues);
}

/* Launch count u32, chunk count u32, launches, chunks. */
static enum status put_places(const struct wtr_index *index, struct wtr_bytes *bytes)
{
    const size_t size = 8 + index->launches.count + index->entry_count * WTR_ENTRY_BYTES;
    if (array_reserve(&bytes->items, &bytes->capacity, size))
        return STATUS_MEMORY;
    wtr_put32(bytes->items, index->launch_count);
    wtr_put32(bytes->items + 4, (uint32_t)index->entry_count);
    if (index->launches.count)
        memcpy(bytes->items + 8, index->launches.items, index->launches.count);
    for (size_t i = 0; i < index->entry_count; i++)
        put_entry(&index->entries[i],
                  bytes->items + 8 + index->launches.count + i * WTR_ENTRY_BYTES);
    bytes->count = size;
    return STATUS_OK;
}

/* Appends the codes, the digest and that of the instructions. */
static enum status put_codes(const struct wtr_index *index, const struct wtr_codes *codes,
                             uint128 issues_sum, const uint8_t digest[WTR_DIGEST_BYTES],
                             struct wtr_bytes *bytes)
{
    const size_t begin = bytes->count;
    if (wtr_put_codes(codes, index->codes, index->launch_count, bytes) ||
        array_reserve(&bytes->items, &bytes->capacity, bytes->count + 2 * WTR_DIGEST_BYTES))
        return STATUS_MEMORY;
    /* Equal digests of the instructions mean equal records, too. */
    memcpy(bytes->items + bytes->count, digest, WTR_DIGEST_BYTES);
    wtr_digest_stream(bytes->items + begin, bytes->count + WTR_DIGEST_BYTES - begin, issues_sum,
                      bytes->items + bytes->count);
    bytes->count += WTR_DIGEST_BYTES;
    return STATUS_OK;
}

static enum status put_numbers(const struct wtr_index *index, struct wtr_bytes *bytes)
{
    const size_t size = bytes->count + 4 * (size_t)index->launch_count;
    if (array_reserve(&bytes->items, &bytes->capacity, size))
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < index->launch_count; i++, bytes->count += 4)
        wtr_put32(bytes->items + bytes->count, index->numbers[i]);
    return STATUS_OK;
}

enum status wtr_index_put(const struct wtr_index *index, const struct wtr_codes *codes,
                          const struct wtr_sums *sums, struct wtr_bytes *bytes,
                          uint8_t digest[WTR_DIGEST_BYTES])
{
    if (index->entry_count > UINT32_MAX)
        return STATUS_UNSUPPORTED;
    enum status status = put_places(index, bytes);
    if (status)
        return status;
    wtr_digest_stream(index->launches.items, index->launches.count, sums->records, digest);
    if (codes->count)
        status = put_codes(index, codes, sums->issues, digest, bytes);
    if (!status && index->numbered)
        status = put_numbers(index, bytes);
    return status;
}
