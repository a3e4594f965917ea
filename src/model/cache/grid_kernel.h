/* The inner loops of grid.h, one file an instruction set: grid_plain.c, grid_avx2.c, grid_avx512.c.
 * All leave the same lists and the same counts behind.
 *
 * A list holds the lines of one set, most recent first, as codes of 16 bits in `lanes` places;
 * where tags need 32 bits a second plane of as many places holds the upper halves. 0 is an empty
 * place. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    GRID_WAYS = 32,    /* the most places of a list */
    GRID_LOCKSTEP = 6, /* the most levels that a kernel works on at once */
    GRID_STEP = 1024   /* the most items of one call; below 2^16 because of 16-bit counters */
};

/* Part of the items through the lists of one level: one line size, number of sets and index. The
 * items of several levels are independent, which is what a processor needs to overlap the long
 * way from one list to the next state of the same list. */
struct grid_work {
    unsigned char *lists;     /* of one unit, aligned to 64 */
    unsigned planes;          /* 1 or 2 */
    const uint32_t *offsets;  /* of each item's list, in bytes */
    const uint32_t *codes[2]; /* of each item: the low and the high half, both written twice */
    uint32_t hits[GRID_WAYS], write_hits[GRID_WAYS]; /* added to; by place */
};

struct grid_job {
    struct grid_work works[GRID_LOCKSTEP]; /* those of two planes first */
    unsigned count;                        /* of works */
    unsigned lanes;                        /* of all: 4, 8, 16 or 32 */
    const uint32_t *items;                 /* bit 0: a store */
    size_t item_count;
    int writes; /* count write_hits */
    /* Items that the last work did not find at the front are appended; room for one item more than
     * there are. */
    uint32_t *kept;
    size_t kept_count;
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
    /* Offsets and codes for a power of two of sets without a hash; `high` may be NULL. */
    void (*place)(const uint32_t *items, size_t count, unsigned set_bits, unsigned list_bits,
                  uint32_t *offsets, uint32_t *low, uint32_t *high);
};

extern const struct grid_kernel grid_plain, grid_avx2, grid_avx512;

#define GRID_TEMPLATE static inline __attribute__((always_inline))

/* Written once, compiled for each instruction set: the compiler makes vectors of it. */
GRID_TEMPLATE void grid_place(const uint32_t *restrict items, size_t count, unsigned set_bits,
                              unsigned list_bits, uint32_t *restrict offsets,
                              uint32_t *restrict low, uint32_t *restrict high)
{
    uint32_t mask = (UINT32_C(1) << set_bits) - 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t line = items[i] >> 1, code = (line >> set_bits) + 1;
        offsets[i] = (line & mask) << list_bits;
        low[i] = (code & 0xffff) * 0x10001;
    }
    for (size_t i = 0; high && i < count; i++)
        high[i] = (((items[i] >> 1 >> set_bits) + 1) >> 16) * 0x10001;
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

/* Four places are one 64-bit word: no vectors needed. A zero 16-bit field of x = list ^ tag is
 * found by the borrow of a subtraction; the lowest one found is a true one. */
GRID_TEMPLATE uint64_t grid_word_equal(uint64_t low, uint64_t high, unsigned planes)
{
    const uint64_t ones = UINT64_C(0x0001000100010001), tops = ones << 15;
    if (planes == 1)
        return (low - ones) & ~low & tops;
    uint64_t both = low | high;
    return (both - ones) & ~both & tops;
}

GRID_TEMPLATE uint64_t grid_step_word(const struct grid_work *work, size_t i, unsigned planes)
{
    const uint64_t ones = UINT64_C(0x0001000100010001);
    uint64_t *list = (uint64_t *)(void *)(work->lists + work->offsets[i]);
    uint64_t low = work->codes[0][i] & 0xffff, high = 0, difference_high = 0;
    if (planes == 2) {
        high = work->codes[1][i] & 0xffff;
        difference_high = list[1] ^ high * ones;
    }
    uint64_t equal = grid_word_equal(list[0] ^ low * ones, difference_high, planes);
    uint64_t moved = equal ^ (equal - 1); /* up to the top of the field found; all, if none */
    list[0] = ((list[0] << 16 | low) & moved) | (list[0] & ~moved);
    if (planes == 2)
        list[1] = ((list[1] << 16 | high) & moved) | (list[1] & ~moved);
    return (equal & -equal) >> 15;
}

/* Works on `count` of the lists of four places, from `works` on. Their counts are in the four
 * fields of a word, which GRID_STEP does not overflow. */
GRID_TEMPLATE void grid_run_words(struct grid_job *job, struct grid_work *works, unsigned count,
                                  unsigned planes)
{
    uint64_t hits[GRID_LOCKSTEP] = {0}, write_hits[GRID_LOCKSTEP] = {0};
    struct grid_work local[GRID_LOCKSTEP];
    const uint32_t *items = job->items;
    uint32_t *first = job->kept + job->kept_count, *kept = first;
    for (unsigned w = 0; w < count; w++)
        local[w] = works[w];
    for (size_t i = 0; i < job->item_count; i++) {
        uint64_t hit = 0;
        for (unsigned w = 0; w < count; w++) {
            hit = grid_step_word(&local[w], i, planes);
            hits[w] += hit;
            write_hits[w] += hit & -(uint64_t)(items[i] & 1);
        }
        *kept = items[i];
        kept += !(hit & 1);
    }
    if (works + count == job->works + job->count)
        job->kept_count += (size_t)(kept - first);
    for (unsigned w = 0; w < count; w++)
        for (unsigned place = 0; place < 4; place++) {
            works[w].hits[place] += hits[w] >> (16 * place) & 0xffff;
            works[w].write_hits[place] += write_hits[w] >> (16 * place) & 0xffff;
        }
}

GRID_TEMPLATE void grid_run_all_words(struct grid_job *job)
{
    for (unsigned w = 0; w < job->count;) {
        struct grid_work *works = &job->works[w];
        if (works->planes == 2)
            grid_run_words(job, works, 1, 2);
        else if (job->count - w >= 3)
            grid_run_words(job, works, 3, 1);
        else
            grid_run_words(job, works, 1, 1);
        w += works->planes == 1 && job->count - w >= 3 ? 3 : 1;
    }
}
