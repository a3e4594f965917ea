/* Growable arrays: a struct holds `items`, `count` and `capacity`, and calls array_reserve before
 * each append. The capacity doubles, so an append takes constant time on average. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Makes room for at least `need` elements in *items. STATUS_MEMORY leaves the array as it was; it
 * also covers a size that does not fit size_t. Where `need` comes from a file, first bound it by
 * what the file can hold, or a few bytes can ask for all memory. */
#define array_reserve(items, capacity, need)                                                       \
    array_reserve_bytes((void **)(items), (capacity), (need), sizeof **(items))

enum status array_reserve_bytes(void **items, size_t *capacity, size_t need, size_t size);
