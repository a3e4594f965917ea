/* Where the page tables lie in memory: the address of the entry that a walk reads at each level.
 *
 * All tables of a level stand one behind another in the order of the addresses that they map, so an
 * entry's address is arithmetic: base of its level + 8 bytes x the index prefix down to it (the
 * linear page table that systems see through a self-map). Nothing is allocated and nothing is
 * remembered. The layout depends neither on the order of walks nor on any TLB or page-walk cache,
 * so machines that differ in those read the same addresses, and traffic of walks can be compared.
 * An operating system that hands out tables in order of first touch packs them just as densely
 * where memory is touched in order. */
#pragma once

#include <stdint.h>

/* Levels of an x86-64 page table as the field numbers them: L4 is the root, L1 holds the page. */
enum { PAGE_LEVELS = 4 };

/* An entry of a page table, and a table of 512 of them, in bytes. */
enum { PAGE_ENTRY_SIZE = 8, PAGE_TABLE_SIZE = 4096 };

/* The upper half of the 48-bit space, where no program's data lie. */
#define PAGE_TABLE_BASE (UINT64_C(1) << 47)

struct page_table {
    uint64_t page_size;
    uint64_t level_base[PAGE_LEVELS]; /* of the tables of L4, L3, L2, L1 */
};

/* Levels that a walk reads when nothing is cached. 4 KiB: 4. 64 KiB: 4 too, a page is 16 adjacent
 * L1 entries and a walk reads the first of them. 2 MiB: 3, the L2 entry is the translation itself.
 */
unsigned page_levels(uint64_t page_size);

/* `base`: of the root, a multiple of PAGE_TABLE_SIZE. The tables of all 2^48 addresses together
 * take a little more than 2^39 bytes from there. */
void page_table_init(struct page_table *table, uint64_t base, uint64_t page_size);

/* The addresses of the entries that translate `address`, the root's first; returns how many. A walk
 * that a page-walk cache served down to level k reads entries[k] and what follows. Bits of the
 * address from 48 on are ignored. */
unsigned page_table_walk(const struct page_table *table, uint64_t address,
                         uint64_t entries[PAGE_LEVELS]);
