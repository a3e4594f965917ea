#include "base/key_table.h"

#include <stdlib.h>

#include "base/arrays.h"
#include "base/memory.h"

/* The first table has 2^6 slots; every growth doubles it. */
enum { BITS_FIRST = 6 };

void key_slot_free(uint32_t *slots, unsigned bits, const uint64_t *keys, uint32_t number)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1), gap = key_home(keys[number], bits);
    while (slots[gap] != number + 1)
        gap = (gap + 1) & mask;
    /* A later key may move into the gap unless its home comes after the gap: its probes would start
     * past it. */
    for (uint32_t at = (gap + 1) & mask; slots[at]; at = (at + 1) & mask) {
        uint32_t home = key_home(keys[slots[at] - 1], bits);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            slots[gap] = slots[at];
            gap = at;
        }
    }
    slots[gap] = 0;
}

void key_table_seal(struct key_table *table)
{
    free(table->slots);
    table->slots = NULL;
    table->bits = 0;
}

void key_table_free(struct key_table *table)
{
    free(table->keys);
    free(table->slots);
    *table = (struct key_table){0};
}

bool key_table_copy(struct key_table *table)
{
    const bool keys = array_copy(&table->keys, table->capacity * sizeof *table->keys);
    return array_copy(&table->slots, ((size_t)1 << table->bits) * sizeof *table->slots) && keys;
}

size_t key_table_bytes(const struct key_table *table)
{
    return table->capacity * sizeof *table->keys +
           (table->slots ? sizeof *table->slots << table->bits : 0);
}

/* Doubles the slots and inserts every key again. Because it doubles, the cost per key is constant
 * on average. */
static enum status grow(struct key_table *table)
{
    unsigned bits = table->slots ? table->bits + 1 : BITS_FIRST;
    uint32_t *slots = calloc((size_t)1 << bits, sizeof *slots);
    if (!slots)
        return STATUS_MEMORY;
    for (uint32_t number = 0; number < table->count; number++)
        *key_slot(slots, bits, table->keys, table->keys[number]) = number + 1;
    free(table->slots);
    table->slots = slots;
    table->bits = bits;
    return STATUS_OK;
}

enum status key_table_add(struct key_table *table, uint64_t key, uint32_t *number)
{
    if (table->count == KEYS_MOST)
        return STATUS_UNSUPPORTED;
    if (array_reserve(&table->keys, &table->capacity, (size_t)table->count + 1))
        return STATUS_MEMORY;
    if ((!table->slots || 2 * ((uint64_t)table->count + 1) > UINT64_C(1) << table->bits) &&
        grow(table))
        return STATUS_MEMORY;
    *number = table->count++;
    table->keys[*number] = key;
    *key_slot(table->slots, table->bits, table->keys, key) = *number + 1;
    return STATUS_OK;
}
