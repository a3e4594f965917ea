#include "model/gpu/block_placement.h"

#include <inttypes.h>
#include <stdlib.h>

enum status block_placement_begin(struct block_placement *placement, uint64_t blocks)
{
    block_placement_free(placement);
    placement->sms = calloc(blocks + 1, sizeof *placement->sms);
    placement->count = placement->sms ? blocks : 0;
    return placement->sms ? STATUS_OK : STATUS_MEMORY;
}

void block_placement_free(struct block_placement *placement)
{
    free(placement->sms);
    *placement = (struct block_placement){0};
}

enum status block_placement_check(const struct block_placement *placement, uint64_t blocks,
                                  uint32_t sms, struct diagnostics *diagnostics)
{
    uint32_t most = 0;
    for (uint64_t i = 0; i < placement->count; i++)
        most = placement->sms[i] > most ? placement->sms[i] : most;
    if (placement->count == blocks && most < sms)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "the placement is one of %" PRIu64 " blocks on at least %" PRIu32
                             " SMs; these are %" PRIu64 " blocks on %" PRIu32,
                             placement->count, most + 1, blocks, sms);
}

/* FNV-1a over the numbers, least significant byte first. */
uint64_t block_placement_hash(const struct block_placement *placement)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < placement->count; i++)
        for (unsigned shift = 0; shift < 16; shift += 8)
            hash = (hash ^ (placement->sms[i] >> shift & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}
