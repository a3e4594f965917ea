/* Accesses and misses of the L1Ds by the instruction that made them. Bounded: where a program has
 * more than PCS_MOST instructions that load, the later ones are counted together. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { PCS_MOST = 4096 };

/* Of misses, at either depth; what a depth does not know stays 0. */
enum miss_class {
    MISS_COMPULSORY,
    MISS_CAPACITY,
    MISS_ASSOCIATIVITY, /* at the functional depth: conflict */
    MISS_LATENCY,       /* at the functional depth: flush */
    MISS_MSHR,
    MISS_CLASSES
};

struct pc_count {
    uint32_t pc;
    uint64_t accesses, misses;
    uint64_t classes[MISS_CLASSES];
};

struct pc_table {
    struct pc_count *items;
    size_t count, capacity;
    struct pc_count others; /* of the instructions that found no place */
    uint16_t *slots;        /* item + 1, 0 = empty; NULL: sorted, or nothing was added yet */
};

/* Where to count, until the next call; NULL: no memory. */
struct pc_count *pc_table_at(struct pc_table *table, uint32_t pc);

/* Adds the counts of `count` to those of `sum`. */
void pc_count_add(struct pc_count *sum, const struct pc_count *count);

/* The most misses first. Nothing can be added afterwards. */
void pc_table_sort(struct pc_table *table);
void pc_table_free(struct pc_table *table);
