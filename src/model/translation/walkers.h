/* The page-table walkers, and the buffer of the IOMMU in which walks wait for one of them.
 *
 * Requests are translations that missed every TLB. They come with the number of their warp
 * instruction in the merged order of issue, from 1 on, which is the clock: instruction i is issued
 * at cycle i x interval / SMs, that is, each SM issues a memory instruction every `interval`
 * cycles; while the buffer is full nothing is issued, and the clock of issue stands still. A
 * request that finds it full waits outside, in order. A walker that is free takes a walk at once:
 * none idles while one waits. Requests of one cycle are all there before any of them is taken.
 *
 * What a walk costs is known when it is taken, so that the page-walk cache is looked up and filled
 * in the order of service:
 *
 * - fcfs: the order of arrival. It is that of the TLBs' misses, whatever the walkers' number and
 *   speed.
 * - sjf: warp-aware shortest job first (Shin et al., Scheduling page table walks for irregular GPU
 *   applications, ISCA 2018). An instruction's score is what its waiting walks are expected to
 *   cost, as the page-walk cache stood when each of them came. The instruction with the least score
 *   goes first, the older of equals; an instruction that was begun goes on until none of its walks
 *   waits. The oldest walk of all goes first once `patience` younger ones have overtaken it.
 *
 * With `merge` a request for a page whose walk waits, or is under way, gets its translation from
 * that walk. One that waits with it keeps an entry of the buffer, and counts nothing in its
 * instruction's score. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "schema/machine.h"

struct walkers;

struct walk_costs {
    /* Page-table entries that a walk of this page would read now; changes nothing. */
    unsigned (*estimate)(void *argument, uint64_t page);
    /* A walker takes the walk: the cycles that it is busy with it. `counted`: its instruction was
     * issued since counting began. */
    uint64_t (*begin)(void *argument, uint64_t page, bool counted);
    void *argument;
};

struct walkers_counts {
    uint64_t walks;               /* taken */
    uint64_t merged;              /* requests that had no walk of their own */
    uint64_t wait;                /* cycles from issue until a walker took the walk, summed */
    uint64_t wait_p99;            /* 99 of 100 walks waited no longer (see waits.h) */
    uint64_t latency;             /* cycles from issue to the translation, of all requests */
    uint64_t instructions;        /* that had requests */
    uint64_t instruction_latency; /* cycles from issue to the last translation, summed */
    uint64_t busy;                /* cycles of all walkers */
    uint64_t stalled;             /* cycles in which the full buffer held up issue */
    uint64_t span;                /* cycles from 0, or the reset, to the last end or issue */
};

enum status walkers_create(const struct walker_config *config, uint64_t sms,
                           const struct walk_costs *costs, struct walkers **walkers);
void walkers_free(struct walkers *walkers); /* NULL is allowed */

/* A request. Instructions ascend, modulo 2^32; those in between had none. */
enum status walkers_arrive(struct walkers *walkers, uint32_t instruction, uint64_t page);

/* An instruction without requests is issued: walks are taken that can be before it. */
void walkers_advance(struct walkers *walkers, uint32_t instruction);

/* Takes what still waits: the stream has ended. */
void walkers_finish(struct walkers *walkers);

void walkers_read_counts(const struct walkers *walkers, struct walkers_counts *counts);
/* Whether instructions that are issued from now on are counted, whenever their walks are taken; at
 * first they are. The span begins where counting was switched on last. */
void walkers_count(struct walkers *walkers, bool counted);
