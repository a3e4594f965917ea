#include "base/memory.h"

#include <stdint.h>
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
