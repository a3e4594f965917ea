/* Counts how many entries of a page-walk cache share their upper indices. A TPC uses this to find
 * prefixes that other paths can provide, and TPC and STC use it to count redundantly stored bits.
 * Constant time per entry added or removed. */
#pragma once

#include "model/translation/directory.h"

struct prefix_counts {
    struct directory l3;  /* maps L4 and L3 index to a node */
    uint32_t *sharers;    /* [node] */
    uint32_t *spare;      /* stack of the free nodes */
    uint32_t spare_count; /* free nodes */
    uint32_t capacity;
    uint32_t l4_sharers[512];
    uint32_t l4_distinct;
};

/* For at most `entries` distinct pairs of L4 and L3 index at a time. Its memory is of `arrays`,
 * which stands in the same struct. */
enum status prefix_counts_init(struct prefix_counts *counts, struct arrays *arrays,
                               uint32_t entries);

/* Adds or removes an entry that holds an L4 index. */
void prefix_counts_add_l4(struct prefix_counts *counts, uint32_t l4);
void prefix_counts_remove_l4(struct prefix_counts *counts, uint32_t l4);

/* Adds or removes an entry that holds an L4 and an L3 index, `prefix` = L4 x 512 + L3. Counts for
 * both. */
void prefix_counts_add(struct prefix_counts *counts, uint32_t prefix);
void prefix_counts_remove(struct prefix_counts *counts, uint32_t prefix);

static inline uint32_t prefix_counts_l3_distinct(const struct prefix_counts *counts)
{
    return counts->capacity - counts->spare_count;
}
