/* Priority for one thread block: Jia, Zhang, Qin, Sun and Tian, "A cache bypass system of GPGPU for
 * 2D and 3D convolution", Journal of Xidian University 50(2), 2023, section 3.1 and figure 4. Its
 * warps go first in each cycle, so that the block ends early and the bypass policy that samples
 * until then decides early (bypass_sampled.c).
 *
 * The paper's order of all warps: the warp after the last that issued if it is one of the priority
 * block, else the first of that block; then the rest of the block, round robin; then the other
 * warps, round robin, from the first after the block if the warp after the last was of the block,
 * else from that warp. So the other warps have equal chances.
 *
 * The paper defines the block beforehand and leaves open what follows when it has ended.
 * tb_priority passes the priority on to the oldest block that is there; tb_first has no priority
 * from then on to the end of the launch, and its order is loose round robin. */
#include <stdio.h>

#include "model/timing/schedulers/scheduler.h"

static uint64_t warps_of_block(const struct scheduler *scheduler, uint32_t block)
{
    uint64_t mask = 0;
    for (uint64_t rest = scheduler->present; rest; rest &= rest - 1)
        if (scheduler->block[__builtin_ctzll(rest)] == block)
            mask |= rest & -rest;
    return mask;
}

static uint32_t oldest_block(const struct scheduler *scheduler)
{
    uint32_t oldest = UINT32_MAX;
    for (uint64_t rest = scheduler->present; rest; rest &= rest - 1) {
        const uint32_t block = scheduler->block[__builtin_ctzll(rest)];
        oldest = block < oldest ? block : oldest;
    }
    return oldest;
}

static int pick_of_block(const struct scheduler *scheduler, uint64_t candidates, uint32_t block)
{
    const uint64_t first = warps_of_block(scheduler, block);
    const uint32_t turn = scheduler_turn(scheduler);
    if (candidates & first)
        return (int)slot_cyclic(candidates & first, first & slot_bit(turn) ? turn : 0);
    uint32_t from = turn;
    if (first & slot_bit(turn))
        from = 64 - (uint32_t)__builtin_clzll(first);
    return (int)slot_cyclic(candidates, from);
}

/* `who` says which block has priority: "the oldest". */
static const char *explain_block(const struct scheduler *scheduler, int slot, uint32_t block,
                                 const char *who, char *text, size_t size)
{
    const uint64_t first = warps_of_block(scheduler, block);
    const uint32_t turn = scheduler_turn(scheduler);
    const bool own = first & slot_bit(turn);
    char warps[SLOTS_TEXT];
    const int used = snprintf(text, size, "block %u, %s, has priority (%s)", block, who,
                              slots_print(first, warps));
    text += used;
    size -= (size_t)used;
    if (first & slot_bit((uint32_t)slot) && own)
        snprintf(text, size, ": its first ready warp from w%u on, which is next in turn", turn);
    else if (first & slot_bit((uint32_t)slot))
        snprintf(text, size, ": its first ready warp, as w%u, which is next in turn, is not its",
                 turn);
    else if (own)
        snprintf(text, size, ", but no ready warp: the first one beyond it");
    else
        snprintf(text, size,
                 ", but no ready warp: the first one from w%u on, which is next in turn", turn);
    return text - used;
}

static int tb_priority_pick(const struct scheduler *scheduler, uint64_t candidates)
{
    return pick_of_block(scheduler, candidates, oldest_block(scheduler));
}

static const char *tb_priority_explain(const struct scheduler *scheduler, int slot, char *text,
                                       size_t size)
{
    return explain_block(scheduler, slot, oldest_block(scheduler), "the oldest", text, size);
}

static int tb_first_pick(const struct scheduler *scheduler, uint64_t candidates)
{
    return pick_of_block(scheduler, candidates, scheduler->first);
}

static const char *tb_first_explain(const struct scheduler *scheduler, int slot, char *text,
                                    size_t size)
{
    if (warps_of_block(scheduler, scheduler->first))
        return explain_block(scheduler, slot, scheduler->first, "the first of the launch", text,
                             size);
    snprintf(
        text, size,
        "the first block of the launch has ended: the first ready warp in the circle after w%u",
        scheduler->last);
    return text;
}

const struct scheduler_kind scheduler_kind_SCHEDULER_TB_PRIORITY = {.pick = tb_priority_pick,
                                                                    .explain = tb_priority_explain};
const struct scheduler_kind scheduler_kind_SCHEDULER_TB_FIRST = {.pick = tb_first_pick,
                                                                 .explain = tb_first_explain};
