/* The experiments of Jia, Zhang, Wang, Shen, "A compressed page walk cache structure" (Computer
 * Engineering & Science 42(9), 2020), on our models: its 17 programs before page-walk caches of
 * equal bits, and its worked example. What the paper says is the report's business. */
#pragma once

#include "explore/papers/paper_study.h"
#include "model/translation/pwc.h"

enum cpwc_class { CPWC_CLASS_I = 1, CPWC_CLASS_II, CPWC_CLASS_III, CPWC_CLASSES = 3 };

/* Distinct L2 indices: class I has at most PWC entries, III more but at most CPWC entries, II more
 * than 150. The paper says nothing of programs between III and II. */
enum { CPWC_PATHS = 24, CPWC_ENTRIES = 62, CPWC_WIDE = 150, CPWC_BITS = 5280 };

/* The class that so many distinct L2 indices are in; 0: none. */
unsigned cpwc_class_of(uint64_t distinct_l2);

enum cpwc_machine {
    CPWC_TPC,        /* CPWC_PATHS of them */
    CPWC_COMPRESSED, /* CPWC_ENTRIES */
    CPWC_STC,        /* as many entries as CPWC_BITS hold */
    CPWC_UPTC,
    CPWC_SMALL_TLB,  /* CPWC_TPC behind half the TLB */
    CPWC_TPC_SETS,   /* CPWC_PATHS in sets of three */
    CPWC_TPC_DIRECT, /* direct-mapped: the largest power of two of paths in CPWC_BITS */
    /* The paper does not say whose TLB misses. Behind those of the SMs most walks repeat that of
     * another SM; one TLB more, for all, lets only the first through. */
    CPWC_TPC_SHARED,
    CPWC_COMPRESSED_SHARED,
    CPWC_TPC_300_SHARED, /* what the paper says STO needs */
    CPWC_TPC_MERGED,     /* the TLBs of the SMs, and one walk for all that wait for its page */
    CPWC_COMPRESSED_MERGED,
    CPWC_TPC_SMALL, /* TLBs of 16 entries, and one of 16 for all */
    CPWC_COMPRESSED_SMALL,
    CPWC_MACHINES
};

/* The TPC of as many bits behind the same TLBs. */
static inline enum cpwc_machine cpwc_baseline(enum cpwc_machine machine)
{
    return machine >= CPWC_TPC_SMALL    ? CPWC_TPC_SMALL
           : machine >= CPWC_TPC_MERGED ? CPWC_TPC_MERGED
           : machine >= CPWC_TPC_SHARED ? CPWC_TPC_SHARED
                                        : CPWC_TPC;
}

/* As the recipes say, their pages over many regions, or the same arrays one behind the other. */
enum cpwc_layout { CPWC_SPREAD, CPWC_TOGETHER, CPWC_LAYOUTS };

extern const struct paper_subject cpwc_subjects[];

struct cpwc_result {
    enum status status;   /* STATUS_OK, or the model refuses this workload */
    char *why;            /* then */
    uint64_t distinct[4]; /* page-table indices: L4, L3, L2, L1 */
    struct metrics metrics[CPWC_MACHINES];
};

struct cpwc_study {
    bool full;
    size_t subjects;
    const struct paper_subject **names; /* [subjects] */
    uint64_t entries[CPWC_MACHINES];    /* pwc.entries of each */
    struct cpwc_result *results;        /* [subjects x CPWC_LAYOUTS] */
};

static inline const struct cpwc_result *cpwc_study_at(const struct cpwc_study *study,
                                                      size_t subject, enum cpwc_layout layout)
{
    return &study->results[subject * CPWC_LAYOUTS + layout];
}

/* The workload of a subject: text for workload_open, freed by the caller; NULL: no memory. */
char *cpwc_study_workload(const struct paper_subject *subject, bool full, enum cpwc_layout layout);

/* Runs everything, or of the programs only the one called `only` (NULL: all), on `threads` threads
 * (0: all); the numbers do not depend on how many. `options`: progress and cancel, or NULL. */
enum status cpwc_study_run(bool full, const char *only, int threads,
                           const struct evaluate_options *options, struct cpwc_study *study,
                           struct diagnostics *diagnostics);
void cpwc_study_free(struct cpwc_study *study);

/* The most pwc.entries of an organization in so many bits; 0: not even one. */
uint64_t cpwc_entries_in(const struct pwc_config *config, int organization, uint64_t bits);

/* The bits of an organization with so many entries, else as `config` says. */
uint64_t cpwc_bits_of(const struct pwc_config *config, int organization, uint64_t entries);

/* The worked example, and four addresses more that only the whole structure gets right. */
struct cpwc_example_address {
    uint64_t address;
    enum pwc_hit hit; /* that the paper's rules give */
    unsigned accesses;
    bool in_text; /* the paper says it; the others follow */
};
enum { CPWC_EXAMPLE_STEPS = 7, CPWC_EXAMPLE_TEXT = 512 };
extern const struct cpwc_example_address cpwc_example_addresses[CPWC_EXAMPLE_STEPS];

struct cpwc_example_step {
    struct page_indices indices;
    enum pwc_hit hit;
    unsigned accesses;
    char contents[CPWC_EXAMPLE_TEXT]; /* behind it, entries with commas between */
};

/* The addresses one by one through the page-walk cache of machine cpwc-example. */
enum status cpwc_example_run(struct cpwc_example_step steps[CPWC_EXAMPLE_STEPS],
                             struct diagnostics *diagnostics);
