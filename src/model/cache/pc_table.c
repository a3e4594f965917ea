#include "model/cache/pc_table.h"

#include <stdlib.h>

#include "base/memory.h"

enum { SLOTS = 4 * PCS_MOST };

struct pc_count *pc_table_at(struct pc_table *table, uint32_t pc)
{
    if (!table->slots && !(table->slots = calloc(SLOTS, sizeof *table->slots)))
        return NULL;
    size_t at = (pc * 2654435761u >> 7) % SLOTS;
    for (uint16_t slot; (slot = table->slots[at]); at = (at + 1) % SLOTS)
        if (table->items[slot - 1].pc == pc)
            return &table->items[slot - 1];
    if (table->count == PCS_MOST)
        return &table->others;
    if (array_reserve(&table->items, &table->capacity, table->count + 1))
        return NULL;
    table->items[table->count] = (struct pc_count){.pc = pc};
    table->slots[at] = (uint16_t)(table->count + 1);
    return &table->items[table->count++];
}

void pc_count_add(struct pc_count *sum, const struct pc_count *count)
{
    sum->accesses += count->accesses;
    sum->misses += count->misses;
    for (size_t i = 0; i < MISS_CLASSES; i++)
        sum->classes[i] += count->classes[i];
}

static int compare_counts(const void *a, const void *b)
{
    const struct pc_count *left = a, *right = b;
    if (left->misses != right->misses)
        return left->misses > right->misses ? -1 : 1;
    if (left->accesses != right->accesses)
        return left->accesses > right->accesses ? -1 : 1;
    return left->pc < right->pc ? -1 : left->pc > right->pc;
}

void pc_table_sort(struct pc_table *table)
{
    free(table->slots);
    table->slots = NULL;
    if (table->count)
        qsort(table->items, table->count, sizeof *table->items, compare_counts);
}

void pc_table_free(struct pc_table *table)
{
    free(table->items);
    free(table->slots);
    *table = (struct pc_table){0};
}
