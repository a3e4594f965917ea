/* A fully associative array of tags with LRU replacement, from which TPC, STC and UPTC are built. A
 * directory finds the slot of a key, and a linked list keeps the slots by recency, so every
 * operation takes constant time for any number of entries. */
#pragma once

#include "base/links.h"
#include "model/translation/directory.h"

struct lru_bank {
    struct directory tags;
    struct link *recency; /* list of slots; node `entries` is the head */
    uint32_t entries, used;
};

/* `entries` is 1 to 65536, else STATUS_INVALID. Call lru_bank_free on failure too. */
enum status lru_bank_init(struct lru_bank *bank, uint64_t entries);
void lru_bank_free(struct lru_bank *bank); /* a zeroed bank is allowed */

/* Returns the slot that holds `key` and makes it the most recent; SLOT_NONE if there is none. */
uint32_t lru_bank_touch(struct lru_bank *bank, uint32_t key);

/* Adds a key that is not there as the most recent. Returns the key that it replaces; SLOT_NONE if a
 * slot was free. */
uint32_t lru_bank_fill(struct lru_bank *bank, uint32_t key);
