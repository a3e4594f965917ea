/* Hash tables of 64-bit keys with 32-bit numbers: open addressing with linear probing, Fibonacci
 * hashing (Knuth, The Art of Computer Programming, volume 3, 6.4).
 *
 * The keys stand in an array; a slot holds the number of a key, plus one. So a table costs four
 * bytes a slot beside its keys, is cleared by memset, and at most half of its slots are taken:
 * about one and a half are looked at to find a key.
 *
 * struct key_table numbers keys in the order in which they are first met, and grows. Where keys go
 * again, or have places of their own (ways of a set, entries of a buffer), the owner keeps both
 * arrays and uses the functions of slots. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define KEY_NONE UINT32_MAX

/* ---- slots: 2^bits of them, 1 <= bits <= 32, of keys that the owner keeps ---- */

static inline uint32_t key_home(uint64_t key, unsigned bits)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

/* The slot of a key, or the free one, which holds 0, where it belongs. */
static inline uint32_t *key_slot(uint32_t *slots, unsigned bits, const uint64_t *keys, uint64_t key)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1), at = key_home(key, bits);
    while (slots[at] && keys[slots[at] - 1] != key)
        at = (at + 1) & mask;
    return &slots[at];
}

/* Frees the slot of keys[number], which must be there, and closes the gap (algorithm R). */
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

/* Frees what only finding needs; the keys stay. Nothing can be found or added afterwards. */
void key_table_seal(struct key_table *table);

size_t key_table_bytes(const struct key_table *table);

/* The number of a key, or KEY_NONE. */
static inline uint32_t key_table_find(const struct key_table *table, uint64_t key)
{
    return table->count ? *key_slot(table->slots, table->bits, table->keys, key) - 1 : KEY_NONE;
}

/* Gives a key that is not there the next number. STATUS_UNSUPPORTED: there are KEYS_MOST. */
enum status key_table_add(struct key_table *table, uint64_t key, uint32_t *number);

/* The number of a key, a new one (the old count) where it is met for the first time. */
static inline enum status key_table_number(struct key_table *table, uint64_t key, uint32_t *number)
{
    *number = key_table_find(table, key);
    return *number == KEY_NONE ? key_table_add(table, key, number) : STATUS_OK;
}
