/* The layout of the page tables in memory: the address of the entry that a walk reads at each
 * level.
 *
 * All tables of a level are contiguous and ordered by the addresses that they map. So the address
 * of an entry is arithmetic: the base of its level + 8 bytes x the index prefix down to it (the
 * linear page table that systems get with a self-map). Nothing is allocated or remembered. The
 * layout depends neither on the order of walks nor on any TLB or page-walk cache, so machines that
 * differ in those read the same addresses and their walk traffic can be compared. An operating
 * system that allocates tables on first touch packs them just as densely if memory is touched in
 * order. */
#pragma once

#include <stdint.h>

/* Levels of an x86-64 page table, numbered as usual: L4 is the root, L1 holds the page. */
enum { PAGE_LEVELS = 4 };

/* Sizes in bytes of an entry and of a table of 512 entries. */
enum { PAGE_ENTRY_SIZE = 8, PAGE_TABLE_SIZE = 4096 };

/* Start of the upper half of the 48-bit address space, where no data of a program lie. */
#define PAGE_TABLE_BASE (UINT64_C(1) << 47)

struct page_table {
    uint64_t page_size;
    uint64_t level_base[PAGE_LEVELS]; /* first address of the tables of L4, L3, L2, L1 */
};

/* Levels that a walk reads if nothing is cached. 4 KiB pages: 4. 64 KiB: also 4; a page is 16
 * adjacent L1 entries, and a walk reads the first of them. 2 MiB: 3; the L2 entry is the
 * translation. */
unsigned page_levels(uint64_t page_size);

/* `base` is the address of the root, a multiple of PAGE_TABLE_SIZE. The tables of all 2^48
 * addresses take slightly more than 2^39 bytes from there. */
void page_table_init(struct page_table *table, uint64_t base, uint64_t page_size);

/* Writes the addresses of the entries that translate `address`, root first; returns their number. A
 * walk for which a page-walk cache found k levels reads entries[k] and those after it. Address bits
 * from 48 on are ignored. */
unsigned page_table_walk(const struct page_table *table, uint64_t address,
                         uint64_t entries[PAGE_LEVELS]);
