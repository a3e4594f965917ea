/* An array of tags with LRU replacement: what TPC, STC and UPTC are made of. Fully associative, or
 * in sets, of which the caller names the one that a key is in. */
#pragma once

#include <stdbool.h>

#include "base/links.h"
#include "model/translation/directory.h"

struct lru_bank {
    struct directory tags;
    struct link *recency; /* of slots; node `entries` + set is the head of a set */
    uint32_t *filled;     /* ways of a set that hold a key, the lowest ones */
    uint32_t entries, ways, used;
};

/* `entries` from 1 to 65536, in sets of `ways`. On failure lru_bank_free is still to be called. */
enum status lru_bank_init(struct lru_bank *bank, uint64_t entries, uint64_t ways);
void lru_bank_free(struct lru_bank *bank); /* of zeroes: nothing happens */

/* The slot that holds `key`, from now on the most recent; or SLOT_NONE. */
uint32_t lru_bank_touch(struct lru_bank *bank, uint32_t set, uint32_t key);

/* Takes in a key that is not there, as the most recent of its set. Returns the key that it
 * replaces, SLOT_NONE where there was room. */
uint32_t lru_bank_fill(struct lru_bank *bank, uint32_t set, uint32_t key);

static inline bool lru_bank_holds(const struct lru_bank *bank, uint32_t slot)
{
    return slot % bank->ways < bank->filled[slot / bank->ways];
}
