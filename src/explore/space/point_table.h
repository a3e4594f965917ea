/* Numbers for distinct 64-bit keys in the order in which they are met: what a search has seen. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct point_table { /* all zero: empty */
    uint64_t *keys;  /* by number */
    size_t count, capacity;
    uint32_t *slots; /* number + 1, 0 = free; a power of two of them */
    size_t slot_count;
};

#define NO_NUMBER SIZE_MAX

void point_table_free(struct point_table *table);

/* The number of a key, or NO_NUMBER. */
size_t point_table_find(const struct point_table *table, uint64_t key);

/* The number of a key, a new one (the old count) where it is met for the first time; *fresh tells.
 * STATUS_MEMORY also beyond 2^32 - 2 keys. */
enum status point_table_add(struct point_table *table, uint64_t key, size_t *number, bool *fresh);
