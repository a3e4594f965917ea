/* The page-table walkers, and the IOMMU buffer in which walks wait for a walker.
 *
 * Requests are translations that missed every TLB. Each carries the number of its warp instruction
 * in the merged order of issue, counted from 1, which also gives the time: instruction i is issued
 * at cycle i x interval / SMs, so each SM issues a memory instruction every `interval` cycles.
 * While the buffer is full nothing is issued, and the clock of issue stops. A request that finds
 * the buffer full waits outside, in order. A free walker takes a waiting walk at once. Requests of
 * one cycle have all arrived before any of them is taken.
 *
 * The cost of a walk is determined when a walker takes it, so the page-walk cache is looked up and
 * filled in the order of service:
 *
 * - fcfs: in the order of arrival. That is the order of the TLBs' misses, whatever the number and
 *   speed of the walkers.
 * - sjf: warp-aware shortest job first (Shin et al., Scheduling page table walks for irregular GPU
 *   applications, ISCA 2018). The score of an instruction is the expected cost of its waiting
 *   walks, estimated from the page-walk cache when each of them arrived. The instruction with the
 *   least score goes first, the older one of equals. An instruction that was begun continues until
 *   none of its walks waits. The oldest walk goes first once `patience` younger ones have overtaken
 *   it.
 *
 * With `merge`, a request for a page whose walk is waiting or in progress shares that walk. A
 * request that waits for a walk occupies an entry of the buffer but adds nothing to its
 * instruction's score.
 *
 * Cost: a walk takes time logarithmic in the number of walkers and, with sjf, of waiting
 * instructions. Memory is proportional to the buffer, plus one entry per distinct page with
 * `merge`. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "schema/machine.h"

struct walkers;

struct walk_costs {
    /* Returns the page-table entries that a walk of this page would read now; changes nothing. */
    unsigned (*estimate)(void *argument, uint64_t page);
    /* A walker takes the walk; returns the cycles it is busy. `counted`: its instruction was issued
     * while counting was on. */
    uint64_t (*begin)(void *argument, uint64_t page, bool counted);
    void *argument;
};

struct walkers_counts {
    uint64_t walks;        /* walks done */
    uint64_t merged;       /* requests that shared another request's walk */
    uint64_t wait;         /* cycles from issue until a walker took the walk, summed */
    uint64_t wait_p99;     /* 99 % of the walks waited no longer (see waits.h) */
    uint64_t latency;      /* cycles from issue to the translation, summed over all requests */
    uint64_t instructions; /* instructions that had requests */
    /* Cycles from issue to the last translation, summed over instructions. */
    uint64_t instruction_latency;
    uint64_t busy;    /* busy cycles, summed over the walkers */
    uint64_t stalled; /* cycles in which a full buffer stopped issue */
    uint64_t span;    /* cycles from the start of counting to the last end of a walk or issue */
};

enum status walkers_create(const struct walker_config *config, uint64_t sms,
                           const struct walk_costs *costs, struct walkers **walkers);
void walkers_free(struct walkers *walkers); /* NULL is allowed */

/* A request arrives. Instruction numbers ascend, modulo 2^32; those left out had no requests. */
enum status walkers_arrive(struct walkers *walkers, uint32_t instruction, uint64_t page);

/* An instruction without requests is issued; walks that can begin before it are taken. */
void walkers_advance(struct walkers *walkers, uint32_t instruction);

/* Takes all waiting walks, at the end of the stream. */
void walkers_finish(struct walkers *walkers);

void walkers_read_counts(const struct walkers *walkers, struct walkers_counts *counts);
/* Switches counting on or off for instructions issued from now on, whenever their walks are taken;
 * it starts on. The span begins where counting was last switched on. */
void walkers_count(struct walkers *walkers, bool counted);
