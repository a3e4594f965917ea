/* Growable arrays: a struct holds `items`, `count` and `capacity`, and calls array_reserve before
 * each append. The capacity doubles, so an append takes constant time on average.
 *
 * Items that come and go keep their places in such an array. The free ones are a list, each with
 * the index of the next one in a uint32_t of its own; free_list_grow makes more of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Makes room for at least `need` elements in *items. STATUS_MEMORY leaves the array as it was; it
 * also covers a size that does not fit size_t. Where `need` comes from a file, first bound it by
 * what the file can hold, or a few bytes can ask for all memory. */
#define array_reserve(items, capacity, need)                                                       \
    array_reserve_bytes((void **)(items), (capacity), (need), sizeof **(items))

enum status array_reserve_bytes(void **items, size_t *capacity, size_t need, size_t size);

/* Makes free items of `type`, whose field `link` is the index of the next free one (UINT32_MAX: the
 * last), where *free says that there is none. *count: all items. */
#define free_list_grow(items, count, free, type, link)                                             \
    free_list_grow_bytes((void **)(items), (count), (free), sizeof(type), offsetof(type, link))

enum status free_list_grow_bytes(void **items, uint32_t *count, uint32_t *free, size_t size,
                                 size_t link);
