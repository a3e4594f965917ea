#include "model/cache/line_ids.h"

enum status line_ids_init(struct line_ids *ids, unsigned granule_bits, unsigned region_bits)
{
    *ids = (struct line_ids){.granule_bits = granule_bits, .region_bits = region_bits};
    if (!region_bits || region_bits >= LINE_ID_BITS || granule_bits >= 64 - region_bits)
        return STATUS_INVALID;
    ids->limit = UINT32_C(1) << (LINE_ID_BITS - region_bits);
    return STATUS_OK;
}

void line_ids_free(struct line_ids *ids)
{
    key_table_free(&ids->regions);
    *ids = (struct line_ids){0};
}

enum status line_ids_add(struct line_ids *ids, uint64_t region, uint32_t *number)
{
    return ids->regions.count == ids->limit ? STATUS_UNSUPPORTED
                                            : key_table_add(&ids->regions, region, number);
}
