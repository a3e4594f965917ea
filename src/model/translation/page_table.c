#include "model/translation/page_table.h"

enum { ADDRESS_BITS = 48, INDEX_BITS = 9 };

/* Address bits below the index of level `level`: 39, 30, 21, 12. */
static unsigned level_shift(unsigned level)
{
    return ADDRESS_BITS - INDEX_BITS * (level + 1);
}

unsigned page_levels(uint64_t page_size)
{
    return page_size >= 2097152 ? PAGE_LEVELS - 1 : PAGE_LEVELS;
}

void page_table_init(struct page_table *table, uint64_t base, uint64_t page_size)
{
    table->page_size = page_size;
    for (unsigned level = 0; level < PAGE_LEVELS; level++) {
        table->level_base[level] = base;
        base += (UINT64_C(1) << (ADDRESS_BITS - level_shift(level))) * PAGE_ENTRY_SIZE;
    }
}

unsigned page_table_walk(const struct page_table *table, uint64_t address,
                         uint64_t entries[PAGE_LEVELS])
{
    uint64_t page = address & ((UINT64_C(1) << ADDRESS_BITS) - 1) & ~(table->page_size - 1);
    unsigned levels = page_levels(table->page_size);
    for (unsigned level = 0; level < levels; level++)
        entries[level] = table->level_base[level] + (page >> level_shift(level)) * PAGE_ENTRY_SIZE;
    return levels;
}
