/* Warp schedulers: which of the warps that can issue goes first.
 *
 * One interface for all policies: the SM keeps three sets of a scheduler's warps as bit masks
 * (those with an instruction, those whose registers are ready, those per pipe) and asks for the
 * next candidate. A policy keeps what it needs in struct scheduler and learns of issues and of new
 * warps. Orders are those of GPGPU-Sim 4.2, and for tb_priority and tb_first of the paper on
 * convolutions (docs/MODELS.md). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "schema/machine.h"

enum { SCHEDULER_WARPS = 64 };

struct scheduler {
    int policy;        /* enum scheduler_policy */
    bool chooses;      /* it does not look at all warps */
    uint32_t warps;    /* slots */
    uint32_t limit;    /* warps that may issue (two_level, swl) */
    uint32_t last;     /* the slot that issued last */
    uint64_t present;  /* slots with a warp that has not retired */
    uint64_t has;      /* ... that have an instruction and wait for nothing but its registers */
    uint64_t ready;    /* ... whose registers are ready */
    uint64_t pipe[16]; /* slots by the pipe of their instruction */
    uint64_t waits;    /* at a barrier, a fence, for atomics or copies, or ended */
    uint64_t memory; /* slots whose instruction waits for a load, or whose warp for its accesses */
    uint64_t held;   /* slots at a barrier or a fence that does not wait for memory */
    uint64_t loaded; /* slots whose instruction reads what a load wrote last (two_level) */
    uint8_t slot_pipe[SCHEDULER_WARPS];
    uint64_t age[SCHEDULER_WARPS];
    uint32_t block[SCHEDULER_WARPS];                 /* in order of their coming */
    uint32_t first;                                  /* tb_first: the block that has priority */
    uint64_t active;                                 /* two_level: the active set */
    uint8_t pending[SCHEDULER_WARPS], pending_count; /* two_level: the others, in order */
    uint8_t order[SCHEDULER_WARPS], order_count;     /* two_level: the active ones */
};

void scheduler_init(struct scheduler *scheduler, const struct scheduler_config *config,
                    uint32_t warps);

/* A warp comes to a slot. */
void scheduler_add(struct scheduler *scheduler, uint32_t slot, uint64_t age, uint64_t block);

int scheduler_choose(const struct scheduler *scheduler, uint64_t candidates);
/* A launch begins whose first block will have this number. */
static inline void scheduler_launch(struct scheduler *scheduler, uint64_t first)
{
    scheduler->first = (uint32_t)first;
}

/* The slot of the warp among `candidates` (not empty) that goes first; -1 if the policy lets none
 * of them issue. */
static inline int scheduler_pick(const struct scheduler *scheduler, uint64_t candidates)
{
    if (!(candidates & (candidates - 1)) && !scheduler->chooses)
        return __builtin_ctzll(candidates);
    return scheduler_choose(scheduler, candidates);
}

void scheduler_rotate(struct scheduler *scheduler, uint32_t slot); /* two_level */
static inline void scheduler_issued(struct scheduler *scheduler, uint32_t slot)
{
    scheduler->last = slot;
    if (scheduler->policy == SCHEDULER_TWO_LEVEL)
        scheduler_rotate(scheduler, slot);
}

/* The slots that a policy that looks at some only looks at in this cycle. */
uint64_t scheduler_chooses(const struct scheduler *scheduler, uint64_t held);
/* The slots that the policy looks at in this cycle. It passes over those in `held`, or a warp that
 * is held back could keep its turn from the warps that it waits for. */
static inline uint64_t scheduler_considers(const struct scheduler *scheduler, uint64_t held)
{
    return scheduler->chooses ? scheduler_chooses(scheduler, held) : ~held;
}
/* two_level: exchanges active warps that wait for pending ones, before a cycle's picks. `stalled`
 * are slots that must leave the active set. Returns whether anything moved. */
bool scheduler_exchange(struct scheduler *scheduler, uint64_t stalled);
