/* The experiments of Jia, Zhang, Wang, Shen, "A compressed page walk cache structure" (Computer
 * Engineering & Science 42(9), 2020), on our models: the paper's 17 programs on page-walk caches of
 * equal bits, and its worked example. This module computes our numbers only; report/ compares them
 * with the paper's. */
#pragma once

#include "explore/papers/paper_study.h"
#include "model/translation/pwc.h"

enum cpwc_class { CPWC_CLASS_I = 1, CPWC_CLASS_II, CPWC_CLASS_III, CPWC_CLASSES = 3 };

/* The paper's classes by the number of distinct L2 indices: class I has at most as many as the PWC
 * has entries, III more but at most as many as the CPWC, II more than CPWC_WIDE. The paper does not
 * mention programs between III and II. */
enum { CPWC_PATHS = 24, CPWC_ENTRIES = 62, CPWC_WIDE = 150, CPWC_BITS = 5280 };

/* The class of a program with this many distinct L2 indices; 0 for none. */
unsigned cpwc_class_of(uint64_t distinct_l2);

enum cpwc_machine {
    CPWC_TPC,        /* with CPWC_PATHS entries */
    CPWC_COMPRESSED, /* with CPWC_ENTRIES entries */
    CPWC_STC,        /* with as many entries as CPWC_BITS hold */
    CPWC_UPTC,       /* likewise */
    CPWC_SMALL_TLB,  /* CPWC_TPC after a TLB of half the size */
    CPWC_TPC_SETS,   /* CPWC_PATHS in sets of three */
    CPWC_TPC_DIRECT, /* direct-mapped: the largest power of two of paths in CPWC_BITS */
    /* The paper does not say whose TLB misses reach the walker. If they are those of the SMs' TLBs,
     * most walks repeat one of another SM; a TLB shared by all SMs lets only the first through. */
    CPWC_TPC_SHARED,
    CPWC_COMPRESSED_SHARED,
    CPWC_TPC_300_SHARED, /* the size that STO needs according to the paper */
    CPWC_TPC_MERGED,     /* the SMs' TLBs; all that wait for the same page share one walk */
    CPWC_COMPRESSED_MERGED,
    CPWC_TPC_SMALL, /* TLBs of 16 entries, then a shared one of 16 */
    CPWC_COMPRESSED_SMALL,
    CPWC_MACHINES
};

/* The TPC of equal bits that has the same TLBs as this machine. */
static inline enum cpwc_machine cpwc_baseline(enum cpwc_machine machine)
{
    return machine >= CPWC_TPC_SMALL    ? CPWC_TPC_SMALL
           : machine >= CPWC_TPC_MERGED ? CPWC_TPC_MERGED
           : machine >= CPWC_TPC_SHARED ? CPWC_TPC_SHARED
                                        : CPWC_TPC;
}

/* The arrays of a program spread over many regions, as in the recipes, or placed one after another.
 */
enum cpwc_layout { CPWC_SPREAD, CPWC_TOGETHER, CPWC_LAYOUTS };

extern const struct paper_subject cpwc_subjects[];

struct cpwc_result {
    enum status status;   /* STATUS_OK unless the model refuses this workload */
    char *why;            /* the reason if it does */
    uint64_t distinct[4]; /* distinct page-table indices at levels L4, L3, L2, L1 */
    struct metrics metrics[CPWC_MACHINES];
};

struct cpwc_study {
    bool full;
    size_t subjects;
    const struct paper_subject **names; /* [subjects] */
    uint64_t entries[CPWC_MACHINES];    /* pwc.entries of each machine */
    struct cpwc_result *results;        /* [subjects x CPWC_LAYOUTS] */
};

static inline const struct cpwc_result *cpwc_study_at(const struct cpwc_study *study,
                                                      size_t subject, enum cpwc_layout layout)
{
    return &study->results[subject * CPWC_LAYOUTS + layout];
}

/* The workload of a subject as text for workload_open. The caller frees it. NULL if out of memory.
 */
char *cpwc_study_workload(const struct paper_subject *subject, bool full, enum cpwc_layout layout);

/* Runs all programs, or only the one called `only` (NULL: all), on `threads` threads (0: all). The
 * numbers do not depend on the threads. Of `options` (may be NULL) uses progress and cancel.
 * Programs that the model refuses are results, not failures. */
enum status cpwc_study_run(bool full, const char *only, int threads,
                           const struct evaluate_options *options, struct cpwc_study *study,
                           struct diagnostics *diagnostics);
void cpwc_study_free(struct cpwc_study *study);

/* The most pwc.entries of an organization that fit in `bits`; 0 if not even one fits. */
uint64_t cpwc_entries_in(const struct pwc_config *config, int organization, uint64_t bits);

/* The bits of an organization with this many entries; everything else as in `config`. */
uint64_t cpwc_bits_of(const struct pwc_config *config, int organization, uint64_t entries);

/* The worked example, and four more addresses that only a complete implementation gets right. */
struct cpwc_example_address {
    uint64_t address;
    enum pwc_hit hit; /* by the paper's rules */
    unsigned accesses;
    bool in_text; /* the paper states it; the others follow from its rules */
};
enum { CPWC_EXAMPLE_STEPS = 7, CPWC_EXAMPLE_TEXT = 512 };
extern const struct cpwc_example_address cpwc_example_addresses[CPWC_EXAMPLE_STEPS];

struct cpwc_example_step {
    struct page_indices indices;
    enum pwc_hit hit;
    unsigned accesses;
    char contents[CPWC_EXAMPLE_TEXT]; /* of the cache afterwards, entries separated by commas */
};

/* Sends the addresses one by one through the page-walk cache of the machine cpwc-example. */
enum status cpwc_example_run(struct cpwc_example_step steps[CPWC_EXAMPLE_STEPS],
                             struct diagnostics *diagnostics);
