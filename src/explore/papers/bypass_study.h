/* The experiments of Jia, Zhang, Qin, Sun and Tian, "A cache bypass system of GPGPU for 2D and 3D
 * convolution" (Journal of Xidian University 50(2), 2023), on our models, and what the paper has
 * not: every bypass policy on five programs. The paper's platform is the machine bypass-gtx480.
 *
 * What the paper leaves open is tried out: a change of the platform or of the reading is a row of
 * bypass_changes, and the baseline and the paper's design are both run with it. This module
 * computes our numbers only; report/ compares them with the paper's. Cost: a run at depth timing
 * for each size, for both machines of each change, and for each policy, program and scheduler. */
#pragma once

#include "explore/papers/paper_study.h"
#include "model/cache/pc_table.h"

/* The programs of the paper come first in bypass_subjects; the others are of the table of all
 * policies alone. */
enum { BYPASS_2D, BYPASS_3D, BYPASS_PAPER_PROGRAMS, BYPASS_PROGRAMS = 5, BYPASS_LOADS_MAX = 11 };
extern const struct paper_subject bypass_subjects[];

enum { BYPASS_SIZES = 6 };
extern const uint64_t bypass_sizes[BYPASS_SIZES]; /* of an L1D in bytes */

/* The order of warps as the paper's text has it, and as the platform is shipped. */
enum bypass_order { BYPASS_LRR, BYPASS_GTO, BYPASS_ORDERS };

enum { BYPASS_SCHEDULERS_TRIED = 3 };
extern const char *const bypass_schedulers[BYPASS_SCHEDULERS_TRIED]; /* of the table of policies */

enum { BYPASS_THRESHOLD_SAID = 10 }; /* evictions per hit */

/* The code of both convolutions. The paper's platform executes PTX, and the pcs that it prints are
 * of PTX, with a product and a sum after each load; no paper says how many registers that takes.
 * Six blocks of 256 threads are the 1536 threads of an SM. */
enum bypass_code {
    BYPASS_PTX,     /* PTX, with the registers of six blocks per SM */
    BYPASS_SWAPPED, /* where the first two loads change places, as nvcc 13 does it */
    BYPASS_FOUR,    /* with those of four */
    BYPASS_COMPILED /* of nvcc 13, all loads before the arithmetic, six blocks */
};

/* A change of the paper's pair of machines. The first ones differ in the order of warps: their
 * verdicts are shown load by load. */
enum {
    BYPASS_PAPER,    /* lrr; the design with tb_priority */
    BYPASS_LRR_PAIR, /* the design with lrr too */
    BYPASS_GTO_PAIR, /* both with gto */
    BYPASS_FIRST_PAIRS
};
struct bypass_change {
    const char *name;
    const char *sets, *base, *design; /* "PATH=VALUE PATH=VALUE" of both, and of each */
    enum bypass_code code;
    uint64_t loads;     /* the design bypasses these loads of 3DCONV, by list; 0: it finds them */
    const char *why;    /* what the row asks */
    unsigned threshold; /* of the design; 0: the paper's */
};
extern const struct bypass_change bypass_changes[]; /* ends with a row without a name */
size_t bypass_change_count(void);
/* Whether the design finds the loads that it bypasses. */
bool bypass_finds_loads(size_t change);

enum bypass_machine { BYPASS_BASE, BYPASS_DESIGN, BYPASS_MACHINES };

struct bypass_result {
    enum status status; /* STATUS_OK unless the model refuses this machine */
    char *why;          /* the reason if it does */
    struct metrics metrics;
    struct pc_table pcs; /* sorted by pc: of sizes and pairs */
};

enum bypass_part { /* of a study, as a mask */
                   BYPASS_PART_SIZES = 1 << 0,
                   BYPASS_PART_PAIRS = 1 << 1,   /* the first pairs */
                   BYPASS_PART_CHANGES = 1 << 2, /* the others */
                   BYPASS_PART_POLICIES = 1 << 3,
                   BYPASS_PART_BOUNDS = 1 << 4
};

/* All sets of so many loads are tried, 512. */
enum { BYPASS_SEARCHED_LOADS = 9 };

/* Bounds of a program of the table of policies. */
struct bypass_bounds {
    /* Every set of loads that takes no lines, with lrr, by its mask; 0: there are too many, or the
     * programs are not the slices. */
    uint64_t sets;
    struct bypass_result *tried;
    struct bypass_result optimum; /* Belady's with bypass, at the functional depth */
};

struct bypass_study {
    bool full;
    unsigned parts; /* that were run */
    size_t subjects;
    const struct paper_subject **names; /* [subjects] */
    size_t changes, policies;
    struct bypass_result *sizes;    /* [subjects][BYPASS_ORDERS][BYPASS_SIZES] */
    struct bypass_result *pairs;    /* [subjects][changes][BYPASS_MACHINES] */
    struct bypass_result *measured; /* [subjects][BYPASS_SCHEDULERS_TRIED][policies] */
    struct bypass_bounds *bounds;   /* [subjects] */
};

/* What a study ran; NULL: it did not, or the model refused. */
const struct bypass_result *bypass_size_at(const struct bypass_study *study, size_t subject,
                                           enum bypass_order order, size_t size);
const struct bypass_result *bypass_pair_at(const struct bypass_study *study, size_t subject,
                                           size_t change, enum bypass_machine machine);
/* Also if the model refused. */
const struct bypass_result *bypass_policy_at(const struct bypass_study *study, size_t subject,
                                             size_t scheduler, size_t policy);

/* The set with the most instructions a cycle, the first of equal ones; NULL: none was tried. */
const struct bypass_result *bypass_best_set(const struct bypass_study *study, size_t subject,
                                            uint64_t *loads);

/* Whether the paper has experiments on this subject of the study, and which program it is. */
bool bypass_of_paper(const struct bypass_study *study, size_t subject);
size_t bypass_program_of(const struct bypass_study *study, size_t subject);

/* The counts of the load with this number, from 1 by ascending pc; NULL: there is none. */
const struct pc_count *bypass_load(const struct bypass_result *result, unsigned number);

/* The same of a machine of a pair, by the paper's number, which is that of PTX. */
const struct pc_count *bypass_pair_load(const struct bypass_study *study, size_t subject,
                                        size_t change, enum bypass_machine machine,
                                        unsigned number);

/* The settings of a machine of a pair, "PATH=VALUE PATH=VALUE", for a program of the paper. `text`
 * holds BYPASS_SETS bytes. Returns it. */
enum { BYPASS_SETS = 240 };
const char *bypass_pair_sets(size_t change, enum bypass_machine machine, size_t program,
                             char *text);
/* The workload of a subject, which the caller frees; NULL if out of memory. The table of policies
 * has smaller slices than the paper's experiments. */
enum bypass_slice { BYPASS_SLICE, BYPASS_SMALL, BYPASS_FULL };
char *bypass_workload(const struct paper_subject *subject, enum bypass_slice slice,
                      enum bypass_code code);

/* Runs the parts in the mask for all programs, or only the one called `only` (NULL: all), on
 * `threads` threads (0: all). The numbers do not depend on the threads. Of `options` (may be NULL)
 * uses progress and cancel. */
enum status bypass_study_run(unsigned parts, bool full, const char *only, int threads,
                             const struct evaluate_options *options, struct bypass_study *study,
                             struct diagnostics *diagnostics);
void bypass_study_free(struct bypass_study *study);
