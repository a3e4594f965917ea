#include "base/memory.h"

#include <stdlib.h>

enum status array_reserve_bytes(void **items, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return STATUS_OK;
    /* Doubling from 16 keeps the number of reallocations logarithmic; both checks below keep the
     * size within size_t. */
    size_t wanted = *capacity ? *capacity : 16;
    while (wanted < need) {
        if (wanted > SIZE_MAX / 2)
            return STATUS_MEMORY;
        wanted *= 2;
    }
    if (wanted > SIZE_MAX / size)
        return STATUS_MEMORY;
    void *grown = realloc(*items, wanted * size);
    if (!grown)
        return STATUS_MEMORY;
    *items = grown;
    *capacity = wanted;
    return STATUS_OK;
}

enum status free_list_grow_bytes(void **items, uint32_t *count, uint32_t *free, size_t size,
                                 size_t link)
{
    size_t capacity = *count;
    if (array_reserve_bytes(items, &capacity, capacity + 1, size))
        return STATUS_MEMORY;
    for (uint32_t i = (uint32_t)capacity; i-- > *count;) {
        *(uint32_t *)(void *)((unsigned char *)*items + i * size + link) = *free;
        *free = i;
    }
    *count = (uint32_t)capacity;
    return STATUS_OK;
}
