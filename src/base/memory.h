/* Growable arrays: `items`, `count`, `capacity`, and one call before each append. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Makes room for at least `need` elements in the array *(*items) of capacity *capacity. On
 * STATUS_MEMORY the array is as it was. Checked against overflow, so `need` may come from a file
 * once it is bounded by what the file can hold. */
#define array_reserve(items, capacity, need)                                                       \
    array_reserve_bytes((void **)(items), (capacity), (need), sizeof **(items))

enum status array_reserve_bytes(void **items, size_t *capacity, size_t need, size_t size);
