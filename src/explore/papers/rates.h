/* What a memory hierarchy delivers: the bandwidths of an L1D, of the L2 and of the DRAM, and what a
 * warp's load costs over the places of its lanes (coalescing).
 *
 * Invariant: it knows nothing but rates and costs of whole runs. What runs them is hidden in three
 * functions, so that one procedure serves our machines (rates_machine) and real GPUs
 * (tests/hardware). Cost: three bandwidths, and a run of one block for each stride and offset. */
#pragma once

#include "explore/papers/probe.h"

enum { RATES_STRIDES = 33, RATES_OFFSETS = 33 }; /* 0 to 32 words */

enum rates_part { RATES_BANDWIDTHS = 1, RATES_LANES = 2 }; /* a mask: what is measured */

/* Of one load of a warp that an L1D holds. */
struct load_cost {
    double cycles;   /* for which it keeps the L1D */
    double sectors;  /* of the L1D that it looks up; NaN: not counted */
    double requests; /* that it is coalesced to, likewise */
};

struct rate {
    double
        rate; /* bytes a cycle of one SM, or bytes a second of all; NaN: there is no such level */
    double cycles; /* of the core in which it was measured; NaN: not known */
};

struct rates_lab {
    /* One SM reads an array again and again: bytes a cycle. */
    enum status (*read_sm)(void *context, uint64_t bytes, struct rate *rate);
    /* All SMs read an array past their L1Ds, one that the L2 holds again and again: bytes a
     * second. */
    enum status (*read_l2)(void *context, uint64_t bytes, struct rate *rate);
    enum status (*read_memory)(void *context, uint64_t bytes, struct rate *rate);
    /* Lane k of each warp of a block reads word `offset + k * stride`. */
    enum status (*load)(void *context, uint32_t stride, uint32_t offset, struct load_cost *cost);
    void *context;
    uint64_t l1, l2, memory; /* bytes of arrays that an L1D holds, the L2 holds, no cache holds; 0:
                              * there is no such level */
};

struct rates {
    struct rate l1;                          /* of one SM */
    struct rate l2, memory;                  /* of all SMs */
    struct load_cost strides[RATES_STRIDES]; /* of lanes so many words apart, from offset 0 on */
    struct load_cost offsets[RATES_OFFSETS]; /* of neighbours that begin so many words later */
};

/* Fails with what the lab's functions return; what was not measured is NaN. */
enum status rates_run(const struct rates_lab *lab, unsigned parts, struct rates *rates);

/* The same of one of our machines at depth timing, with programs READS and LANES and without
 * address translation. A bandwidth is that of what a long run reads beyond a shorter one, the
 * longer the runs the less it changes: until that is less than 1 %. How long the first data take to
 * come, and the last, counts in neither, but by at most the time of a load. Of `options` (may be
 * NULL) uses threads and cancel. */
enum status rates_machine(const struct machine *machine, unsigned parts,
                          const struct evaluate_options *options, struct rates *rates,
                          struct diagnostics *diagnostics);

/* What a machine is configured to deliver at most, and the part of it that sets the limit. */
struct rate_limit {
    double rate;       /* as in struct rates; NaN: there is no such level */
    const char *limit; /* "slices of the L2" */
};
struct rate_limits {
    struct rate_limit l1, l2, memory;
};
struct rate_limits rates_limits(const struct machine *machine);
