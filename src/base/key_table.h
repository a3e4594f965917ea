/* Hash tables from 64-bit keys to 32-bit numbers: open addressing with linear probing and Fibonacci
 * hashing (Knuth, The Art of Computer Programming, volume 3, 6.4).
 *
 * The keys are in an array of their own; a slot holds the number of a key plus one, 0 if it is
 * free. So a table costs four bytes a slot besides its keys, and memset clears it. At most half of
 * the slots may be taken (the owner sees to that, or key_table_add), which keeps a successful
 * look-up at about 1.5 probes.
 *
 * struct key_table numbers keys in the order in which they first occur, and grows; it cannot forget
 * a key. Users that remove keys, or whose keys have fixed places (ways of a set, entries of a
 * buffer), own both arrays and call the slot functions directly. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/must_check.h"
#include "base/status.h"

#define KEY_NONE UINT32_MAX

/* ---- slots: 2^bits of them (1 <= bits <= 32); the caller owns the keys ---- */

static inline uint32_t key_home(uint64_t key, unsigned bits)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

/* The slot of a key, or the free slot (holding 0) where the key belongs. Loops forever if no slot
 * is free. */
static inline uint32_t *key_slot(uint32_t *slots, unsigned bits, const uint64_t *keys, uint64_t key)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1), at = key_home(key, bits);
    while (slots[at] && keys[slots[at] - 1] != key)
        at = (at + 1) & mask;
    return &slots[at];
}

/* Removes keys[number], which must be in the table, and moves later keys of its probe sequence into
 * the gap, so no tombstones are needed (Knuth's Algorithm R). */
void key_slot_free(uint32_t *slots, unsigned bits, const uint64_t *keys, uint32_t number);

/* ---- a table that grows ---- */

enum { KEYS_MOST = 1 << 30 };

struct key_table {  /* all zero: empty */
    uint64_t *keys; /* by number */
    uint32_t count;
    size_t capacity;
    uint32_t *slots;
    unsigned bits;
};

void key_table_free(struct key_table *table);
/* The table is a copy of the bytes of another one, and gets memory of its own (base/arrays.h). */
MUST_CHECK bool key_table_copy(struct key_table *table);

/* Frees the slots once all keys are known; the keys stay. The table can neither find nor add keys
 * afterwards. */
void key_table_seal(struct key_table *table);

/* Bytes of memory that the table holds. */
size_t key_table_bytes(const struct key_table *table);

/* The number of a key, or KEY_NONE. */
static inline uint32_t key_table_find(const struct key_table *table, uint64_t key)
{
    return table->count ? *key_slot(table->slots, table->bits, table->keys, key) - 1 : KEY_NONE;
}

/* Gives a new key the next number. The key must not be in the table yet. STATUS_UNSUPPORTED: the
 * table already has KEYS_MOST keys. */
enum status key_table_add(struct key_table *table, uint64_t key, uint32_t *number);

/* The number of a key. A key that is not in the table yet is added and gets the old count. */
static inline enum status key_table_number(struct key_table *table, uint64_t key, uint32_t *number)
{
    *number = key_table_find(table, key);
    return *number == KEY_NONE ? key_table_add(table, key, number) : STATUS_OK;
}
