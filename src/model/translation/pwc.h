/* Page-walk caches: they keep upper levels of the page table, so that a walk need not read them
 * (papers: a compressed page walk cache structure, 2020). Each organization is a struct pwc_kind
 * behind one interface; pwc_none.c, pwc_tpc.c, pwc_stc.c, pwc_uptc.c and pwc_cpwc.c implement them.
 *
 * A cache sees walks in order and knows no time; model/translation/walkers.h adds it. A walk takes
 * constant time, except for the CPWC when it drops blocks. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "model/translation/page_table.h"
#include "schema/machine.h"
#include "schema/memory_array.h"

struct page_indices {
    uint16_t l4, l3, l2, l1; /* 9 bits each: address bits 47:39, 38:30, 29:21 and 20:12 */
};

struct page_indices page_split(uint64_t address);

struct pwc;

struct pwc_counts {
    uint64_t walks;
    uint64_t l4_hits, l3_hits, l2_hits; /* a walk that hits L2 counts in all three */
    uint64_t memory_accesses;           /* page-table entries read from memory */
    uint64_t lookup_cycles;
    /* Bits stored after each walk, and those of them stored redundantly, summed over walks
     * (pwc.redundancy). */
    uint64_t stored_bits, duplicate_bits;
    uint64_t tpc_accesses; /* page-table entries that a TPC with as many bits would have read */
};

/* How far a look-up got: the deepest level that was found. */
enum pwc_hit { PWC_HIT_NONE = 0, PWC_HIT_L4 = 1, PWC_HIT_L3 = 2, PWC_HIT_L2 = 3 };

struct pwc_lookup {
    unsigned cycles; /* until the result is known */
    unsigned levels; /* levels that were searched */
};

/* A valid entry, for display. */
struct pwc_entry {
    enum pwc_hit level; /* the level of its deepest index */
    struct page_indices
        path;         /* indices down to that level; in a CPWC those above come from its parents */
    const char *text; /* "L3[0] 458 mask 1000"; valid during the call */
};

typedef void (*pwc_visitor)(void *argument, const struct pwc_entry *entry);

struct pwc_kind { /* an organization: a row of PWC_LIST */
    const char *name;
    /* Describes its memories and returns their number. */
    size_t (*arrays)(const struct pwc_config *config, struct memory_array arrays[MEMORY_ARRAYS]);
    size_t size; /* of its struct, which begins with struct pwc */
    /* Makes it of zeros, with memory of pwc->arrays; NULL: there is nothing to make. */
    enum status (*init)(const struct pwc_config *config, struct pwc *pwc);
    /* Looks up and fills. `depth` is the deepest level that may be cached: PWC_HIT_L2, or
     * PWC_HIT_L3 if the L2 entry is itself a translation (2 MiB pages). */
    enum pwc_hit (*walk)(struct pwc *pwc, struct page_indices indices, enum pwc_hit depth);
    /* Returns what walk would return, but changes nothing. */
    enum pwc_hit (*probe)(const struct pwc *pwc, struct page_indices indices, enum pwc_hit depth);
    /* The cost of a look-up that got as far as `hit`. */
    struct pwc_lookup (*lookup)(enum pwc_hit hit, enum pwc_hit depth);
    void (*visit)(const struct pwc *pwc, pwc_visitor visitor, void *argument);
};

extern const struct pwc_kind *const pwc_kinds[PWC_COUNT];

uint64_t pwc_bits(const struct pwc_config *config);

/* STATUS_INVALID: the configuration breaks the rules of machine_check. STATUS_MEMORY. */
enum status pwc_create(const struct pwc_config *config, uint64_t page_size, struct pwc **pwc);

/* Like pwc_create, but with a fully associative TPC of about the same number of bits beside it
 * (pwc_equal_tpc). The TPC sees the same walks and starts empty too; it counts
 * pwc_counts.tpc_accesses. A fully associative TPC is compared with itself. If there is no such
 * TPC, nothing is compared. */
enum status pwc_create_compared(const struct pwc_config *config, uint64_t page_size,
                                struct pwc **pwc);
void pwc_free(struct pwc *pwc); /* NULL is allowed */
/* A cache that stands where `pwc` stands; NULL: there is no memory. */
struct pwc *pwc_copy(const struct pwc *pwc);
/* Adds to a hash (base/mix.h) what its further answers follow from. */
void pwc_mix(const struct pwc *pwc, uint64_t *hash);

/* Entries of the TPC that pwc_create_compared runs: the bits divided by those of a path, rounded up
 * so that no organization gains from a fraction of a path. 0: there is none (no bits, or too many).
 */
uint64_t pwc_equal_tpc(const struct pwc_config *config);

/* Simulates one walk: looks up, reads what is missing, fills. It reads page_levels minus the levels
 * found: 4, 3, 2 or 1 entries for 4 KiB pages, 3, 2 or 1 for 2 MiB pages. */
enum pwc_hit pwc_walk(struct pwc *pwc, uint64_t address);
/* Like pwc_walk, but counts nothing: for the walks of a warm-up. */
enum pwc_hit pwc_warm(struct pwc *pwc, uint64_t address);
/* The number of page-table entries that a walk of this address would read now; changes nothing. */
unsigned pwc_probe(const struct pwc *pwc, uint64_t address);
void pwc_read_counts(const struct pwc *pwc, struct pwc_counts *counts);

/* Visits every valid entry, level by level, in the order of their places. */
void pwc_visit(const struct pwc *pwc, pwc_visitor visitor, void *argument);

/* Prints the texts of the entries, one per line. */
void pwc_print(const struct pwc *pwc, FILE *out);

struct pwc_lookup pwc_lookup_cost(const struct pwc *pwc, enum pwc_hit hit);

/* The formula of table 7 in the paper, not a measurement (that is pwc_counts.duplicate_bits /
 * stored_bits): the redundant share of a TPC of `entries` paths. It stores 3 index and address
 * pairs per path; the `entries` L2 pairs and `upper` distinct L4 and L3 pairs are needed. So (2
 * entries - upper) / (3 entries), which approaches 2/3; never below 0. A CPWC has no redundancy. */
double pwc_redundancy(uint64_t entries, uint64_t upper);

/* The sets of a TPC; pwc_ways (schema/parameters.h) are those of each. */
uint64_t pwc_tpc_sets(const struct pwc_config *config);

/* Bits of an index, of a page base address, of the address of a page-table entry (a multiple of 8),
 * of a CPWC entry (valid, index, address) and of a TPC path. The paper assumes 64-bit addresses. */
enum {
    PWC_INDEX_BITS = 9,
    PWC_ADDRESS_BITS = 64,
    PWC_ENTRY_ADDRESS_BITS = 61,
    PWC_ENTRY_BITS = 74,
    PWC_PATH_BITS = 220
};

/* The most entries of a TPC, and of any level of the others. */
enum { PWC_ENTRIES_MAX = 65536 };

/* Entries of one block of the L2 level of a CPWC, and the number of blocks, which is the number of
 * mask bits. The formula mask has one bit per entry: blocks of one entry. */
uint64_t cpwc_block_entries(const struct pwc_config *config);
uint64_t cpwc_blocks(const struct pwc_config *config);
