/* Page-walk caches: what a walk need not read from the page table (papers: a compressed page walk
 * cache structure, 2020). One descriptor a member, all behind one interface. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "model/translation/page_table.h"
#include "schema/machine.h"

struct page_indices {
    uint16_t l4, l3, l2, l1; /* 9 bits each: address bits 47:39, 38:30, 29:21, 20:12 */
};

struct page_indices page_split(uint64_t address);

struct pwc;

struct pwc_counts {
    uint64_t walks;
    uint64_t l4_hits, l3_hits, l2_hits; /* a walk that hits L2 counts in all three */
    uint64_t memory_accesses;           /* page-table entries read */
    uint64_t lookup_cycles;
    /* Summed over walks, after each: what was stored, and stored again (pwc.redundancy). */
    uint64_t stored_bits, duplicate_bits;
    uint64_t tpc_accesses; /* page-table entries that a TPC of as many bits would have read */
};

/* How far a lookup got: the level whose entry was found last. */
enum pwc_hit { PWC_HIT_NONE = 0, PWC_HIT_L4 = 1, PWC_HIT_L3 = 2, PWC_HIT_L2 = 3 };

struct pwc_lookup {
    unsigned cycles; /* until it is known what was found */
    unsigned levels; /* that were searched */
};

/* A valid entry, as it is shown. */
struct pwc_entry {
    enum pwc_hit level;       /* the deepest index that it is for */
    struct page_indices path; /* down to there; in a CPWC as the entries above it say */
    const char *text;         /* "L3[0] 458 mask 1000"; valid during the call */
};

typedef void (*pwc_visitor)(void *argument, const struct pwc_entry *entry);

struct pwc_kind { /* a member of PWC_LIST */
    const char *name;
    uint64_t (*bits)(const struct pwc_config *config);
    enum status (*create)(const struct pwc_config *config, struct pwc **pwc);
    void (*free)(struct pwc *pwc);
    /* Looks up and fills. `depth` is the deepest level that may be cached: PWC_HIT_L2, or
     * PWC_HIT_L3 where the L2 entry is a page. */
    enum pwc_hit (*walk)(struct pwc *pwc, struct page_indices indices, enum pwc_hit depth);
    /* What walk would return; changes nothing. */
    enum pwc_hit (*probe)(const struct pwc *pwc, struct page_indices indices, enum pwc_hit depth);
    /* What a look-up costs that got as far as `hit`. */
    struct pwc_lookup (*lookup)(enum pwc_hit hit, enum pwc_hit depth);
    void (*visit)(const struct pwc *pwc, pwc_visitor visitor, void *argument);
};

extern const struct pwc_kind *const pwc_kinds[PWC_COUNT];

/* STATUS_INVALID where the rules of machine_check do not hold. */
enum status pwc_create(const struct pwc_config *config, uint64_t page_size, struct pwc **pwc);

/* The same with a TPC of at most as many bits beside it, which sees the same walks and fills from
 * empty as this one does: pwc_counts.tpc_accesses. That TPC is fully associative, and one like it
 * is its own. Where the bits are more than the largest TPC's, or none, nothing is compared. */
enum status pwc_create_compared(const struct pwc_config *config, uint64_t page_size,
                                struct pwc **pwc);
void pwc_free(struct pwc *pwc); /* NULL is allowed */

/* Entries of the TPC that pwc_create_compared runs: the fewest that are not fewer bits, so that no
 * organization gains by what is left of a path. 0: none (no bits, or too many). */
uint64_t pwc_equal_tpc(const struct pwc_config *config);

/* One walk: looks up, reads what is missing, fills. Accesses are page_levels less the levels found,
 * so 4, 3, 2, 1 for 4 KiB pages and 3, 2, 1 for 2 MiB pages. */
enum pwc_hit pwc_walk(struct pwc *pwc, uint64_t address);
/* The same, and counts nothing: the last walks of a warm-up. */
enum pwc_hit pwc_warm(struct pwc *pwc, uint64_t address);
/* The page-table entries that a walk of this address would read now; changes nothing. */
unsigned pwc_probe(const struct pwc *pwc, uint64_t address);
void pwc_read_counts(const struct pwc *pwc, struct pwc_counts *counts);

/* Every valid entry, level by level, in the order of their places. */
void pwc_visit(const struct pwc *pwc, pwc_visitor visitor, void *argument);

/* The texts of the entries, one a line. */
void pwc_print(const struct pwc *pwc, FILE *out);

struct pwc_lookup pwc_lookup_cost(const struct pwc *pwc, enum pwc_hit hit);

/* The formula of table 7, not a measurement (that is pwc_counts.duplicate_bits / stored_bits): the
 * share of a TPC of `entries` paths that says twice what is known: it stores 3 index and
 * address pairs a path, of which the `entries` L2 pairs and `upper` distinct L4 and L3 pairs are
 * needed. (2 entries - upper) / (3 entries), toward 2/3 for many entries; never below 0. A CPWC
 * has none (table 7 of the paper). */
double pwc_redundancy(uint64_t entries, uint64_t upper);

/* The sets of a TPC; pwc_ways (schema/parameters.h) are those of each. */
uint64_t pwc_tpc_sets(const struct pwc_config *config);

/* Bits of an index, of a page base address, of the address of a page-table entry (a multiple of 8),
 * of a CPWC entry (valid, index, address) and of a path. The paper counts addresses of 64 bits. */
enum {
    PWC_INDEX_BITS = 9,
    PWC_ADDRESS_BITS = 64,
    PWC_ENTRY_ADDRESS_BITS = 61,
    PWC_ENTRY_BITS = 74,
    PWC_PATH_BITS = 220
};

/* Most entries of a TPC, and of any level of the others. */
enum { PWC_ENTRIES_MAX = 65536 };

/* Entries of one block of the L2 level of a CPWC, and how many blocks (mask bits) there are. The
 * formula mask has a bit an entry, that is, blocks of one entry. */
uint64_t cpwc_block_entries(const struct pwc_config *config);
uint64_t cpwc_blocks(const struct pwc_config *config);
