#include "model/cache/line_table.h"

#include <stdlib.h>

#include "base/memory.h"

enum { SLOTS_FIRST = 4096 };

enum status line_table_init(struct line_table *table)
{
    *table = (struct line_table){.mask = SLOTS_FIRST - 1};
    table->slots = calloc(SLOTS_FIRST, sizeof *table->slots);
    return table->slots ? STATUS_OK : STATUS_MEMORY;
}

void line_table_free(struct line_table *table)
{
    free(table->lines);
    free(table->slots);
    *table = (struct line_table){0};
}

static void insert(uint32_t *slots, uint64_t mask, uint64_t line, uint32_t id)
{
    uint64_t at = line_table_hash(line) & mask;
    while (slots[at])
        at = (at + 1) & mask;
    slots[at] = id + 1;
}

static enum status grow(struct line_table *table)
{
    uint64_t mask = 2 * table->mask + 1;
    uint32_t *slots = calloc(mask + 1, sizeof *slots);
    if (!slots)
        return STATUS_MEMORY;
    for (uint32_t id = 0; id < table->count; id++)
        insert(slots, mask, table->lines[id], id);
    free(table->slots);
    table->slots = slots;
    table->mask = mask;
    return STATUS_OK;
}

enum status line_table_add(struct line_table *table, uint64_t line, uint32_t *id)
{
    if (table->count == LINES_MOST)
        return STATUS_UNSUPPORTED;
    if (array_reserve(&table->lines, &table->capacity, table->count + 1))
        return STATUS_MEMORY;
    if (2 * ((uint64_t)table->count + 1) > table->mask && grow(table))
        return STATUS_MEMORY;
    *id = table->count++;
    table->lines[*id] = line;
    insert(table->slots, table->mask, line, *id);
    return STATUS_OK;
}
