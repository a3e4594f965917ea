/* How many entries of a page-walk cache carry the same upper indices: which prefixes are there to
 * be lent, and how much is stored more than once. */
#pragma once

#include "model/translation/directory.h"

struct prefix_counts {
    struct directory l3;  /* L4 and L3 index -> node */
    uint32_t *sharers;    /* of a node */
    uint32_t *spare;      /* stack of the nodes not taken */
    uint32_t spare_count; /* of `capacity` */
    uint32_t capacity;
    uint32_t l4_sharers[512];
    uint32_t l4_distinct;
};

/* At most `entries` different pairs of L4 and L3 index at once. On failure prefix_counts_free is
 * still to be called. */
enum status prefix_counts_init(struct prefix_counts *counts, uint32_t entries);
void prefix_counts_free(struct prefix_counts *counts); /* of zeroes: nothing happens */

/* An entry that carries an L4 index comes or goes. */
void prefix_counts_add_l4(struct prefix_counts *counts, uint32_t l4);
void prefix_counts_remove_l4(struct prefix_counts *counts, uint32_t l4);

/* The same of one that carries L4 and L3 index, `prefix` = L4 x 512 + L3; counts for both. */
void prefix_counts_add(struct prefix_counts *counts, uint32_t prefix);
void prefix_counts_remove(struct prefix_counts *counts, uint32_t prefix);

static inline uint32_t prefix_counts_l3_distinct(const struct prefix_counts *counts)
{
    return counts->capacity - counts->spare_count;
}
