/* The code of kernels whose memory instructions are known by site, and whose other instructions
 * are known by number and kind.
 *
 * A site is a memory instruction. Around it stand rows for what may follow it: arithmetic of each
 * class, accesses to shared memory, a barrier. A warp that issues ten multiplications there issues
 * the row of a multiplication ten times. So the code says what an instruction waits for and which
 * pipe it takes; it does not have every instruction of an unrolled loop at a pc of its own.
 *
 * Rules of dependence:
 * - Arithmetic forms chains, whose links take turns: two of integers and two of floating point, if
 *   the kernel does not say otherwise. They begin anew after each access.
 * - The first arithmetic after loads waits for all of them (`sites` of struct site_kernel).
 * - Each arithmetic instruction after loads from shared memory waits for the next one of those.
 * - Addresses and branches wait for the latest links of the first two chains of integers, stored
 *   values also for those of floating point and for the first load from shared memory.
 *
 * Cost: some fifty rows a site, built once, of which a warp issues those that it needs. The names
 * that wait are those of one stage or record of a warp. */
#pragma once

#include "trace/stream.h"
#include "workload/cuda/code.h"

enum { SITES_MAX = 64, SITE_BYTES = 64, SITE_CHAINS_MAX = 4, SITE_SHARED_LOADS = 8 };

/* What one pass of work issues, in this order. */
enum work_part {
    WORK_ADDRESSES, /* integer arithmetic that waits for no load */
    WORK_INTEGERS,
    WORK_LOADS, /* from shared memory; atomics there too */
    WORK_SINGLES,
    WORK_DOUBLES,
    WORK_SPECIALS,
    WORK_STORES, /* to shared memory */
    WORK_BRANCHES,
    WORK_PARTS
};
struct work {
    union { /* how many instructions of each part */
        struct {
            uint32_t addresses, integers, loads, singles, doubles, specials, stores, branches;
        };
        uint32_t parts[WORK_PARTS];
    };
    uint32_t banks; /* cycles of each access to shared memory; 0 means 1 */
};

static inline uint32_t work_instructions(const struct work *work)
{
    return work->addresses + work->integers + work->loads + work->singles + work->doubles +
           work->specials + work->stores + work->branches;
}

/* What a kernel says about its memory instructions. */
struct site_kernel {
    /* A letter for each site from 0 on: L load, V load of volatile code, which goes past the L1D, T
     * load through the texture unit, S store, A atomic, F atomic on floating-point numbers, or a
     * dot for a number without an instruction. Where a space stands between two sites, work after
     * the first waits for its group of loads; without a space the loads before and after belong to
     * one group. A store also waits for the loads in front of it in its group. */
    const char *sites;
    uint32_t prologue;
    uint32_t chains; /* 1 to SITE_CHAINS_MAX; 0 means 2 */
};

/* A kernel's code and how to find rows in it. */
struct site_code {
    uint32_t prologue, chains, exit;
    uint16_t rows[SITES_MAX + 1]; /* first row of the work in front of all sites, then of each */
    uint8_t waits[SITES_MAX + 1]; /* how many rows wait for the loads of the group */
    char kinds[SITES_MAX];
};

/* Builds the code. `pc` is that of site 0. */
enum status site_code_build(struct site_code *code, const struct site_kernel *kernel, uint32_t pc,
                            struct trace_code *rows);

/* What a record of the site says of it (enum access_flags). */
static inline uint8_t site_code_flags(const struct site_code *code, uint32_t site)
{
    return code->kinds[site] == 'V' ? ACCESS_BYPASS_L1 : 0;
}

enum issue_kind { ISSUE_PROLOGUE, ISSUE_WORK, ISSUE_ACCESS, ISSUE_BARRIER, ISSUE_EXIT };

struct issue_step {
    uint8_t kind; /* enum issue_kind */
    uint8_t site;
    uint32_t mask;
    uint32_t times; /* how often the work passes */
    struct work work;
};

/* The instructions of a warp that a kernel has named and nobody has read yet. Zeroed at first;
 * issuer_free at the end. */
struct issuer {
    struct issue_step *steps;
    size_t count, capacity;
    size_t next;               /* the step that is being issued: */
    uint32_t part, issued;     /* the part of its pass, how many instructions of that have left */
    uint32_t segment;          /* 0, or 1 + the last site */
    uint32_t turns[2];         /* whose turn it is, of the chains of integers and of the others */
    uint32_t loaded, consumed; /* loads from shared memory, and those that arithmetic waited for */
    uint32_t wait_row;         /* of those that wait for the group's loads */
    bool waits;                /* for loads of the last site's group */
    bool owes_barrier;         /* the next work begins with one */
    uint32_t barrier_mask;
    enum status status; /* the first failure; steps that did not fit are dropped */
    struct issue_step dropped;
};

/* Name the warp's next instructions. Work and barriers join the counts that the kernel gives. */
void issuer_add_work(struct issuer *issuer, uint32_t times, const struct work *work, uint32_t mask);
void issuer_add_access(struct issuer *issuer, uint32_t site, uint32_t mask);
void issuer_add(struct issuer *issuer, enum issue_kind kind, uint32_t mask);

/* Makes one of the instructions that are counted a barrier: the last of the work that was added
 * last, or, if an access came after it, the first of the next work. */
void issuer_make_barrier(struct issuer *issuer, uint32_t mask);

void issuer_free(struct issuer *issuer);

/* Moves instructions to the window until it is full or nothing is left. */
void issuer_issue(struct issuer *issuer, const struct site_code *code,
                  struct instruction_window *window);

static inline bool issuer_is_empty(const struct issuer *issuer)
{
    return issuer->next == issuer->count;
}

/* The cycles that the banks of shared memory need: the most distinct words in one of 32 banks.
 * `words` are the lanes' word numbers. */
uint32_t shared_banks(uint32_t mask, const uint32_t words[WARP_SIZE]);
