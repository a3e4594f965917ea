/* What the parts of an SM (sm.c, sm_blocks.c, sm_fetch.c, collect.c, execute.c, load_store.c,
 * sm_translate.c and code_counts.c) share with each other and with nobody else. */
#pragma once

#include "base/bit_sets.h"
#include "model/timing/sm/sm.h"

/* ---- sets of warps ---- */

static inline void set_bit(uint64_t *set, uint32_t warp, bool value)
{
    if (value)
        set_include(set, warp);
    else
        set_exclude(set, warp);
}

/* The first member at or after `from`, wrapping around; NO_WARP if the set is empty. */
static inline uint32_t set_next(const uint64_t set[WARPS_MAX / 64], uint32_t from)
{
    return set_around(set, WARPS_MAX / 64, from);
}

static inline bool set_empty(const uint64_t set[WARPS_MAX / 64])
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < WARPS_MAX / 64; i++)
        any |= set[i];
    return !any;
}

/* ---- ops (sm.c) ---- */
uint32_t op_new(struct sm *sm);
static inline void op_free(struct sm *sm, uint32_t op)
{
    sm->ops[op].next = sm->free_op;
    sm->free_op = op;
}

/* The registers of an instruction have their values. `forget`: they are no longer marked as a
 * load's. */
void sm_release(struct sm *sm, uint32_t warp, const struct sm_instruction *code, bool forget);
/* All threads of a warp have ended: what it fetched ahead is dropped. */
void sm_end_warp(struct sm *sm, uint32_t warp);
/* A warp's state changed: works out anew what its scheduler knows of it. */
void sm_update(struct sm *sm, uint32_t warp);
/* An instruction of a warp left the pipeline. Only a warp that has ended waits for that. */
static inline void sm_leave(struct sm *sm, uint32_t warp)
{
    if (!--sm->warps[warp].in_pipe && !sm->warps[warp].lanes)
        sm_update(sm, warp);
}
/* As sm_update where its buffer was filled and nothing else changed. */
void sm_decoded(struct sm *sm, uint32_t warp);

static inline uint32_t warp_of(const struct sm *sm, uint32_t scheduler, uint32_t slot)
{
    return slot * sm->shared->schedulers + scheduler;
}

/* ---- latches ---- */

/* The turn of each pipe in the order in which the collectors' ports look at them. */
static const uint8_t pipe_turns[PIPE_COUNT] = {
    [PIPE_SP] = 0,  [PIPE_SFU] = 1,    [PIPE_MEMORY] = 2,  [PIPE_TENSOR] = 3, [PIPE_DP] = 4,
    [PIPE_INT] = 5, [PIPE_BRANCH] = 6, [PIPE_TEXTURE] = 7, [PIPE_UNIFORM] = 8};

/* The set of pipes whose latches are taken, for a scheduler: with subcores each has one of its own.
 */
static inline uint32_t *full_pipes(struct sm *sm, uint32_t scheduler)
{
    return &sm->full[sm->shared->subcores ? scheduler : 0];
}

static inline bool op_before(const struct sm *sm, uint32_t a, uint32_t b)
{
    return (int32_t)(sm->ops[a].order - sm->ops[b].order) < 0;
}

/* The one whose instruction was issued first; NULL: all are empty. */
static inline uint32_t *oldest_latch(const struct sm *sm, uint32_t *latches, uint32_t count)
{
    uint32_t *oldest = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (latches[i] != NO_OP && (!oldest || op_before(sm, latches[i], *oldest)))
            oldest = &latches[i];
    return oldest;
}

/* ---- fetches on their way ---- */
static inline void fetch_pipe_put(struct fetch_pipe *pipe, uint64_t due, uint32_t warp)
{
    pipe->items[(pipe->first + pipe->count++) % WARPS_MAX] = (struct fetch){due, warp};
}

/* Takes what is due: whose it is in *warp. False: nothing is. */
static inline bool fetch_pipe_take(struct fetch_pipe *pipe, uint64_t now, uint32_t *warp)
{
    if (!pipe->count || pipe->items[pipe->first].due > now)
        return false;
    *warp = pipe->items[pipe->first].warp;
    pipe->first = (pipe->first + 1) % WARPS_MAX;
    pipe->count--;
    return true;
}

/* ---- sm_stalls.c ---- */
/* Charges a cycle in which a scheduler issued nothing: it looked at the slots `considered`, of
 * which those in `ready` had their registers. */
void sm_stall(struct sm *sm, uint32_t scheduler, uint64_t considered, uint64_t ready);
/* Counts a cycle at its end. */
void sm_count_cycle(struct sm *sm);
/* Counts `times` more cycles like the last one, in which nothing changed. */
void sm_count_more(struct sm *sm, uint64_t times);

/* ---- sm_fetch.c ---- */
void sm_fetch(struct sm *sm);
/* A reply with instructions came. */
void sm_take_instructions(struct sm *sm, const struct packet *reply, uint64_t now);
/* Whether the front end may do something in the next cycle that it did not do in the last one. */
bool sm_fetch_goes_on(const struct sm *sm);

/* ---- sm_l0.c: the L0s between the warps and the L1I ---- */
enum status sm_l0_init(struct sm *sm);
void sm_l0_free(struct sm *sm);
/* Looks up the line of a fetch in the L0 of its warp. */
enum unit_outcome sm_l0_look_up(struct sm *sm, struct packet *request, uint64_t line);
/* The L1I's cycle: what comes from it fills L0s, and one of their misses is looked up in it. */
void sm_l0_serve(struct sm *sm);
/* A warp whose instructions came to its L0; NO_WARP. */
uint32_t sm_l0_take(struct sm *sm);
/* Looks up a fetch in the L1I, and what that misses in the stream buffer (sm_fetch.c). */
enum unit_outcome sm_l1i_look_up(struct sm *sm, const struct packet *request, uint64_t line);

/* ---- collect.c: the operand collectors and the register banks ---- */
enum status collect_init(struct sm *sm);
void collect_free(struct sm *sm);
void collect_cycle(struct sm *sm);
/* Whether the banks of an instruction's results can be written in this cycle; marks them. ALU
 * results ignore the answer. */
bool collect_write(struct sm *sm, const struct op *op);

/* ---- execute.c: the execution units ---- */
enum status execute_init(struct sm *sm);
void execute_free(struct sm *sm);
void execute_write_back(struct sm *sm, uint64_t now);
void execute_cycle(struct sm *sm, uint64_t now);

/* ---- load_store.c ---- */
/* Hands a packet to the network; false if that has no room. */
bool sm_send(struct sm *sm, const struct packet *packet, uint64_t now);
/* The same for the head of a cache's miss queue, which is not empty. */
void sm_send_miss(struct sm *sm, struct cache_unit *unit, uint64_t now);

/* The accesses of the latch, in place and translated, may go on. */
void sm_take_accesses(struct sm *sm, uint32_t op);

/* ---- sm_translate.c ---- */
/* Translates the accesses of the latch. An op that lacks translations then steps aside, and others
 * go on meanwhile. */
void sm_translate(struct sm *sm, uint64_t now);
/* Takes what comes from the walkers in this cycle. */
void sm_take_translations(struct sm *sm, uint64_t now);

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
