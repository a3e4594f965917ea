/* Counts the accesses and misses of the L1Ds per instruction, identified by its kernel, pc and
 * operation. The pc alone is not enough: pcs of different kernels overlap, and in a trace without
 * pcs the operation still separates loads from stores. Launches with the same name are one kernel.
 *
 * Memory is bounded: beyond PCS_MOST instructions or kernels, further ones are counted together in
 * `others`. Counting costs one hash look-up. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/key_table.h"

enum { PCS_MOST = 4096 };

/* The classes of misses at both depths. A depth leaves the classes that it does not know at 0. */
enum miss_class {
    MISS_COMPULSORY,
    MISS_CAPACITY,
    MISS_ASSOCIATIVITY, /* called conflict at the other depths */
    MISS_FLUSH,
    MISS_STORE, /* not at the reuse depth */
    MISS_LATENCY,
    MISS_MSHR,
    MISS_CLASSES
};

/* Executions of a load by warps that the L1D served: how many, and the sums of the shares of their
 * accesses that missed and of the squares of these. */
struct pc_executions {
    uint64_t count;
    double shares, squares;
};

struct pc_count {
    uint32_t pc;
    uint16_t kernel; /* index among the table's kernels */
    uint8_t op;      /* enum memory_op */
    uint64_t accesses, misses;
    uint64_t classes[MISS_CLASSES];
    /* Timing depth only: requests that joined a line in flight; loads with the sum of their
     * latencies; cycles of schedulers that waited for this instruction. */
    uint64_t pending, loads, load_cycles, stalls;
    struct pc_executions executions; /* timing depth only */
    /* Where the L1D has a bypass policy (model/bypass): misses with and without a line; the lines
     * that it evicted with the hits of those, as far as its verdict rests on them; 1 + the cycle of
     * the first miss without a line, 0: none; the L1Ds and launches in which it was bypassed, and
     * those in which it missed. */
    uint64_t taken, bypassed, evicted, rehits, since, passing, missing;
};

struct pc_table {
    struct pc_count *items;
    size_t count, capacity;
    struct pc_count others;   /* the instructions that no longer fit */
    struct key_table numbers; /* finds items by key, until they are sorted */
    char **kernels;           /* names of launches, each once */
    size_t kernel_count, kernel_capacity;
    size_t kernel; /* index of the running kernel; PCS_MOST: one that no longer fits */
};

/* Begins a launch of the kernel `name` (or NULL). STATUS_MEMORY. */
enum status pc_table_launch(struct pc_table *table, const char *name);

/* The counters of an instruction of the running kernel, valid until the next call. NULL: no memory.
 */
struct pc_count *pc_table_at(struct pc_table *table, uint32_t pc, uint8_t op);

/* The kernel's name; "" if the trace has none. */
const char *pc_table_kernel(const struct pc_table *table, const struct pc_count *count);

/* An execution of which this share of the accesses missed. */
static inline void pc_execution_add(struct pc_executions *executions, double share)
{
    executions->count++;
    executions->shares += share;
    executions->squares += share * share;
}

/* The mean share of the executions; NaN: there was none. */
double pc_executions_mean(const struct pc_executions *executions);
/* The standard error of the mean of `sample` executions drawn at random; NaN: there was none. */
double pc_executions_error(const struct pc_executions *executions, uint64_t sample);

/* Adds the counts of `count` to those of `sum`. */
void pc_count_add(struct pc_count *sum, const struct pc_count *count);

/* Adds all counts of another table. STATUS_MEMORY. */
enum status pc_table_add(struct pc_table *table, const struct pc_table *other);

/* Sorts by stalls, then by misses, most first. Nothing can be added afterwards. */
void pc_table_sort(struct pc_table *table);
void pc_table_free(struct pc_table *table);
