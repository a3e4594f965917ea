/* What profilers counted on real GPUs for kernels that are fully known: a table in the program,
 * with the source of each row. Our numbers stand beside them and are never fitted to them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* X(ID, name, unit, help): the counters. Rates are in percent. */
#define SILICON_COUNTER_LIST(X)                                                                    \
    X(LOADS, "loads", "load instructions of warps (requests)")                                     \
    X(LOAD_SECTORS, "load sectors", "sectors of 32 B that they ask the L1 for")                    \
    X(STORES, "stores", "store instructions of warps")                                             \
    X(STORE_SECTORS, "store sectors", "sectors that they write")                                   \
    X(L1_HITS, "L1 hit %", "hit rate of the L1, loads and stores together: l1d.hw_hit_rate")       \
    X(L2_HITS, "L2 hit %", "hit rate of the L2: l2.hw_hit_rate")                                   \
    X(CYCLES, "cycles", "cycles of the kernel: core.cycles")                                       \
    X(TIME, "us", "duration in microseconds: the cycles at gpu.clock")

enum silicon_counter {
#define SILICON_COUNTER_ENUM(id, ...) SILICON_##id,
    SILICON_COUNTER_LIST(SILICON_COUNTER_ENUM) SILICON_COUNTERS
#undef SILICON_COUNTER_ENUM
};

struct silicon_value {
    int counter; /* 1 + enum silicon_counter; 0 ends the list */
    double value;
};

enum { SILICON_VALUES_MAX = 8 };

struct silicon_row {
    const char *id;      /* of the row in the reference data */
    const char *gpu;     /* as the source names it */
    const char *machine; /* ours */
    const char *sets;    /* what differs from it: "PATH=VALUE PATH=VALUE" */
    const char *kernel;  /* as the source names it */
    const char *workload;
    const char *group; /* rows of one group are variants of one problem on one GPU, of which the
                        * order of times is compared; NULL: none */
    unsigned launches; /* of the workload, the first ones; 0: all */
    const char *source;
    struct silicon_value values[SILICON_VALUES_MAX + 1];
    bool warm; /* the time is the mean of launches one after the other, which find what those
                * before them left in the L2 */
};

extern const struct silicon_row silicon_rows[]; /* ended by a row without an id */

/* What was counted; NaN if it was not. */
double silicon_measured(const struct silicon_row *row, enum silicon_counter counter);
