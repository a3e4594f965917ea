/* By age. A greedy scheduler stays with the warp that issued last while it is ready, so that its
 * lines are used again before others evict them; then comes the oldest (or the youngest) warp.
 * Static limiting lets only the oldest few warps issue. Both: Rogers, O'Connor and Aamodt,
 * "Cache-conscious wavefront scheduling", MICRO 2012. */
#include <stdio.h>

#include "model/timing/schedulers/scheduler.h"

static uint32_t pick_by_age(const struct scheduler *scheduler, uint64_t mask, bool youngest)
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

static const char *explain_greedy(const struct scheduler *scheduler, int slot, const char *next,
                                  char *text, size_t size)
{
    if ((uint32_t)slot == scheduler->last)
        snprintf(text, size, "it issued last and is ready");
    else
        snprintf(text, size, "w%u, which issued last, is not ready: the %s ready warp",
                 scheduler->last, next);
    return text;
}

static int gto_pick(const struct scheduler *scheduler, uint64_t candidates)
{
    if (candidates & slot_bit(scheduler->last))
        return (int)scheduler->last;
    return (int)pick_by_age(scheduler, candidates, false);
}

static const char *gto_explain(const struct scheduler *scheduler, int slot, char *text, size_t size)
{
    return explain_greedy(scheduler, slot, "oldest", text, size);
}

static int gty_pick(const struct scheduler *scheduler, uint64_t candidates)
{
    if (candidates & slot_bit(scheduler->last))
        return (int)scheduler->last;
    return (int)pick_by_age(scheduler, candidates, true);
}

static const char *gty_explain(const struct scheduler *scheduler, int slot, char *text, size_t size)
{
    return explain_greedy(scheduler, slot, "youngest", text, size);
}

static int old_pick(const struct scheduler *scheduler, uint64_t candidates)
{
    return (int)pick_by_age(scheduler, candidates, false);
}

static const char *old_explain(const struct scheduler *scheduler, int slot, char *text, size_t size)
{
    (void)scheduler, (void)slot;
    snprintf(text, size, "the oldest ready warp");
    return text;
}

/* The oldest `limit` warps among those that wait at no barrier, and the last that issued. */
static uint64_t swl_considers(const struct scheduler *scheduler, uint64_t held)
{
    uint64_t rest = scheduler_able(scheduler, held), few = 0;
    for (uint32_t i = 0; rest && i < scheduler->limit; i++) {
        const uint64_t oldest = slot_bit(pick_by_age(scheduler, rest, false));
        few |= oldest;
        rest &= ~oldest;
    }
    return (few | slot_bit(scheduler->last)) & ~held;
}

static const char *swl_explain(const struct scheduler *scheduler, int slot, char *text, size_t size)
{
    char may[SLOTS_TEXT], why[80];
    slots_print(swl_considers(scheduler, 0), may);
    if (slot < 0)
        snprintf(text, size, "only %s may issue, and none of them is ready", may);
    else
        snprintf(text, size, "only %s may issue: %s", may,
                 gto_explain(scheduler, slot, why, sizeof why));
    return text;
}

const struct scheduler_kind scheduler_kind_SCHEDULER_GTO = {.pick = gto_pick,
                                                            .explain = gto_explain};
const struct scheduler_kind scheduler_kind_SCHEDULER_GTY = {.pick = gty_pick,
                                                            .explain = gty_explain};
const struct scheduler_kind scheduler_kind_SCHEDULER_OLD = {.pick = old_pick,
                                                            .explain = old_explain};
const struct scheduler_kind scheduler_kind_SCHEDULER_SWL = {
    .considers = swl_considers, .pick = gto_pick, .explain = swl_explain};
