/* The inner loops of grid.h, one file an instruction set: grid_plain.c, grid_avx2.c, grid_avx512.c.
 * All leave the same lists and the same counts behind.
 *
 * A list holds the lines of one set, most recent first, as codes of 16 bits in `lanes` places;
 * where tags need 32 bits a second plane of as many places holds the upper halves. 0 is an empty
 * place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cache/set_index.h"

enum {
    GRID_WAYS = 32,    /* the most places of a list */
    GRID_LOCKSTEP = 6, /* the most rows that a kernel works on at once */
    /* The most items of one call, so that what is made of them stays near; below 2^16 because of
     * counters of 16 bits. */
    GRID_STEP = 256
};

/* How many places a list has that is to hold so many lines, at most GRID_WAYS. */
static inline unsigned grid_lanes(uint64_t ways)
{
    unsigned lanes = 8;
    while (lanes < ways)
        lanes *= 2;
    return lanes;
}

/* Part of the items through the lists of one row: one line size, number of sets and index. The
 * items of several rows are independent, which is what a processor needs to overlap the long
 * way from one list to the next state of the same list. */
struct grid_work {
    unsigned char *lists;     /* of one instance, aligned to 64 */
    unsigned planes;          /* 1 or 2 */
    const uint32_t *offsets;  /* of each item's list, in bytes */
    const uint32_t *codes[2]; /* of each item: the low and the high half, both written twice */
    uint32_t hits[GRID_WAYS], write_hits[GRID_WAYS]; /* added to; by place */
};

struct grid_job {
    struct grid_work works[GRID_LOCKSTEP]; /* those of two planes first */
    unsigned count;                        /* of works */
    unsigned lanes;                        /* of all: 8, 16 or 32 */
    const uint32_t *items;                 /* bit 0: a store */
    size_t item_count;
    int writes;                          /* count write_hits */
    const struct grid_fifo_layout *fifo; /* of GRID_FIFO_VECTORS vectors */
    /* Items that the last work did not find at the front are appended; room for one item more than
     * there are. */
    uint32_t *kept;
    size_t kept_count;
};

enum { GRID_REGION_BITS = 24 }; /* the most bits of a line's place in its region */

/* A set index that is not just the low bits of a line: the set of a line is what its region and
 * what its place there add up to. All functions but the modulo are linear over exclusive or. */
struct grid_hash {
    const struct set_index *index;
    const uint32_t *region_sets; /* of each region: the set of its first line */
    unsigned region_bits;        /* of lines; at most GRID_REGION_BITS */
    uint32_t list_bytes;
    uint64_t reciprocal; /* of the sets, rounded up, times 2^reciprocal_bits: see grid_reciprocal */
    unsigned reciprocal_bits;
};

/* The items of a share: those of which item ^ item >> fold has `number` in the bits of `mask`. */
struct grid_choice {
    unsigned fold;
    uint32_t mask, number;
};

/* How the lists of a row lie: sets that differ in the lowest share_bits are one list, because in
 * a share of the lines one of them at most is used. */
struct grid_order {
    unsigned set_bits, share_bits;
    unsigned list_bits; /* log2 of the bytes of a list */
};

struct grid_kernel {
    const char *name;
    int (*supported)(void);
    void (*run)(struct grid_job *job);
    void (*run_fifo)(struct grid_job *job); /* grid_fifo.h */
    /* The largest item, where that is above *top, and how many are stores. */
    size_t (*survey)(const uint32_t *items, size_t count, uint32_t *top);
    /* Lines from items of finer lines: drops each that repeats the line before it; *last is the
     * line before the first, and of the last. `lines` may be `items`. Returns how many are left. */
    size_t (*collapse)(const uint32_t *items, size_t count, unsigned shift, uint32_t *last,
                       uint32_t *lines);
    /* The items of a share, in order; room for 16 more than there are. Returns how many. */
    size_t (*choose)(const uint32_t *items, size_t count, const struct grid_choice *choice,
                     uint32_t *chosen);
    /* Offsets and codes for a power of two of sets without a hash; `high` may be NULL. */
    void (*place)(const uint32_t *items, size_t count, const struct grid_order *order,
                  uint32_t *offsets, uint32_t *low, uint32_t *high);
    /* Offsets for any other index. */
    void (*place_hashed)(const uint32_t *items, size_t count, const struct grid_hash *hash,
                         uint32_t *offsets);
};

extern const struct grid_kernel grid_plain, grid_avx2, grid_avx512;

#define GRID_TEMPLATE static inline __attribute__((always_inline))

enum { GRID_PAGE_BITS = 12 };

/* Written once, compiled for each instruction set: the compiler makes vectors of it. Sets that are
 * a power of two apart, as those of a stride are, must not lie as far apart as that in memory:
 * lists with the same place in a page share a set of the processor's first cache, and its loads
 * wait for stores to any of them. So a list's place in its page depends on the bits above too. The
 * order is that of lists of one plane, also with two: getting the second one moves no set. */
GRID_TEMPLATE void grid_place(const uint32_t *restrict items, size_t count,
                              const struct grid_order *order, uint32_t *restrict offsets,
                              uint32_t *restrict low, uint32_t *restrict high)
{
    const unsigned set_bits = order->set_bits, list_bits = order->list_bits;
    const unsigned share_bits = order->share_bits;
    const uint32_t mask = (UINT32_C(1) << set_bits) - 1;
    const unsigned page_bits = GRID_PAGE_BITS - list_bits + (high != NULL);
    for (size_t i = 0; i < count; i++) {
        uint32_t line = items[i] >> 1, code = (line >> set_bits) + 1;
        uint32_t list = (line & mask) >> share_bits;
        offsets[i] = (list ^ list >> page_bits) << list_bits;
        low[i] = code << 16 | (code & 0xffff);
    }
    for (size_t i = 0; high && i < count; i++) {
        uint32_t code = (items[i] >> 1 >> set_bits) + 1;
        high[i] = code >> 16 | (code & 0xffff0000);
    }
}

/* Makes n / sets = n * reciprocal >> reciprocal_bits exact for n below 2^GRID_REGION_BITS (T.
 * Granlund and P. L. Montgomery, "Division by invariant integers using multiplication", 1994). */
static inline void grid_reciprocal(uint32_t sets, struct grid_hash *hash)
{
    unsigned bits = 0;
    while (UINT32_C(1) << bits < sets)
        bits++;
    hash->reciprocal_bits = GRID_REGION_BITS + bits;
    hash->reciprocal = ((UINT64_C(1) << hash->reciprocal_bits) + sets - 1) / sets;
}

GRID_TEMPLATE uint32_t grid_local_set(const struct set_index *index, int function, uint32_t line)
{
    if (function == INDEX_IPOLY)
        return index->fold[0][line & 255] ^ index->fold[1][line >> 8 & 255] ^
               index->fold[2][line >> 16];
    return (uint32_t)set_index_map(index, function, line);
}

GRID_TEMPLATE void grid_place_function(const uint32_t *restrict items, size_t count,
                                       const struct grid_hash *hash, int function,
                                       uint32_t *restrict offsets)
{
    const struct set_index *index = hash->index;
    const uint32_t *region_sets = hash->region_sets;
    const uint32_t sets = (uint32_t)index->sets, bytes = hash->list_bytes;
    const uint64_t reciprocal = hash->reciprocal;
    const unsigned region_bits = hash->region_bits, shift = hash->reciprocal_bits;
    const uint32_t mask = (UINT32_C(1) << region_bits) - 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t line = items[i] >> 1, region = region_sets[line >> region_bits], set;
        uint32_t place = line & mask;
        if (function == INDEX_MODULO) { /* the modulo */
            set = region + place - (uint32_t)(place * reciprocal >> shift) * sets;
            set -= set >= sets ? sets : 0;
        } else {
            set = region ^ grid_local_set(index, function, place);
        }
        offsets[i] = set * bytes;
    }
}

GRID_TEMPLATE void grid_place_hashed(const uint32_t *items, size_t count,
                                     const struct grid_hash *hash, uint32_t *offsets)
{
    switch ((enum index_function)hash->index->function) {
    case INDEX_MODULO:
        grid_place_function(items, count, hash, INDEX_MODULO, offsets);
        return;
    case INDEX_XOR:
        grid_place_function(items, count, hash, INDEX_XOR, offsets);
        return;
    case INDEX_FERMI:
        grid_place_function(items, count, hash, INDEX_FERMI, offsets);
        return;
    case INDEX_IPOLY:
        grid_place_function(items, count, hash, INDEX_IPOLY, offsets);
        return;
    }
}

GRID_TEMPLATE size_t grid_survey(const uint32_t *items, size_t count, uint32_t *top)
{
    uint32_t largest = *top, stores = 0; /* a block has less than 2^32 items */
    for (size_t i = 0; i < count; i++) {
        largest = items[i] > largest ? items[i] : largest;
        stores += items[i] & 1;
    }
    *top = largest;
    return stores;
}

GRID_TEMPLATE size_t grid_choose(const uint32_t *items, size_t count,
                                 const struct grid_choice *choice, uint32_t *chosen)
{
    const struct grid_choice by = *choice;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t item = items[i];
        chosen[kept] = item;
        kept += ((item ^ item >> by.fold) & by.mask) == by.number;
    }
    return kept;
}

GRID_TEMPLATE size_t grid_collapse(const uint32_t *items, size_t count, unsigned shift,
                                   uint32_t *last, uint32_t *lines)
{
    uint32_t before = *last;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t line = items[i] >> 1 >> shift;
        lines[kept] = line << 1 | (items[i] & 1);
        kept += line != before;
        before = line;
    }
    *last = before;
    return kept;
}
