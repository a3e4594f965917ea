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
    GRID_LOCKSTEP = 4, /* the most levels that a kernel works on at once */
    GRID_STEP = 1024   /* the most items of one call; below 2^16 because of 16-bit counters */
};

/* Part of the items through the lists of one level: one line size, number of sets and index. The
 * items of several levels are independent, which is what a processor needs to overlap the long
 * way from one list to the next state of the same list. */
struct grid_work {
    unsigned char *lists;     /* of one unit, aligned to 64 */
    const uint32_t *offsets;  /* of each item's list, in bytes */
    const uint32_t *codes[2]; /* of each item: the low and the high half, both written twice */
    uint32_t hits[GRID_WAYS], write_hits[GRID_WAYS]; /* added to; by place */
};

struct grid_job {
    struct grid_work works[GRID_LOCKSTEP];
    unsigned count;         /* of works */
    unsigned lanes, planes; /* 4, 8, 16 or 32; 1 or 2 */
    const uint32_t *items;  /* bit 0: a store */
    size_t item_count;
    int writes; /* count write_hits */
    /* Where not NULL: items that the last work did not find at the front are appended. */
    uint32_t *kept;
    size_t kept_count;
};

struct grid_kernel {
    const char *name;
    int (*supported)(void);
    void (*run)(struct grid_job *job);
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

GRID_TEMPLATE uint64_t grid_step_word(struct grid_work *work, size_t i, unsigned planes)
{
    uint64_t *list = (uint64_t *)(void *)(work->lists + work->offsets[i]);
    uint64_t low = (uint64_t)work->codes[0][i] << 32 | work->codes[0][i], high = 0;
    if (planes == 2)
        high = (uint64_t)work->codes[1][i] << 32 | work->codes[1][i];
    uint64_t equal = grid_word_equal(list[0] ^ low, planes == 2 ? list[1] ^ high : 0, planes);
    uint64_t moved = equal ^ (equal - 1); /* up to the top of the field found; all, if none */
    list[0] = ((list[0] << 16 | (low & 0xffff)) & moved) | (list[0] & ~moved);
    if (planes == 2)
        list[1] = ((list[1] << 16 | (high & 0xffff)) & moved) | (list[1] & ~moved);
    return equal & -equal;
}

/* The lists of four places; counts in the four fields of a word, which GRID_STEP does not
 * overflow. */
GRID_TEMPLATE void grid_run_word_lists(struct grid_job *job, unsigned planes)
{
    for (unsigned w = 0; w < job->count; w++) {
        struct grid_work *work = &job->works[w];
        uint64_t hits = 0, write_hits = 0;
        size_t kept = job->kept_count;
        uint32_t *out = w + 1 == job->count ? job->kept : NULL;
        for (size_t i = 0; i < job->item_count; i++) {
            uint64_t hit = grid_step_word(work, i, planes) >> 15;
            hits += hit;
            write_hits += hit & -(uint64_t)(job->items[i] & 1);
            if (out) {
                out[kept] = job->items[i];
                kept += !(hit & 1);
            }
        }
        job->kept_count = kept;
        for (unsigned place = 0; place < 4; place++) {
            work->hits[place] += hits >> (16 * place) & 0xffff;
            work->write_hits[place] += write_hits >> (16 * place) & 0xffff;
        }
    }
}

GRID_TEMPLATE void grid_run_words(struct grid_job *job)
{
    if (job->planes == 1)
        grid_run_word_lists(job, 1);
    else
        grid_run_word_lists(job, 2);
}
