/* Finds the slot that holds a key, as fully associative hardware does in one cycle. Here it takes
 * constant time: a hash table (base/key_table.h) whose array of keys is the array of slots. Slots
 * are numbered from 0, and no two hold the same key. The directory knows no recency; lru_bank.h
 * adds it with base/links.h. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "base/key_table.h"

#define SLOT_NONE KEY_NONE

struct directory {
    uint64_t *keys;   /* [slot] */
    uint32_t *places; /* the hash table of base/key_table.h */
    unsigned bits;
};

/* Its memory is of `arrays`, which stands in the same struct; `failed` says whether there was any.
 */
void directory_init(struct directory *directory, struct arrays *arrays, uint32_t slots);

static inline uint32_t directory_find(const struct directory *directory, uint64_t key)
{
    return *key_slot(directory->places, directory->bits, directory->keys, key) - 1;
}

static inline void directory_add(struct directory *directory, uint32_t slot, uint64_t key)
{
    *key_slot(directory->places, directory->bits, directory->keys, key) = slot + 1;
    directory->keys[slot] = key;
}

static inline void directory_remove(struct directory *directory, uint32_t slot)
{
    key_slot_free(directory->places, directory->bits, directory->keys, slot);
}
