/* An array of tags with LRU replacement, from which TPC, STC and UPTC are built: fully associative,
 * or in sets, of which the caller names the one that a key belongs to. A directory finds the slot
 * of a key, and a linked list for each set keeps its slots by recency, so every operation takes
 * constant time for any number of entries. */
#pragma once

#include <stdbool.h>

#include "base/links.h"
#include "model/translation/directory.h"

struct lru_bank {
    struct directory tags;
    struct link *recency; /* lists of slots; node `entries` + set is the head of a set */
    uint32_t *filled;     /* ways of each set that hold a key: the lowest ones */
    uint32_t entries, ways, used;
};

/* `entries` is 1 to 65536, else STATUS_INVALID; they form sets of `ways`. Its memory is of
 * `arrays`, which stands in the same struct. */
enum status lru_bank_init(struct lru_bank *bank, struct arrays *arrays, uint64_t entries,
                          uint64_t ways);

/* Returns the slot that holds `key` and makes it the most recent; SLOT_NONE if there is none. */
uint32_t lru_bank_touch(struct lru_bank *bank, uint32_t set, uint32_t key);

/* Adds a key that is not there as the most recent of its set. Returns the key that it replaces;
 * SLOT_NONE if a slot was free. */
uint32_t lru_bank_fill(struct lru_bank *bank, uint32_t set, uint32_t key);

static inline bool lru_bank_holds(const struct lru_bank *bank, uint32_t slot)
{
    return slot % bank->ways < bank->filled[slot / bank->ways];
}
