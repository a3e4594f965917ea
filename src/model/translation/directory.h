/* What fully associative hardware does in one cycle, done in constant time: find the slot that
 * holds a key. Slots are numbered from 0; no two hold one key. (base/links.h knows which was used
 * longest ago.) */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "base/key_table.h"

#define SLOT_NONE KEY_NONE

struct directory {
    uint64_t *keys;   /* by slot */
    uint32_t *places; /* of base/key_table.h */
    unsigned bits;
};

enum status directory_init(struct directory *directory, uint32_t slots);
void directory_free(struct directory *directory);

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
