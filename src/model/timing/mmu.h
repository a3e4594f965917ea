/* Behind the TLBs of the SMs in time: the shared TLB, the page-walk cache and the walkers.
 *
 * A translation that an SM's TLB does not have comes here over the network, which takes as long as
 * the way to the L2 (l2.latency), looks up the shared TLB where there is one, and waits for a
 * walker where that misses too. A walk takes the look-ups of the page-walk cache and a read for
 * each entry that it lacks (walker.latency, or walker.l2_latency through the L2, beside whose other
 * requests it is not simulated). Walkers serve in the order of arrival, or with sjf the instruction
 * with the least expected cost first, up to walker.patience overtakings
 * (model/translation/walkers.h, which counts instructions where this module has cycles).
 *
 * Invariant: each request is answered once, never before it can have come here and back. Cost: a
 * walk is linear in the walks that wait. */
#pragma once

#include "base/status.h"
#include "model/timing/cache_unit.h"
#include "model/translation/pwc.h"

struct mmu_walk { /* a request that waits for a walker */
    uint64_t page, arrived;
    uint32_t id;     /* of the SM's TLB entry */
    uint32_t op;     /* the instruction, with its SM */
    uint32_t cost;   /* page-table entries expected when it came */
    uint32_t passed; /* younger walks that overtook it */
    uint16_t sm;
};

struct mmu_answer {
    uint64_t ready; /* cycle */
    uint32_t id;
    uint16_t sm;
};

struct mmu_counts {
    uint64_t walks, merged, wait, latency, requests, shared_accesses, shared_misses;
};

struct mmu {
    const struct machine *machine;
    struct pwc *pwc;
    struct cache_unit shared;
    unsigned levels;
    uint64_t *free_at; /* of each walker */
    struct mmu_walk *arrivals, *waiting;
    struct mmu_walk *serving; /* walks in progress: `arrived` is the cycle of their end */
    struct mmu_answer *answers;
    size_t arrival_count, arrival_capacity, arrival_at;
    size_t waiting_count, waiting_capacity;
    size_t serving_count, serving_capacity;
    size_t answer_count, answer_capacity;
    struct mmu_counts counts;
};

/* A cache whose lines are pages: page p is line p of MMU_LINE bytes. */
enum { MMU_LINE = 128 };
struct cache_config mmu_tlb_config(const struct tlb_config *tlb);

enum status mmu_init(struct mmu *mmu, const struct machine *machine);
void mmu_free(struct mmu *mmu);
/* A request leaves an SM in `cycle`. Calls may come in any order within a span. */
enum status mmu_put(struct mmu *mmu, uint64_t page, uint64_t cycle, uint16_t sm, uint32_t id,
                    uint32_t op);
/* Serves all that happens before `horizon`, from when on further requests may arrive. The answers
 * are in mmu->answers until the next call. */
enum status mmu_run(struct mmu *mmu, uint64_t horizon);
