#include "model/timing/schedulers/scheduler.h"

#include <string.h>

/* The lowest set bit at or after `from`, wrapping around. */
static inline uint32_t cyclic_first(uint64_t mask, uint32_t from)
{
    const uint64_t after = from < SCHEDULER_WARPS ? mask & (~UINT64_C(0) << from) : 0;
    return (uint32_t)__builtin_ctzll(after ? after : mask);
}

static inline uint64_t bit_of(uint32_t slot)
{
    return UINT64_C(1) << slot;
}

static uint32_t by_age(const struct scheduler *scheduler, uint64_t mask, bool youngest)
{
    uint32_t best = (uint32_t)__builtin_ctzll(mask);
    uint64_t age = scheduler->age[best];
    for (uint64_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        if ((scheduler->age[slot] < age) != youngest) {
            best = slot;
            age = scheduler->age[slot];
        }
    }
    return best;
}

static inline uint32_t after_last(const struct scheduler *scheduler)
{
    return scheduler->last + 1 < scheduler->warps ? scheduler->last + 1 : 0;
}

/* ---- one function a policy ---- */

static int pick_lrr(const struct scheduler *scheduler, uint64_t candidates)
{
    return (int)cyclic_first(candidates, after_last(scheduler));
}

static int pick_gto(const struct scheduler *scheduler, uint64_t candidates)
{
    if (candidates & bit_of(scheduler->last))
        return (int)scheduler->last;
    return (int)by_age(scheduler, candidates, false);
}

static int pick_gty(const struct scheduler *scheduler, uint64_t candidates)
{
    if (candidates & bit_of(scheduler->last))
        return (int)scheduler->last;
    return (int)by_age(scheduler, candidates, true);
}

static int pick_old(const struct scheduler *scheduler, uint64_t candidates)
{
    return (int)by_age(scheduler, candidates, false);
}

/* The active warps in the order of their list, which issues rotate. */
static int pick_two_level(const struct scheduler *scheduler, uint64_t candidates)
{
    for (uint32_t i = 0; i < scheduler->order_count; i++)
        if (candidates & bit_of(scheduler->order[i]))
            return scheduler->order[i];
    return -1;
}

/* The warps of a priority block go first, round robin from the one after the last that issued; the
 * others follow, round robin too, from behind the block or from that warp. */
static int pick_of_block(const struct scheduler *scheduler, uint64_t candidates, uint32_t block)
{
    uint64_t first = 0;
    for (uint64_t rest = scheduler->present; rest; rest &= rest - 1)
        if (scheduler->block[__builtin_ctzll(rest)] == block)
            first |= rest & -rest;
    const uint32_t turn = after_last(scheduler);
    if (candidates & first)
        return (int)cyclic_first(candidates & first, first & bit_of(turn) ? turn : 0);
    uint32_t from = turn;
    if (first & bit_of(turn))
        from = 64 - (uint32_t)__builtin_clzll(first);
    return (int)cyclic_first(candidates, from);
}

/* The priority block is the oldest that is there. */
static int pick_tb_priority(const struct scheduler *scheduler, uint64_t candidates)
{
    uint32_t oldest = UINT32_MAX;
    for (uint64_t rest = scheduler->present; rest; rest &= rest - 1) {
        const uint32_t block = scheduler->block[__builtin_ctzll(rest)];
        oldest = block < oldest ? block : oldest;
    }
    return pick_of_block(scheduler, candidates, oldest);
}

/* No block has priority after the first of the launch has ended. */
static int pick_tb_first(const struct scheduler *scheduler, uint64_t candidates)
{
    return pick_of_block(scheduler, candidates, scheduler->first);
}

typedef int (*pick_function)(const struct scheduler *scheduler, uint64_t candidates);

static const pick_function picks[] = {
    [SCHEDULER_LRR] = pick_lrr,
    [SCHEDULER_GTO] = pick_gto,
    [SCHEDULER_GTY] = pick_gty,
    [SCHEDULER_TWO_LEVEL] = pick_two_level,
    [SCHEDULER_RRR] = pick_lrr, /* among the one warp whose turn it is: scheduler_considers */
    [SCHEDULER_OLD] = pick_old,
    [SCHEDULER_SWL] = pick_gto,
    [SCHEDULER_TB_PRIORITY] = pick_tb_priority,
    [SCHEDULER_TB_FIRST] = pick_tb_first,
};

int scheduler_choose(const struct scheduler *scheduler, uint64_t candidates)
{
    return picks[scheduler->policy](scheduler, candidates);
}

/* ---- which warps a policy looks at ---- */

/* The oldest `limit` warps among `able`, and the last that issued. */
static uint64_t oldest_few(const struct scheduler *scheduler, uint64_t able)
{
    uint64_t rest = able, few = 0;
    for (uint32_t i = 0; rest && i < scheduler->limit; i++) {
        const uint64_t oldest = bit_of(by_age(scheduler, rest, false));
        few |= oldest;
        rest &= ~oldest;
    }
    return few | bit_of(scheduler->last);
}

/* Strict round robin waits for the warp whose turn it is, unless that one waits at a barrier, is
 * held back or has ended. */
static uint64_t turn_of(const struct scheduler *scheduler, uint64_t able)
{
    return able ? bit_of(cyclic_first(able, after_last(scheduler))) : 0;
}

uint64_t scheduler_chooses(const struct scheduler *scheduler, uint64_t held)
{
    const uint64_t able = scheduler->present & ~scheduler->waits & ~held;
    if (scheduler->policy == SCHEDULER_TWO_LEVEL)
        return scheduler->active & ~held;
    if (scheduler->policy == SCHEDULER_SWL)
        return oldest_few(scheduler, able) & ~held;
    return turn_of(scheduler, able);
}

/* ---- two_level ---- */

bool scheduler_exchange(struct scheduler *scheduler, uint64_t stalled)
{
    uint32_t kept = 0, demoted = 0;
    if (scheduler->policy != SCHEDULER_TWO_LEVEL)
        return false;
    for (uint32_t i = 0; i < scheduler->order_count; i++) {
        const uint8_t slot = scheduler->order[i];
        if (stalled & bit_of(slot)) {
            scheduler->pending[scheduler->pending_count++] = slot;
            demoted++;
        } else {
            scheduler->order[kept++] = slot;
        }
    }
    uint32_t promoted = 0;
    while (kept < scheduler->limit && promoted < scheduler->pending_count)
        scheduler->order[kept++] = scheduler->pending[promoted++];
    scheduler->pending_count = (uint8_t)(scheduler->pending_count - promoted);
    memmove(scheduler->pending, scheduler->pending + promoted, scheduler->pending_count);
    scheduler->order_count = (uint8_t)kept;
    scheduler->active = 0;
    for (uint32_t i = 0; i < kept; i++)
        scheduler->active |= bit_of(scheduler->order[i]);
    return demoted || promoted;
}

void scheduler_rotate(struct scheduler *scheduler, uint32_t slot)
{
    uint8_t rotated[SCHEDULER_WARPS];
    const uint32_t count = scheduler->order_count;
    uint32_t at = 0;
    while (at < count && scheduler->order[at] != slot)
        at++;
    for (uint32_t i = 0; i < count; i++)
        rotated[i] = scheduler->order[(at + 1 + i) % count];
    memcpy(scheduler->order, rotated, count);
}

/* ---- changes ---- */

void scheduler_init(struct scheduler *scheduler, const struct scheduler_config *config,
                    uint32_t warps)
{
    const bool two_level = config->policy == SCHEDULER_TWO_LEVEL;
    *scheduler = (struct scheduler){
        .policy = config->policy, .warps = warps, .limit = (uint32_t)config->active};
    scheduler->chooses =
        two_level || config->policy == SCHEDULER_SWL || config->policy == SCHEDULER_RRR;
    scheduler->last = warps ? warps - 1 : 0;
    if (scheduler->limit > warps)
        scheduler->limit = warps;
    for (uint32_t i = 0; two_level && i < warps; i++)
        scheduler->pending[scheduler->pending_count++] = (uint8_t)i;
    scheduler_exchange(scheduler, 0);
}

void scheduler_add(struct scheduler *scheduler, uint32_t slot, uint64_t age, uint64_t block)
{
    scheduler->present |= bit_of(slot);
    scheduler->age[slot] = age;
    scheduler->block[slot] = (uint32_t)block;
}
