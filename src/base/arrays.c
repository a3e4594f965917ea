#include "base/arrays.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

static void *pointer_to(struct arrays *arrays, uint32_t at)
{
    return (char *)arrays + arrays->items[at].place;
}

void arrays_add(struct arrays *arrays, void *pointer, size_t count, size_t size)
{
    void *items = calloc(count ? count : 1, size);
    memcpy(pointer, &items, sizeof items);
    arrays->failed |= !items;
    assert(arrays->count < ARRAYS_MAX);
    arrays->items[arrays->count++] = (struct owned_array){
        (int32_t)((char *)pointer - (char *)arrays), (count ? count : 1) * size};
}

bool array_copy(void *pointer, size_t bytes)
{
    void *items;
    memcpy(&items, pointer, sizeof items);
    if (!items)
        return true;
    void *copy = malloc(bytes);
    if (copy)
        memcpy(copy, items, bytes);
    memcpy(pointer, &copy, sizeof copy);
    return copy;
}

bool arrays_copy(struct arrays *arrays)
{
    bool all = true;
    for (uint32_t i = 0; i < arrays->count; i++)
        all &= array_copy(pointer_to(arrays, i), arrays->items[i].bytes);
    return all;
}

size_t arrays_bytes(const struct arrays *arrays)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < arrays->count; i++)
        bytes += arrays->items[i].bytes;
    return bytes;
}

void arrays_free(struct arrays *arrays)
{
    for (uint32_t i = 0; i < arrays->count; i++) {
        void *items;
        memcpy(&items, pointer_to(arrays, i), sizeof items);
        free(items);
        memset(pointer_to(arrays, i), 0, sizeof items);
    }
    *arrays = (struct arrays){0};
}

static const void *items_of(const struct arrays *arrays, uint32_t at)
{
    const void *items;
    memcpy(&items, (const char *)arrays + arrays->items[at].place, sizeof items);
    return items;
}

void arrays_mix(const struct arrays *arrays, uint64_t *hash)
{
    for (uint32_t i = 0; i < arrays->count; i++)
        mix_bytes(hash, items_of(arrays, i), arrays->items[i].bytes);
}

void arrays_mix_part(const struct arrays *arrays, const void *from, const void *end, uint64_t *hash)
{
    for (const char *at = from; at < (const char *)end; at += sizeof(uint64_t)) {
        uint32_t i = 0;
        while (i < arrays->count && (const char *)arrays + arrays->items[i].place != at)
            i++;
        if (i < arrays->count)
            mix_bytes(hash, items_of(arrays, i), arrays->items[i].bytes);
        else
            mix_bytes(hash, at, sizeof(uint64_t));
    }
}
