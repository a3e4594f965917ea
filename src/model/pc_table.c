#include "model/pc_table.h"

#include <stdlib.h>

#include "base/memory.h"

struct pc_count *pc_table_at(struct pc_table *table, uint32_t pc)
{
    uint32_t number = key_table_find(&table->numbers, pc);
    if (number != KEY_NONE)
        return &table->items[number];
    if (table->count == PCS_MOST)
        return &table->others;
    if (array_reserve(&table->items, &table->capacity, table->count + 1) ||
        key_table_add(&table->numbers, pc, &number))
        return NULL;
    table->items[table->count] = (struct pc_count){.pc = pc};
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
    key_table_free(&table->numbers);
    if (table->count)
        qsort(table->items, table->count, sizeof *table->items, compare_counts);
}

void pc_table_free(struct pc_table *table)
{
    free(table->items);
    key_table_free(&table->numbers);
    *table = (struct pc_table){0};
}
