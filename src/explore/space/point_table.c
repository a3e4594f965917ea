#include "explore/space/point_table.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"

void point_table_free(struct point_table *table)
{
    free(table->keys);
    free(table->slots);
    *table = (struct point_table){0};
}

/* The slot of a key, or the free one where it belongs. Less than 3/4 of the slots are taken. */
static size_t find_slot(const struct point_table *table, uint64_t key)
{
    size_t mask = table->slot_count - 1, slot = random_at(0, key) & mask;
    while (table->slots[slot] && table->keys[table->slots[slot] - 1] != key)
        slot = (slot + 1) & mask;
    return slot;
}

size_t point_table_find(const struct point_table *table, uint64_t key)
{
    uint32_t taken = table->slot_count ? table->slots[find_slot(table, key)] : 0;
    return taken ? taken - 1 : NO_NUMBER;
}

static enum status grow(struct point_table *table)
{
    struct point_table larger = *table;
    larger.slot_count = table->slot_count ? 2 * table->slot_count : 64;
    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (!larger.slots)
        return STATUS_MEMORY;
    for (size_t i = 0; i < table->count; i++)
        larger.slots[find_slot(&larger, table->keys[i])] = (uint32_t)i + 1;
    free(table->slots);
    table->slots = larger.slots;
    table->slot_count = larger.slot_count;
    return STATUS_OK;
}

enum status point_table_add(struct point_table *table, uint64_t key, size_t *number, bool *fresh)
{
    *number = point_table_find(table, key);
    *fresh = *number == NO_NUMBER;
    if (!*fresh)
        return STATUS_OK;
    if (table->count >= UINT32_MAX - 1 ||
        array_reserve(&table->keys, &table->capacity, table->count + 1) ||
        (4 * (table->count + 1) > 3 * table->slot_count && grow(table)))
        return STATUS_MEMORY;
    table->keys[table->count] = key;
    *number = table->count++;
    table->slots[find_slot(table, key)] = (uint32_t)table->count;
    return STATUS_OK;
}
