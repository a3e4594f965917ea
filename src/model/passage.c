#include "model/passage.h"

#include <stdlib.h>

#include "schema/parameters.h"

/* Nothing that it holds has to be written back, and a store brings nothing. */
static bool stays_clean(const struct cache_config *l1d, const struct tape *stream)
{
    const unsigned write = write_traits[l1d->write];
    const unsigned allocate = write_allocate_traits[l1d->write_allocate];
    if (!(write & WRITE_TAKES))
        return true;
    if (write & WRITE_DIRTIES && (stream->stores_locally || !(write & WRITE_DROPS)))
        return false;
    return !(allocate & WRITE_ALLOCATE_BRINGS) || allocate & WRITE_ALLOCATE_PARTIAL;
}

bool passage_applies(const struct machine *machine, const struct tape *stream)
{
    const struct cache_config *l1d = &machine->l1d, *l2 = &machine->l2;
    if (!l1d->enabled || !l2->enabled || cache_is_offline(l1d) || cache_is_offline(l2) ||
        !stays_clean(l1d, stream))
        return false;
    uint64_t largest = stream->largest > l1d->sector ? stream->largest : l1d->sector;
    return stream->largest <= SIEVE_LINES * l1d->sector && l2->sector <= l1d->sector &&
           (l2->slices == 1 || largest <= l2->interleave);
}

struct passage *passage_create(const struct machine *machine, const struct tape *stream)
{
    struct passage *passage = calloc(1, sizeof *passage);
    if (!passage)
        return NULL;
    passage->stream = stream;
    passage->sector = machine->l1d.sector;
    passage->starts = tape_starts(stream);
    if (passage->starts)
        passage->sent = malloc(passage->starts[stream->units] + 1);
    if (passage->sent)
        return passage;
    passage_free(passage);
    return NULL;
}

void passage_free(struct passage *passage)
{
    if (!passage)
        return;
    free(passage->starts);
    free(passage->sent);
    free(passage);
}

uint64_t passage_bytes(const struct passage *passage)
{
    unsigned units = passage->stream->units;
    return sizeof *passage + (units + 1) * sizeof *passage->starts + passage->starts[units];
}

uint64_t passage_count(const struct passage *passage, unsigned unit)
{
    const uint8_t *sent = passage_of(passage, unit);
    size_t items = passage->starts[unit + 1] - passage->starts[unit];
    uint32_t count = 0; /* as of a track */
    for (size_t i = 0; i < items; i++)
        count += sent[i] != 0;
    return count;
}
