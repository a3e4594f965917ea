/* One SM in time: warps that fetch, issue, wait and retire, its execution pipes, its load/store
 * unit with the L1D, and what it exchanges with the network.
 *
 * An SM is advanced alone, cycle by cycle, up to a given cycle (sm_advance). Nothing that it does
 * depends on another SM but for two things that its owner supplies: replies, each with the cycle
 * from which it can be taken, and blocks. It leaves the packets that it sends, each with its cycle,
 * in `sent`. Cycles in which nothing can change are counted and skipped.
 *
 * The stages run from last to first within a cycle, as in GPGPU-Sim 4.2: write-back, execution,
 * operand collection, issue, fetch. docs/MODELS.md, "Timing", has the rules.
 *
 * Cost: a cycle in which something happens visits the warps of a scheduler as bit masks and the
 * occupied latches and collectors; memory is bounded by resident warps and accesses in flight. */
#pragma once

#include "model/timing/schedulers/scheduler.h"
#include "model/timing/sm/barriers.h"
#include "model/timing/sm/collect.h"
#include "model/timing/sm/execute.h"
#include "model/timing/sm/fetch.h"
#include "model/timing/sm/load_store.h"
#include "model/timing/sm/port.h"
#include "model/timing/sm/stalls.h"
#include "model/timing/sm/translate.h"
#include "schema/metrics.h"

struct code_counts;
struct warp_counts;

struct sm_counts {
    uint64_t cycles; /* with a block */
    uint64_t warp_cycles;
    uint64_t instructions, thread_instructions;
    uint64_t memory_instructions, spaces[SPACE_COUNT], thread_accesses, transactions;
    uint64_t global[OP_COUNT]; /* memory instructions on global memory */
    uint64_t past_l1;          /* as in struct issue_counts */
    uint64_t slots[SLOT_COUNT], memory_slots[MEMORY_SLOT_COUNT];
    uint64_t fails[UNIT_RESULTS - UNIT_FAIL]; /* of the L1D, by reason */
    uint64_t port_fails;                      /* cycles in which an access found its bank taken */
    uint64_t shared_conflicts;
    uint64_t tag_misses; /* of stores, as in struct cache_counts */
    uint64_t sent_bytes;
    uint64_t loads, load_cycles;
};

struct sm {
    const struct sm_machine *shared;
    uint16_t number;
    uint64_t now; /* the next cycle to simulate */
    enum status status;
    struct diagnostics *diagnostics;

    /* The launch that runs. */
    uint32_t launch;
    const struct sm_code *code;
    uint32_t warps_per_block, block_slots, warp_slots;
    uint32_t live_blocks;
    uint64_t ages;

    struct sm_warp *warps;
    struct sm_block *blocks;
    struct scheduler schedulers[SCHEDULERS_MAX];
    uint64_t issued[SCHEDULERS_MAX]; /* instructions of the launch */
    uint32_t first_scheduler;
    uint32_t resident;           /* warps */
    struct footprint *footprint; /* its owner's: what its L1D held before it was emptied; or NULL */
    uint64_t emptied;            /* the cycle after the one in which its last block retired */
    uint64_t block_orders, first_order; /* the next block's order, the launch's first one's */

    struct packet_pool packets; /* of the queues of its parts, but for those of caches */
    struct ops ops;
    struct records records;
    struct barriers barriers;
    struct fetch_stage fetch;
    struct collect collect;
    struct execute execute;
    struct sm_port port;
    struct translate translate;
    struct stalls stalls;

    bool progress;      /* something changed in this cycle */
    bool stopped;       /* its owner's: it waits for a block */
    bool starved;       /* it waits for its owner to look at the network */
    bool block_retired; /* since sm_advance was called */
    struct sm_counts counts;
    uint32_t *latencies;          /* histogram of loads, see latency_bucket */
    struct code_counts *by_code;  /* counts by instruction (code_counts.h); NULL: not asked for */
    struct warp_counts *by_warp;  /* counts by warp (warp_counts.h); NULL: not asked for */
    struct event_log *events;     /* its owner's: gets what happens; NULL: nobody watches */
    struct arrays arrays;         /* of the SM and its parts, but for those of caches */
    struct load_store load_store; /* large, so last */
};

/* Tells whoever watches of the warp in a slot, or of its block. */
void sm_tell(const struct sm *sm, enum event_kind kind, uint64_t cycle, uint32_t slot,
             uint32_t block);

/* ... of an instruction of this order, or of one of its accesses (else NULL). */
void sm_tell_op(const struct sm *sm, const struct op *op, enum event_kind kind,
                const struct packet *access);

/* An instruction of a warp left the pipeline. Only a warp that has ended waits for that. */
static inline void sm_leave(struct sm *sm, uint32_t warp)
{
    if (!--sm->warps[warp].in_pipe && !sm->warps[warp].lanes)
        sm_update(sm, warp);
}

enum status sm_init(struct sm *sm, const struct sm_machine *shared, uint16_t number,
                    uint64_t ways_max, struct diagnostics *diagnostics);
void sm_free(struct sm *sm);
/* The SM is a copy of the bytes of another one, and gets memory of its own (base/arrays.h). It
 * reads its blocks anew as far as they were read. */
enum status sm_copy(struct sm *sm);

/* Prepares the SM, which has no blocks, for a launch. */
enum status sm_prepare(struct sm *sm, uint32_t launch, uint32_t block_slots, uint64_t l1d_ways);
bool sm_has_room(const struct sm *sm);
/* Empties the L1D where that is due between kernels and at fences (l1d.flush). */
void sm_empty_l1d(struct sm *sm);
/* Starts a block at the end of the cycle before sm->now. */
enum status sm_start_block(struct sm *sm, uint64_t block);

/* Simulates cycles until `end`, or until the end of a cycle in which a block retired while
 * `hungry`: its owner has more blocks; or until a cycle (`starved`) that may send more than
 * port.room and is not port.room_cycle. */
void sm_advance(struct sm *sm, uint64_t end, bool hungry);

/* Whether it could go on; else why not. */
enum status sm_status(const struct sm *sm);

/* Buckets of a histogram: exact below 64, then 32 a power of two. */
static inline uint32_t latency_bucket(uint64_t cycles)
{
    if (cycles < 64)
        return (uint32_t)cycles;
    const unsigned top = 63 - (unsigned)__builtin_clzll(cycles);
    const uint32_t bucket = 64 + (top - 6) * 32 + (uint32_t)(cycles >> (top - 5) & 31);
    return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1;
}
static inline double latency_of_bucket(uint32_t bucket)
{
    if (bucket < 64)
        return bucket;
    const unsigned top = (bucket - 64) / 32 + 6;
    return (double)((UINT64_C(32) + (bucket - 64) % 32) << (top - 5));
}
