/* Numbers lines in the order in which they are first seen: dense ids for arrays of line state. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { LINES_MOST = 1 << 30 };

struct line_table {
    uint64_t *lines; /* [count]: the line of an id */
    uint32_t count;
    uint32_t *slots; /* [mask + 1]: id + 1, 0 = empty */
    uint64_t mask;
    size_t capacity; /* of lines */
};

enum status line_table_init(struct line_table *table);
void line_table_free(struct line_table *table);

/* STATUS_UNSUPPORTED above LINES_MOST lines. */
enum status line_table_add(struct line_table *table, uint64_t line, uint32_t *id);

static inline uint64_t line_table_hash(uint64_t line)
{
    uint64_t hash = line * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* The id of a line, added where it is new. */
static inline enum status line_table_id(struct line_table *table, uint64_t line, uint32_t *id)
{
    uint64_t at = line_table_hash(line) & table->mask;
    for (uint32_t slot; (slot = table->slots[at]); at = (at + 1) & table->mask)
        if (table->lines[slot - 1] == line) {
            *id = slot - 1;
            return STATUS_OK;
        }
    return line_table_add(table, line, id);
}
