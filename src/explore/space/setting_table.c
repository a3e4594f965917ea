#include "explore/space/setting_table.h"

#include <stdlib.h>

#include "base/key_table.h"
#include "base/memory.h"

struct setting_table {
    struct key_table hashes; /* a value whose hash is taken uses the next free number above it */
    uint32_t *items;         /* by number: the first item that had the value */
    size_t capacity;
};

struct setting_table *setting_table_create(void)
{
    return calloc(1, sizeof(struct setting_table));
}

void setting_table_free(struct setting_table *table)
{
    if (!table)
        return;
    key_table_free(&table->hashes);
    free(table->items);
    free(table);
}

size_t setting_table_count(const struct setting_table *table)
{
    return table ? table->hashes.count : 0;
}

enum status setting_table_number(struct setting_table *table, uint64_t hash, uint32_t item,
                                 bool (*same)(void *argument, uint32_t other), void *argument,
                                 uint32_t *number)
{
    for (;; hash++) {
        *number = key_table_find(&table->hashes, hash);
        if (*number == KEY_NONE)
            break;
        if (same(argument, table->items[*number]))
            return STATUS_OK;
    }
    if (array_reserve(&table->items, &table->capacity, (size_t)table->hashes.count + 1))
        return STATUS_MEMORY;
    table->items[table->hashes.count] = item;
    return key_table_add(&table->hashes, hash, number);
}
