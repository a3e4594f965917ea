#include "explore/space/setting_table.h"

#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct entry {
    uint64_t key; /* the hash, plus one for each other value that had it before */
    uint32_t item, number;
    UT_hash_handle hh;
};

struct setting_table {
    struct entry *entries;
};

struct setting_table *setting_table_create(void)
{
    return calloc(1, sizeof(struct setting_table));
}

void setting_table_free(struct setting_table *table)
{
    if (!table)
        return;
    struct entry *entry, *next;
    HASH_ITER(hh, table->entries, entry, next)
    {
        HASH_DEL(table->entries, entry); /* NOLINT(clang-analyzer-unix.Malloc): uthash is sound */
        free(entry);
    }
    free(table);
}

size_t setting_table_count(const struct setting_table *table)
{
    return table ? HASH_COUNT(table->entries) : 0;
}

enum status setting_table_number(struct setting_table *table, uint64_t hash, uint32_t item,
                                 bool (*same)(void *argument, uint32_t other), void *argument,
                                 uint32_t *number)
{
    struct entry *entry;
    for (;; hash++) {
        HASH_FIND(hh, table->entries, &hash, sizeof hash, entry);
        if (!entry)
            break;
        if (same(argument, entry->item)) {
            *number = entry->number;
            return STATUS_OK;
        }
    }
    entry = calloc(1, sizeof *entry);
    if (!entry)
        return STATUS_MEMORY;
    *entry = (struct entry){.key = hash, .item = item, .number = HASH_COUNT(table->entries)};
    HASH_ADD(hh, table->entries, key, sizeof entry->key, entry);
    if (!entry->hh.tbl) {
        free(entry);
        return STATUS_MEMORY;
    }
    *number = entry->number;
    return STATUS_OK;
}
