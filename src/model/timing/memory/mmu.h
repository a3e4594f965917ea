/* Behind the TLBs of the SMs in time: the shared TLB, the page-walk cache and the walkers.
 *
 * A translation that an SM's TLB does not have comes here over the network, which takes as long as
 * the way to the L2 (l2.latency), looks up the shared TLB where there is one, and waits for a
 * walker where that misses too. A walk takes the look-ups of the page-walk cache and a read for
 * each entry that it lacks, one after another. A read takes walker.latency, or with walker.l2 it is
 * a request to the slice of the L2 that holds the entry (`reads`), whose reply wakes the walker
 * (mmu_reply). Walkers choose among the walker.queue requests that wait longest, in the order of
 * arrival, or with sjf the instruction with the least expected cost first, up to walker.patience
 * overtakings (model/translation/walkers.h, which counts instructions where this module has
 * cycles). An SM hears when a walker takes its request, because it has only walker.queue places for
 * those that none has taken.
 *
 * Invariant: each request is taken once and answered once, never before it can have come here and
 * back, whatever part of the time each call of mmu_run serves. Cost: a walk is linear in the
 * walkers, in the places that walks wait in, and in all that waits. */
#pragma once

#include "base/status.h"
#include "model/timing/cache/cache_unit.h"
#include "model/translation/page_table.h"
#include "model/translation/pwc.h"

struct mmu_walk {                 /* a request that waits for a walker */
    uint64_t page, sent, arrived; /* cycles */
    uint32_t id;                  /* of the SM's TLB entry */
    uint32_t op;                  /* the instruction, with its SM */
    uint32_t cost;                /* page-table entries expected when it came */
    uint32_t passed;              /* younger walks that overtook it */
    uint16_t sm;
};

struct mmu_answer {
    uint64_t ready; /* cycle */
    uint32_t id;
    uint16_t sm;
    bool taken; /* no translation yet, but a walker took the request, or it needs none */
};

struct mmu_walker {
    struct mmu_walk walk;          /* the last one */
    uint64_t free_at;              /* when it ends; UINT64_MAX: its reads are under way */
    uint64_t entries[PAGE_LEVELS]; /* addresses that it reads */
    unsigned level;                /* of the read under way */
    struct mmu_walk *joined;       /* requests that wait for the same page */
    size_t joined_count, joined_capacity;
};

struct mmu_reply { /* an entry that a walker read */
    uint64_t cycle;
    uint32_t walker;
};

struct mmu_counts {
    uint64_t walks, merged, wait, latency, requests, reads, shared_accesses, shared_misses;
};

struct mmu {
    const struct machine *machine;
    struct pwc *pwc;
    struct cache_unit shared;
    struct page_table table;
    unsigned levels;
    bool through_l2;             /* walks read their entries there */
    struct limit count, places;  /* walkers; walks that they choose among */
    struct gauge in_use, queued; /* walkers; walks that wait for one, with a place or without */
    uint32_t walker_count;
    struct mmu_walker *walkers;
    struct mmu_walk *arrivals, *waiting; /* arrivals: some may still be on their way */
    struct mmu_reply *replies;
    struct mmu_answer *answers;
    struct packet_pool packets;
    struct packet_queue reads; /* that walkers sent, `id` the walker, by `ready` */
    size_t arrival_count, arrival_capacity;
    size_t waiting_count, waiting_capacity;
    size_t reply_count, reply_capacity;
    size_t answer_count, answer_capacity;
    struct mmu_counts counts;
    struct event_log *events; /* its owner's: gets what happens; NULL: nobody watches */
};

/* A cache whose lines are pages: page p is line p of MMU_LINE bytes. */
enum { MMU_LINE = 128 };
struct cache_config mmu_tlb_config(const struct tlb_config *tlb);

enum status mmu_init(struct mmu *mmu, const struct machine *machine);
void mmu_free(struct mmu *mmu);
/* The MMU is a copy of the bytes of another one, and gets memory of its own (base/arrays.h). */
MUST_CHECK bool mmu_copy(struct mmu *mmu);
/* A request leaves an SM in `cycle`. Calls may come in any order within a span. */
enum status mmu_put(struct mmu *mmu, uint64_t page, uint64_t cycle, uint16_t sm, uint32_t id,
                    uint32_t op);
/* The reply to a read of a walker comes in `cycle`. */
enum status mmu_reply(struct mmu *mmu, uint32_t walker, uint64_t cycle);
/* Walkers whose reads of the L2 are under way. */
uint32_t mmu_reading(const struct mmu *mmu);
/* Serves all that happens before `horizon`, from when on further requests and replies may arrive.
 * The answers are in mmu->answers until the next call. */
enum status mmu_run(struct mmu *mmu, uint64_t horizon);
