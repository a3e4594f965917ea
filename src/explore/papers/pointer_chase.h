/* A pointer chase over a memory hierarchy: how long a load takes that waits for the one before it,
 * over the size of the ring that it goes around. From that: latency and capacity of each level,
 * what the L1D fetches at once, and the reach of the TLB.
 *
 * Invariant: it knows nothing but mean times of loads. What measures them is hidden in one
 * function, so that one inference serves our machines (pointer_chase_machine) and real GPUs
 * (tests/hardware). Cost: about 60 chases, each of at least two rounds. */
#pragma once

#include "explore/papers/probe.h"

struct pointer_chase_lab {
    /* One thread follows a ring of words that are `stride` bytes apart in `bytes` of memory. Sets
     * *cycles to the mean time of a load once every word was loaded before. */
    enum status (*time_ring)(void *context, uint64_t bytes, uint64_t stride, double *cycles);
    void *context;
    uint64_t least, most; /* the smallest and the largest ring; powers of two */
    uint64_t memory;      /* no ring may be larger than this; 0: any may */
    double noise;         /* by how much equal times may differ, as a share */
};

enum { CHASE_LEVELS = 6, CHASE_POINTS = 40, CHASE_STRIDE = 128 /* bytes, of the curve */ };

struct pointer_chase {
    struct pointer_chase_level {
        double latency;          /* cycles of a load that finds its data here */
        struct finding capacity; /* bytes; FOUND_NO_LIMIT: of the last level */
    } levels[CHASE_LEVELS];
    size_t level_count;
    struct {
        uint64_t bytes;
        double cycles;
    } curve[CHASE_POINTS]; /* doubling */
    size_t point_count;
    struct finding line;              /* bytes of the first level that one tag stands for */
    struct finding sector;            /* bytes that a miss of the first level fetches */
    struct finding tlb_entries, page; /* of the first TLB */
    double translation;               /* cycles that a miss of it adds; NaN: not found */
    uint64_t chases;
};

enum status pointer_chase_run(const struct pointer_chase_lab *lab, struct pointer_chase *chase);

/* The same of one of our machines, at depth timing, with rings up to four times its L2. Of
 * `options` (may be NULL) uses threads and cancel. */
enum status pointer_chase_machine(const struct machine *machine,
                                  const struct evaluate_options *options,
                                  struct pointer_chase *chase, struct diagnostics *diagnostics);
