#include "model/timing/snapshots.h"

#include <stdlib.h>

_Static_assert(sizeof(struct gpu_counts) % sizeof(uint64_t) == 0, "counts are words");

enum status snapshots_init(struct snapshots *snapshots, size_t limit)
{
    *snapshots = (struct snapshots){.limit = limit};
    snapshots->items = calloc(limit, sizeof *snapshots->items);
    return snapshots->items ? STATUS_OK : STATUS_MEMORY;
}

void snapshots_free(struct snapshots *snapshots)
{
    free(snapshots->items);
    *snapshots = (struct snapshots){0};
}

uint64_t snapshots_add(struct snapshots *snapshots, const struct gpu_counts *counts)
{
    if (snapshots->count == snapshots->limit) {
        for (size_t i = 1; i < snapshots->limit; i += 2)
            snapshots->items[i / 2] = snapshots->items[i];
        snapshots->count /= 2;
        snapshots->distance = snapshots->items[snapshots->count - 1].cycles / snapshots->count;
    }
    snapshots->items[snapshots->count++] = *counts;
    return counts->cycles + snapshots->distance;
}

struct gpu_counts gpu_counts_between(const struct gpu_counts *before,
                                     const struct gpu_counts *after)
{
    struct gpu_counts counts = *after;
    uint64_t *count = (uint64_t *)&counts;
    const uint64_t *less = (const uint64_t *)before;
    for (size_t i = 0; i < sizeof counts / sizeof *count; i++)
        count[i] -= less[i];
    return counts;
}
