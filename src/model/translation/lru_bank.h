/* A fully associative array of tags with LRU replacement: what TPC, STC and UPTC are made of. */
#pragma once

#include "base/links.h"
#include "model/translation/directory.h"

struct lru_bank {
    struct directory tags;
    struct link *recency; /* of slots; node `entries` is the head */
    uint32_t entries, used;
};

/* `entries` from 1 to 65536. On failure lru_bank_free is still to be called. */
enum status lru_bank_init(struct lru_bank *bank, uint64_t entries);
void lru_bank_free(struct lru_bank *bank); /* of zeroes: nothing happens */

/* The slot that holds `key`, from now on the most recent; or SLOT_NONE. */
uint32_t lru_bank_touch(struct lru_bank *bank, uint32_t key);

/* Takes in a key that is not there, as the most recent. Returns the key that it replaces, SLOT_NONE
 * where there was room. */
uint32_t lru_bank_fill(struct lru_bank *bank, uint32_t key);
