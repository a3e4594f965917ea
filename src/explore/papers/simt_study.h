/* The caches of the SIMT processor of Xu, Li, Sun and Xing (Computer Applications and Software
 * 36(7), 2019) on our models: its nine programs under its four replacement policies and under
 * others, with the paper's caches and with caches so small that the policies differ; what they take
 * on an FPGA; the ways that misses fill; and the product of its figure 9.
 *
 * The paper's programs and inputs are not public: ours are those of docs/SIMT.md, at sizes of our
 * choice. This module computes our numbers only; report/ compares them with the paper's. */
#pragma once

#include "explore/papers/paper_study.h"
#include "model/area/fpga.h"

/* The nine programs, in the paper's order. */
extern const struct paper_subject simt_subjects[];

/* The policies: the paper's come first. */
enum { SIMT_PAPER_POLICIES = 4, SIMT_POLICIES = 9 };
extern const int simt_policies[SIMT_POLICIES]; /* enum replacement */

/* The paper's caches, and small ones in which lines must leave. */
enum simt_caches { SIMT_PAPER_CACHES, SIMT_SMALL_CACHES, SIMT_CACHES };
extern const char *const simt_cache_sets[SIMT_CACHES]; /* "PATH=VALUE PATH=VALUE" of the machine */

struct simt_run {                /* of a program, a policy of both caches, and their sizes */
    enum status status;          /* STATUS_OK unless the model refuses this workload */
    char *why;                   /* the reason if it does */
    struct metrics counts, time; /* at the functional depth, and at depth timing */
};

enum simt_cache { SIMT_ICACHE, SIMT_DCACHE, SIMT_BOTH };

/* One cache under one policy. */
struct simt_cost {
    uint64_t tag, set, all; /* bits of a tag; of replacement state of a set, and of the cache */
    struct fpga_cost fpga;
};

enum { SIMT_FILLS = 16, SIMT_PRODUCT = 16 };

struct simt_study {
    bool full;
    size_t subjects;
    const struct paper_subject **names;               /* [subjects] */
    struct simt_run *results;                         /* [subjects x SIMT_POLICIES x SIMT_CACHES] */
    struct simt_cost costs[SIMT_BOTH][SIMT_POLICIES]; /* of the paper's caches */
    /* The ways that misses take in a set at power-up, one after the other. */
    uint32_t fills[SIMT_BOTH][SIMT_PAPER_POLICIES][SIMT_FILLS];
    uint32_t product[SIMT_PRODUCT]; /* of figure 9, as simt-matmul computes it */
    struct machine machine;         /* simt-processor */
};

static inline const struct simt_run *simt_study_at(const struct simt_study *study, size_t subject,
                                                   size_t policy, enum simt_caches caches)
{
    return &study->results[(subject * SIMT_POLICIES + policy) * SIMT_CACHES + caches];
}

/* A cache of the machine, as a cache_config. */
struct cache_config simt_cache_of(const struct machine *machine, enum simt_cache cache);

/* Runs all programs, or only the one called `only` (NULL: all), on `threads` threads (0: all). The
 * numbers do not depend on the threads. Of `options` (may be NULL) uses progress and cancel. */
enum status simt_study_run(bool full, const char *only, int threads,
                           const struct evaluate_options *options, struct simt_study *study,
                           struct diagnostics *diagnostics);
void simt_study_free(struct simt_study *study);
