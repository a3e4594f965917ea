#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20, HUGE_LEAST = 2 * HUGE_PAGE };

/* Large arrays stand in huge pages where the kernel has them: filling one takes a fault for 2 MiB
 * instead of 512. What realloc moves would not be aligned to them. */
static void *grow_array(void *items, size_t old, size_t bytes)
{
    void *grown = NULL;
    if (bytes < HUGE_LEAST)
        return realloc(items, bytes);
    if (posix_memalign(&grown, HUGE_PAGE, bytes))
        return NULL;
    (void)madvise(grown, bytes, MADV_HUGEPAGE);
    if (items)
        memcpy(grown, items, old);
    free(items);
    return grown;
}

/* Out of line, so that what finds room pays for none of it. */
static __attribute__((noinline)) enum status array_make_room(void **items, size_t *capacity,
                                                             size_t need, size_t size)
{
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
    void *grown = grow_array(*items, *capacity * size, wanted * size);
    if (!grown)
        return STATUS_MEMORY;
    *items = grown;
    *capacity = wanted;
    return STATUS_OK;
}

enum status array_reserve_bytes(void **items, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity ? STATUS_OK : array_make_room(items, capacity, need, size);
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
