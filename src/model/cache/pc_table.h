/* Accesses and misses of the L1Ds by the instruction that made them: its kernel, its pc and what it
 * does. Kernels count their pcs alike, so a pc alone is no instruction; where a trace has no pcs,
 * loads and stores still stand apart. Launches of one name are one kernel. Bounded: where a program
 * has more than PCS_MOST instructions or kernels, the later ones are counted together. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/key_table.h"

enum { PCS_MOST = 4096 };

/* Of misses, at either depth; what a depth does not know stays 0. */
enum miss_class {
    MISS_COMPULSORY,
    MISS_CAPACITY,
    MISS_ASSOCIATIVITY, /* at the functional depth: conflict */
    MISS_FLUSH,
    MISS_STORE, /* functional depth alone */
    MISS_LATENCY,
    MISS_MSHR,
    MISS_CLASSES
};

struct pc_count {
    uint32_t pc;
    uint16_t kernel; /* index among the table's kernels */
    uint8_t op;      /* enum memory_op */
    uint64_t accesses, misses;
    uint64_t classes[MISS_CLASSES];
};

struct pc_table {
    struct pc_count *items;
    size_t count, capacity;
    struct pc_count others;   /* of the instructions that found no place */
    struct key_table numbers; /* of items, until they are sorted */
    char **kernels;           /* names of launches, each once */
    size_t kernel_count, kernel_capacity;
    size_t kernel; /* the one that runs; PCS_MOST: one of those that found no place */
};

/* A launch of the kernel `name` (or NULL) begins. */
enum status pc_table_launch(struct pc_table *table, const char *name);

/* Where to count an instruction of the kernel that runs, until the next call; NULL: no memory. */
struct pc_count *pc_table_at(struct pc_table *table, uint32_t pc, uint8_t op);

/* "" where the trace names none. */
const char *pc_table_kernel(const struct pc_table *table, const struct pc_count *count);

/* Adds the counts of `count` to those of `sum`. */
void pc_count_add(struct pc_count *sum, const struct pc_count *count);

/* The most misses first. Nothing can be added afterwards. */
void pc_table_sort(struct pc_table *table);
void pc_table_free(struct pc_table *table);
