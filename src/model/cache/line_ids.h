/* Renames 64-bit addresses to dense 32-bit ids, for kernels whose speed depends on the width of a
 * tag.
 *
 * Memory is cut into regions of 2^region_bits granules, a granule being 2^granule_bits bytes.
 * Regions are numbered in the order of their first use; the place of a granule inside its region
 * does not change. Invariants: ids are unique, id >> k is unique for lines of 2^k granules, and the
 * low region_bits of an id equal those of the granule's address.
 *
 * Cost: one hash look-up per address, and one table entry per region. */
#pragma once

#include <stdint.h>

#include "base/key_table.h"

enum { LINE_ID_BITS = 31 }; /* bit 31 is free for a flag of the user */

struct line_ids {
    unsigned granule_bits, region_bits;
    uint32_t limit;           /* regions */
    struct key_table regions; /* maps address >> (granule_bits + region_bits) to a region number */
};

/* STATUS_INVALID unless 1 <= region_bits < LINE_ID_BITS and both together are below 64. */
enum status line_ids_init(struct line_ids *ids, unsigned granule_bits, unsigned region_bits);
void line_ids_free(struct line_ids *ids);

/* Numbers a region that is not in the table yet. STATUS_UNSUPPORTED: all 2^(LINE_ID_BITS -
 * region_bits) region numbers are in use. */
enum status line_ids_add(struct line_ids *ids, uint64_t region, uint32_t *number);

/* The id of the granule that holds `address`. */
static inline enum status line_ids_find(struct line_ids *ids, uint64_t address, uint32_t *id)
{
    uint64_t granule = address >> ids->granule_bits, region = granule >> ids->region_bits;
    uint32_t number = key_table_find(&ids->regions, region);
    if (number == KEY_NONE) {
        enum status status = line_ids_add(ids, region, &number);
        if (status)
            return status;
    }
    *id =
        number << ids->region_bits | (uint32_t)(granule & ((UINT64_C(1) << ids->region_bits) - 1));
    return STATUS_OK;
}

/* The address at which the granule with this id starts. */
static inline uint64_t line_ids_address(const struct line_ids *ids, uint32_t id)
{
    uint64_t region = ids->regions.keys[id >> ids->region_bits];
    uint64_t granule = id & ((UINT64_C(1) << ids->region_bits) - 1);
    return (region << ids->region_bits | granule) << ids->granule_bits;
}
