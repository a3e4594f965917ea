#include "model/replay/miss_mask.h"

#include <stdlib.h>

#include "schema/parameters.h"

/* Whether no line of the L1D is ever written back and no store fetches. */
static bool stays_clean(const struct cache_config *l1d, const struct request_log *stream)
{
    const unsigned write = write_traits[l1d->write];
    const unsigned allocate = write_allocate_traits[l1d->write_allocate];
    if (!(write & WRITE_TAKES))
        return true;
    if (write & WRITE_DIRTIES && (stream->stores_locally || !(write & WRITE_DROPS)))
        return false;
    return !(allocate & WRITE_ALLOCATE_BRINGS) || allocate & WRITE_ALLOCATE_PARTIAL;
}

bool miss_mask_applies(const struct machine *machine, const struct request_log *stream)
{
    const struct cache_config *l1d = &machine->l1d, *l2 = &machine->l2;
    const bool reads_pc = replacement_facts[l2->replacement].traits & REPLACEMENT_READS_PC;
    if (!l1d->enabled || !l2->enabled || cache_is_offline(l1d) || cache_is_offline(l2) ||
        reads_pc || !stays_clean(l1d, stream))
        return false;
    uint64_t largest = stream->largest > l1d->sector ? stream->largest : l1d->sector;
    return stream->largest <= LRU_FILTER_LINES * l1d->sector && l2->sector <= l1d->sector &&
           (l2->slices == 1 || largest <= l2->interleave);
}

struct miss_mask *miss_mask_create(const struct machine *machine, const struct request_log *stream)
{
    struct miss_mask *mask = calloc(1, sizeof *mask);
    if (!mask)
        return NULL;
    mask->stream = stream;
    mask->sector = machine->l1d.sector;
    mask->starts = request_log_starts(stream);
    if (mask->starts)
        mask->sent = malloc(mask->starts[stream->instances] + 1);
    if (mask->sent)
        return mask;
    miss_mask_free(mask);
    return NULL;
}

void miss_mask_free(struct miss_mask *mask)
{
    if (!mask)
        return;
    free(mask->starts);
    free(mask->sent);
    free(mask);
}

uint64_t miss_mask_bytes(const struct miss_mask *mask)
{
    unsigned instances = mask->stream->instances;
    return sizeof *mask + (instances + 1) * sizeof *mask->starts + mask->starts[instances];
}

uint64_t miss_mask_count(const struct miss_mask *mask, unsigned instance)
{
    const uint8_t *sent = miss_mask_of(mask, instance);
    size_t items = mask->starts[instance + 1] - mask->starts[instance];
    uint32_t count = 0; /* 32 bits suffice: a section has no more items */
    for (size_t i = 0; i < items; i++)
        count += sent[i] != 0;
    return count;
}
