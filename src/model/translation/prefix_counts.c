#include "model/translation/prefix_counts.h"

enum status prefix_counts_init(struct prefix_counts *counts, struct arrays *arrays,
                               uint32_t entries)
{
    arrays_add(arrays, &counts->sharers, entries, sizeof *counts->sharers);
    arrays_add(arrays, &counts->spare, entries, sizeof *counts->spare);
    directory_init(&counts->l3, arrays, entries);
    if (arrays->failed)
        return STATUS_MEMORY;
    for (uint32_t node = 0; node < entries; node++)
        counts->spare[node] = node;
    counts->capacity = counts->spare_count = entries;
    return STATUS_OK;
}

void prefix_counts_add_l4(struct prefix_counts *counts, uint32_t l4)
{
    counts->l4_distinct += !counts->l4_sharers[l4]++;
}

void prefix_counts_remove_l4(struct prefix_counts *counts, uint32_t l4)
{
    counts->l4_distinct -= !--counts->l4_sharers[l4];
}

void prefix_counts_add(struct prefix_counts *counts, uint32_t prefix)
{
    uint32_t node = directory_find(&counts->l3, prefix);
    if (node == SLOT_NONE) {
        node = counts->spare[--counts->spare_count];
        directory_add(&counts->l3, node, prefix);
    }
    counts->sharers[node]++;
    prefix_counts_add_l4(counts, prefix >> 9);
}

void prefix_counts_remove(struct prefix_counts *counts, uint32_t prefix)
{
    uint32_t node = directory_find(&counts->l3, prefix);
    if (!--counts->sharers[node]) {
        directory_remove(&counts->l3, node);
        counts->spare[counts->spare_count++] = node;
    }
    prefix_counts_remove_l4(counts, prefix >> 9);
}
