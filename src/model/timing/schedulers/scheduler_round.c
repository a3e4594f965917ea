/* Round robin, over the slots of warps. Loose: warps that are not ready lose their turn, as
 * GPGPU-Sim has it (Bakhoda, Yuan, Fung, Wong and Aamodt, "Analyzing CUDA workloads using a
 * detailed GPU simulator", ISPASS 2009). Strict (GPGPU-Sim 4.2): the turn waits for its warp,
 * unless that one is at a barrier, is held back or has ended. */
#include <stdio.h>

#include "model/timing/schedulers/scheduler.h"

static int round_pick(const struct scheduler *scheduler, uint64_t candidates)
{
    return (int)slot_cyclic(candidates, scheduler_turn(scheduler));
}

static const char *loose_explain(const struct scheduler *scheduler, int slot, char *text,
                                 size_t size)
{
    (void)slot;
    snprintf(text, size, "the first ready warp in the circle after w%u", scheduler->last);
    return text;
}

static uint64_t strict_considers(const struct scheduler *scheduler, uint64_t held)
{
    const uint64_t able = scheduler_able(scheduler, held);
    return able ? slot_bit(slot_cyclic(able, scheduler_turn(scheduler))) : 0;
}

static const char *strict_explain(const struct scheduler *scheduler, int slot, char *text,
                                  size_t size)
{
    const uint64_t turn = strict_considers(scheduler, 0);
    if (slot >= 0)
        snprintf(text, size, "it is its turn after w%u", scheduler->last);
    else
        snprintf(text, size, "after w%u it is the turn of w%d, which is not ready: none issues",
                 scheduler->last, turn ? __builtin_ctzll(turn) : 0);
    return text;
}

const struct scheduler_kind scheduler_kind_SCHEDULER_LRR = {.pick = round_pick,
                                                            .explain = loose_explain};
const struct scheduler_kind scheduler_kind_SCHEDULER_RRR = {
    .considers = strict_considers, .pick = round_pick, .explain = strict_explain};
