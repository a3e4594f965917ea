/* Page-walk caches: what a walk need not read from the page table (papers: a compressed page walk
 * cache structure, 2020). One descriptor a member, all behind one interface. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "schema/machine.h"

/* Levels of an x86-64 page table as the field numbers them: L4 is the root, L1 holds the page. */
enum { PAGE_LEVELS = 4 };

struct page_indices {
    uint16_t l4, l3, l2, l1; /* 9 bits each: address bits 47:39, 38:30, 29:21, 20:12 */
};

struct page_indices page_split(uint64_t address);

struct pwc;

struct pwc_counts {
    uint64_t walks;
    uint64_t l4_hits, l3_hits, l2_hits; /* a walk that hits L2 counts in all three */
    uint64_t memory_accesses;           /* page-table entries read */
};

/* How far a lookup got: the level whose entry was found last. */
enum pwc_hit { PWC_HIT_NONE = 0, PWC_HIT_L4 = 1, PWC_HIT_L3 = 2, PWC_HIT_L2 = 3 };

struct pwc_kind { /* a member of PWC_LIST */
    const char *name;
    uint64_t (*bits)(const struct pwc_config *config);
    enum status (*create)(const struct pwc_config *config, struct pwc **pwc);
};

extern const struct pwc_kind pwc_kinds[PWC_COUNT];

enum status pwc_create(const struct pwc_config *config, uint64_t page_size, struct pwc **pwc);
void pwc_free(struct pwc *pwc);

/* One walk: looks up, reads what is missing, fills. Accesses follow from the hit and the page size:
 * 4 KiB pages 4, 3, 2, 1; larger pages have fewer levels. */
enum pwc_hit pwc_walk(struct pwc *pwc, uint64_t address);
void pwc_read_counts(const struct pwc *pwc, struct pwc_counts *counts);
void pwc_reset_counts(struct pwc *pwc);

/* The contents, one valid entry a line ("L3[0] 458 mask 1000"), for tests and the screen. */
void pwc_print(const struct pwc *pwc, FILE *out);
