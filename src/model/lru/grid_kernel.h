/* The inner loops of grid.h, one file per instruction set: grid_plain.c, grid_avx2.c and
 * grid_avx512.c. All leave identical lists and counts.
 *
 * A list holds the lines of one set, most recent first, as 16-bit codes in 8, 16 or 32 places. If
 * tags need 32 bits, a second plane with as many places holds the upper halves. Code 0 is an empty
 * place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cache/set_index.h"

enum {
    GRID_WAYS = 32,    /* most places of a list */
    GRID_LOCKSTEP = 6, /* most rows that a kernel runs at once */
    /* Most items of one call, so that intermediate results stay in the first-level cache; below
     * 2^16 because counters have 16 bits. */
    GRID_STEP = 256
};

/* The number of places of a list that must hold `ways` lines, at most GRID_WAYS. */
static inline unsigned grid_lanes(uint64_t ways)
{
    unsigned lanes = 8;
    while (lanes < ways)
        lanes *= 2;
    return lanes;
}

/* Runs items through the lists of one row: one line size, number of sets and index. Rows are
 * independent of each other, which lets the processor overlap the long latency from one state of a
 * list to its next. */
struct grid_work {
    unsigned char *lists;     /* lists of one instance, aligned to 64 bytes */
    unsigned planes;          /* 1 or 2 */
    const uint32_t *offsets;  /* [item]: byte offset of its list */
    const uint32_t *codes[2]; /* [item]: low and high half of its code, each written twice */
    uint32_t hits[GRID_WAYS], write_hits[GRID_WAYS]; /* hits by place, added to */
};

struct grid_job {
    struct grid_work works[GRID_LOCKSTEP]; /* works with two planes come first */
    unsigned count;                        /* number of works */
    unsigned lanes;                        /* lanes of all lists: 8, 16 or 32 */
    const uint32_t *items;                 /* bit 0 marks a store */
    size_t item_count;
    int writes;                          /* count write_hits */
    const struct grid_fifo_layout *fifo; /* [GRID_FIFO_VECTORS] */
    /* Items that the last work did not find at the front are appended here; needs room for one item
     * more than there are. */
    uint32_t *kept;
    size_t kept_count;
};

enum { GRID_REGION_BITS = SMALL_LINE_BITS }; /* most bits of a line's place in its region */

/* A set index other than the low bits of a line. The set of a line is the sum of what its region
 * and its place there contribute, by exclusive or (INDEX_XORS) or modulo the sets
 * (INDEX_REMAINDER). */
struct grid_hash {
    const struct set_index *index;
    const uint32_t *region_sets; /* [region]: set of its first line */
    unsigned region_bits;        /* log2 of the lines of a region; at most GRID_REGION_BITS */
    uint32_t list_bytes;
    /* 2^reciprocal_bits / the index's reach, rounded up: see grid_reciprocal */
    uint64_t reciprocal;
    unsigned reciprocal_bits;
};

/* Selects the items of a share: those for which (item ^ item >> fold) & mask equals `number`. */
struct grid_choice {
    unsigned fold;
    uint32_t mask, number;
};

/* The layout of the lists of a row. Sets that differ only in the lowest share_bits use one list,
 * because a share of the lines uses at most one of them. */
struct grid_order {
    unsigned set_bits, share_bits;
    unsigned list_bits; /* log2 of the bytes per list */
};

struct grid_kernel {
    const char *name;
    int (*supported)(void);
    void (*run)(struct grid_job *job);
    void (*run_fifo)(struct grid_job *job); /* grid_fifo.h */
    /* Raises *top to the largest item, and returns how many items are stores. */
    size_t (*survey)(const uint32_t *items, size_t count, uint32_t *top);
    /* Turns items of a finer line size into lines, dropping each that repeats its predecessor.
     * *last is the line before the first, and is updated. `lines` may be `items`. Returns how many
     * are left. */
    size_t (*collapse)(const uint32_t *items, size_t count, unsigned shift, uint32_t *last,
                       uint32_t *lines);
    /* Copies the items of a share, in order; needs room for 16 more than there are. Returns how
     * many there are. */
    size_t (*choose)(const uint32_t *items, size_t count, const struct grid_choice *choice,
                     uint32_t *chosen);
    /* Computes offsets and codes if the sets are a power of two without a hash; `high` may be NULL.
     */
    void (*place)(const uint32_t *items, size_t count, const struct grid_order *order,
                  uint32_t *offsets, uint32_t *low, uint32_t *high);
    /* Computes offsets for any other index. */
    void (*place_hashed)(const uint32_t *items, size_t count, const struct grid_hash *hash,
                         uint32_t *offsets);
};

extern const struct grid_kernel grid_plain, grid_avx2, grid_avx512;

#define GRID_TEMPLATE static inline __attribute__((always_inline))

enum { GRID_PAGE_BITS = 12 };

/* Written once and compiled for each instruction set; the compiler vectorizes it.
 *
 * Sets that are a power of two apart, as an access stride makes them, must not be as far apart in
 * memory: lists at the same place of a page share a set of the processor's first-level cache, and
 * its loads wait for stores to any of them. So the place of a list in its page also depends on the
 * higher bits. The order is that of one-plane lists even with two planes, so adding the second
 * plane moves no set. */
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

/* Prepares n / sets = n * reciprocal >> reciprocal_bits, exact for n below 2^GRID_REGION_BITS (T.
 * Granlund and P. L. Montgomery, "Division by invariant integers using multiplication", 1994). */
static inline void grid_reciprocal(uint32_t sets, struct grid_hash *hash)
{
    unsigned bits = 0;
    while (UINT32_C(1) << bits < sets)
        bits++;
    hash->reciprocal_bits = GRID_REGION_BITS + bits;
    hash->reciprocal = ((UINT64_C(1) << hash->reciprocal_bits) + sets - 1) / sets;
}

GRID_TEMPLATE void grid_place_function(const uint32_t *restrict items, size_t count,
                                       const struct grid_hash *hash, int function, unsigned traits,
                                       uint32_t *restrict offsets)
{
    const struct set_index *index = hash->index;
    const uint32_t *region_sets = hash->region_sets;
    const uint32_t sets = (uint32_t)index->reach, bytes = hash->list_bytes;
    const uint64_t reciprocal = hash->reciprocal;
    const unsigned region_bits = hash->region_bits, shift = hash->reciprocal_bits;
    const uint32_t mask = (UINT32_C(1) << region_bits) - 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t line = items[i] >> 1, region = region_sets[line >> region_bits], set;
        uint32_t place = line & mask;
        if (traits & INDEX_REMAINDER) {
            set = region + place - (uint32_t)(place * reciprocal >> shift) * sets;
            set -= set >= sets ? sets : 0;
        } else {
            set = region ^ set_index_map_small(index, function, place);
        }
        offsets[i] = set * bytes;
    }
}

GRID_TEMPLATE void grid_place_hashed(const uint32_t *items, size_t count,
                                     const struct grid_hash *hash, uint32_t *offsets)
{
#define CASE(function, name, help, traits, ...)                                                    \
    case function:                                                                                 \
        grid_place_function(items, count, hash, function, traits, offsets);                        \
        return;
    switch ((enum index_function)hash->index->function) {
        INDEX_LIST(CASE)
    }
#undef CASE
}

GRID_TEMPLATE size_t grid_survey(const uint32_t *items, size_t count, uint32_t *top)
{
    uint32_t largest = *top, stores = 0; /* a block has fewer than 2^32 items */
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
