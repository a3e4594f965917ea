/* Infers the organization of an L1D from how long loads take, with the two micro-benchmarks of
 * C. Nugteren et al., HPCA 2014 (workloads MB1 and MB2), and from nothing else: what runs the
 * benchmarks is behind one function. What times cannot tell is said in words. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "model/evaluate.h"

/* One run of MB1 (per_warp 0) or MB2, with empty caches. */
struct micro_run {
    uint64_t lines, stride;
    uint64_t again,
        extra;         /* MB1: the place read once more, from 1, and the other place, in bytes */
    uint64_t per_warp; /* MB2: lines of one warp's load */
};

/* How many loads a run makes: MB1 `lines`, those in between and `lines` again; MB2 one a warp. */
uint64_t micro_run_loads(const struct micro_run *run);

/* Of a load: when it began and when its data were there. */
struct load_span {
    uint64_t issued, ready;
};

struct probe_lab {
    /* Runs and writes the spans of all loads, in order. */
    enum status (*measure)(void *context, const struct micro_run *run, struct load_span *spans);
    void *context;
    uint64_t block_threads; /* that a block may have */
};

enum finding_kind {
    FOUND_NOTHING,
    FOUND,          /* value */
    FOUND_AT_LEAST, /* value; larger ones were not tried */
    FOUND_NO_LIMIT
};

enum { FINDING_TEXT = 160 };

struct finding {
    enum finding_kind kind;
    uint64_t value;
    char why[FINDING_TEXT]; /* why there is nothing, or no more; "" */
};

enum probe_policy { POLICY_UNKNOWN, POLICY_LRU, POLICY_FIFO };

enum probe_mapping { MAPPING_UNKNOWN, MAPPING_ONE_SET, MAPPING_XOR, MAPPING_MODULO };

enum {
    PROBE_ADDRESS_BITS = 40, /* lower ones are asked for their part in the set */
    PROBE_PLACES = 128,      /* lines whose set was found */
    PROBE_STRIDES = 14,
    PROBE_COUNTS = 14 /* 1 to 8192 loads */
};

struct probe {
    struct finding hit_time, miss_time; /* issue slots; miss_time is the least */
    uint64_t miss_time_most;
    struct finding line;        /* bytes */
    struct finding lines;       /* that a contiguous array may have */
    struct finding ways, sets;  /* ways by mb1 */
    struct finding replacement; /* value: enum probe_policy */
    struct finding index;       /* value: enum probe_mapping */
    /* MAPPING_XOR: what address bit b adds to the set. Sets are named by the line below `sets` that
     * falls in them. */
    uint64_t columns[PROBE_ADDRESS_BITS];
    struct {
        uint64_t line, set;
    } places[PROBE_PLACES]; /* lines whose set was found */
    unsigned place_count;
    struct finding mshr_per_warp, mshr_per_sm;
    /* The stride experiment: of two loops of 2^k loads with stride 2^(stride_bit + i), the misses
     * of the second. */
    unsigned stride_bit, stride_counts;
    uint64_t stride_misses[PROBE_STRIDES][PROBE_COUNTS];
    uint64_t runs, loads; /* that it took */
};

/* STATUS_MEMORY, or what `measure` failed with. */
enum status probe_run(const struct probe_lab *lab, struct probe *probe);

/* The smallest power of two of loads that no longer fits with this stride; 0: all fit. */
uint64_t probe_stride_limit(const struct probe *probe, unsigned stride);

/* Whether this function (enum index_function) puts all lines whose set was found where they are.
 * False where no set was found. */
bool probe_index_is(const struct probe *probe, int function);

/* Probes a machine: MB1 and MB2 at the reuse depth, by the textbook rules. `options` (cancel) may
 * be NULL. */
enum status probe_machine(const struct machine *machine, const struct evaluate_options *options,
                          struct probe *probe, struct diagnostics *diagnostics);
