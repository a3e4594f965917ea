/* Infers the organization of an L1D from how long loads take, using the two micro-benchmarks of C.
 * Nugteren et al., HPCA 2014 (workloads MB1 and MB2).
 *
 * - The hit time is that of the second load of one word, miss times those of 256 cold loads. A load
 *   is a miss if it takes longer than halfway between the hit and the shortest miss. If these
 *   overlap, nothing is inferred.
 * - Line: the smallest power of two that makes a second place miss. Capacity: the longest
 *   contiguous array of which nothing is replaced.
 * - Ways: the array, one line X, the array again. Under LRU and FIFO exactly the lines in the set
 *   of X miss, as many as there are ways, and the set is named by its first line. Lines spread over
 *   the next array must each fall into a different set, or neither ways nor sets are reported. A
 *   line that was read again before X stays under LRU and is evicted under FIFO.
 * - Index: the set of a far line, with each address bit up to 39 flipped. For a power of two of
 *   sets this determines the function, if 24 random lines agree with it (a XOR of address bits:
 *   linear, xor, fermi, ipoly, or one without a name); for others it is the line number modulo the
 *   sets, or unknown.
 * - MSHRs: the largest number of lines in a load of one warp, and of one block, that take no longer
 *   than one miss. Two misses in a row must take longer than one by the spread of their times, or
 *   this is not reported. (What one thread requests in a row in the paper's mb2, the lanes of one
 *   load request here, because a warp waits for each load.)
 * - Strides: for 2^7 to 2^20 the smallest power of two of loads that no longer fits.
 *
 * Invariant: it knows nothing but times; whatever runs the benchmarks is hidden in one function. A
 * property that the times cannot tell is reported as such, with the reason. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "model/evaluate.h"

/* One run of MB1 (per_warp 0) or MB2, with empty caches. */
struct micro_run {
    uint64_t lines, stride; /* stride in bytes */
    uint64_t again, extra;  /* MB1: the place read once more, from 1; the other place, in bytes */
    uint64_t per_warp;      /* MB2: lines that one warp's load touches */
};

/* How many loads a run makes. MB1: `lines`, those in between, and `lines` again. MB2: one per warp.
 */
uint64_t micro_run_loads(const struct micro_run *run);

/* When a load was issued and when its data arrived, in issue slots. */
struct load_span {
    uint64_t issued, ready;
};

struct probe_lab {
    /* Runs a benchmark and writes the spans of all its loads, in order. */
    enum status (*measure)(void *context, const struct micro_run *run, struct load_span *spans);
    void *context;
    uint64_t block_threads; /* the most threads of a block */
    /* Bytes, if they are known from a pointer chase (explore/papers/pointer_chase.h), which tells
     * lines from sectors; 0: the fetch is taken for a line. */
    uint64_t line;
    uint64_t memory; /* bytes: no place lies beyond; 0: any may */
};

enum finding_kind {
    FOUND_NOTHING,
    FOUND,          /* `value` */
    FOUND_AT_LEAST, /* `value`; larger ones were not tried */
    FOUND_NO_LIMIT
};

enum { FINDING_TEXT = 160 };

struct finding {
    enum finding_kind kind;
    uint64_t value;
    char why[FINDING_TEXT]; /* why nothing, or no more, was found; or "" */
};

enum probe_policy { POLICY_UNKNOWN, POLICY_LRU, POLICY_FIFO };

enum probe_mapping { MAPPING_UNKNOWN, MAPPING_ONE_SET, MAPPING_XOR, MAPPING_MODULO };

enum {
    PROBE_ADDRESS_BITS = 40, /* the most that are tested for their effect on the set */
    PROBE_PLACES = 128,      /* the most lines whose set is recorded */
    PROBE_STRIDES = 14,
    PROBE_COUNTS = 14 /* 1 to 8192 loads */
};

struct probe {
    struct finding hit_time, miss_time; /* issue slots; miss_time is the shortest miss */
    uint64_t miss_time_most;
    struct finding line;        /* bytes */
    struct finding lines;       /* of the longest contiguous array that fits */
    struct finding ways, sets;  /* ways by MB1 */
    struct finding replacement; /* value: enum probe_policy */
    struct finding index;       /* value: enum probe_mapping */
    /* For MAPPING_XOR: what address bit b adds to the set. A set is named after its line among the
     * first `sets` lines of the array. */
    unsigned address_bits; /* tested: those below, fewer where the memory has fewer */
    uint64_t columns[PROBE_ADDRESS_BITS];
    struct {
        uint64_t line, set;
    } places[PROBE_PLACES]; /* lines whose set was found */
    unsigned place_count;
    struct finding mshr_per_warp, mshr_per_sm;
    /* The stride experiment: two loops of 2^k loads with stride 2^(stride_bit + i), and how many
     * loads of the second loop miss. */
    unsigned stride_bit, stride_counts;
    uint64_t stride_misses[PROBE_STRIDES][PROBE_COUNTS];
    uint64_t runs, loads; /* made in all */
};

/* Fails with STATUS_MEMORY, or with what `measure` returned. */
enum status probe_run(const struct probe_lab *lab, struct probe *probe);

/* The smallest power of two of loads that no longer fit with this stride; 0 if all that were tried
 * do. */
uint64_t probe_stride_limit(const struct probe *probe, unsigned stride);

/* Whether this function (enum index_function) puts every line whose set was found into that set.
 * False if no set was found. */
bool probe_index_is(const struct probe *probe, int function);

/* Probes a machine: runs MB1 and MB2 at the reuse depth with the textbook rules and with lines of
 * one sector, since times do not tell sectors from small lines. Of `options` (may be NULL) uses
 * cancel, and progress with the name of each workload as its argument. */
enum status probe_machine(const struct machine *machine, const struct evaluate_options *options,
                          struct probe *probe, struct diagnostics *diagnostics);
