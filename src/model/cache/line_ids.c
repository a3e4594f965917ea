#include "model/cache/line_ids.h"

#include <stdlib.h>

enum { FIRST_SLOT_BITS = 8 };

static enum status grow(struct line_ids *ids, unsigned slot_bits)
{
    size_t slots = (size_t)1 << slot_bits;
    struct region_slot *table = malloc(slots * sizeof *table);
    uint64_t *regions = realloc(ids->regions, slots / 2 * sizeof *regions);
    if (regions)
        ids->regions = regions;
    if (!table || !regions) {
        free(table);
        return STATUS_MEMORY;
    }
    for (size_t i = 0; i < slots; i++)
        table[i] = (struct region_slot){.region = UINT64_MAX};
    free(ids->slots);
    ids->slots = table;
    ids->slot_bits = slot_bits;
    for (uint32_t i = 0; i < ids->count; i++)
        *line_ids_slot(ids, regions[i]) = (struct region_slot){regions[i], i};
    return STATUS_OK;
}

enum status line_ids_init(struct line_ids *ids, unsigned granule_bits, unsigned region_bits)
{
    *ids = (struct line_ids){.granule_bits = granule_bits, .region_bits = region_bits};
    if (!region_bits || region_bits >= LINE_ID_BITS || granule_bits >= 64 - region_bits)
        return STATUS_INVALID;
    ids->limit = UINT32_C(1) << (LINE_ID_BITS - region_bits);
    return grow(ids, FIRST_SLOT_BITS);
}

void line_ids_free(struct line_ids *ids)
{
    free(ids->regions);
    free(ids->slots);
    *ids = (struct line_ids){0};
}

enum status line_ids_add(struct line_ids *ids, uint64_t region, uint32_t *number)
{
    if (ids->count == ids->limit)
        return STATUS_UNSUPPORTED;
    if (ids->count == (uint32_t)1 << (ids->slot_bits - 1)) {
        enum status status = grow(ids, ids->slot_bits + 1);
        if (status)
            return status;
    }
    *number = ids->count;
    *line_ids_slot(ids, region) = (struct region_slot){region, ids->count};
    ids->regions[ids->count++] = region;
    return STATUS_OK;
}
