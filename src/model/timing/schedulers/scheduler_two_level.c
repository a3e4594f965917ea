/* Two levels: Gebhart, Johnson, Tarjan, Keckler, Dally, Lindholm and Skadron, "Energy-efficient
 * mechanisms for managing thread context in throughput processors", ISCA 2011, as GPGPU-Sim 4.2 has
 * it (two_level_active:N:0:1).
 *
 * Only warps of the active list issue, in the order of the list, which each issue rotates. An
 * active warp that waits at a barrier or for memory, or whose next instruction reads what a load
 * wrote last, goes to the end of the pending warps, and the first of these takes its place, even
 * before its own data have come. */
#include <stdio.h>
#include <string.h>

#include "model/timing/schedulers/scheduler.h"

struct levels {
    uint64_t active; /* the slots in `order` */
    uint8_t pending[SCHEDULER_WARPS], pending_count;
    uint8_t order[SCHEDULER_WARPS], order_count;
};

_Static_assert(sizeof(struct levels) <= SCHEDULER_STATE, "its state fits");

static struct levels *levels_of(struct scheduler *scheduler)
{
    return (struct levels *)scheduler->state;
}

static const struct levels *levels_seen(const struct scheduler *scheduler)
{
    return (const struct levels *)scheduler->state;
}

static bool levels_exchange(struct levels *levels, uint32_t limit, uint64_t stalled)
{
    uint32_t kept = 0, demoted = 0, promoted = 0;
    for (uint32_t i = 0; i < levels->order_count; i++) {
        const uint8_t slot = levels->order[i];
        if (stalled & slot_bit(slot)) {
            levels->pending[levels->pending_count++] = slot;
            demoted++;
        } else {
            levels->order[kept++] = slot;
        }
    }
    while (kept < limit && promoted < levels->pending_count)
        levels->order[kept++] = levels->pending[promoted++];
    levels->pending_count = (uint8_t)(levels->pending_count - promoted);
    memmove(levels->pending, levels->pending + promoted, levels->pending_count);
    levels->order_count = (uint8_t)kept;
    levels->active = 0;
    for (uint32_t i = 0; i < kept; i++)
        levels->active |= slot_bit(levels->order[i]);
    return demoted || promoted;
}

static bool two_level_begin(struct scheduler *scheduler, uint64_t held)
{
    return levels_exchange(levels_of(scheduler), scheduler->limit,
                           scheduler->waits | scheduler->loaded | held);
}

static void two_level_init(struct scheduler *scheduler)
{
    struct levels *levels = levels_of(scheduler);
    for (uint32_t i = 0; i < scheduler->warps; i++)
        levels->pending[levels->pending_count++] = (uint8_t)i;
    levels_exchange(levels, scheduler->limit, 0);
}

static uint64_t two_level_considers(const struct scheduler *scheduler, uint64_t held)
{
    return levels_seen(scheduler)->active & ~held;
}

static int two_level_pick(const struct scheduler *scheduler, uint64_t candidates)
{
    const struct levels *levels = levels_seen(scheduler);
    for (uint32_t i = 0; i < levels->order_count; i++)
        if (candidates & slot_bit(levels->order[i]))
            return levels->order[i];
    return -1;
}

static void two_level_issued(struct scheduler *scheduler, uint32_t slot)
{
    struct levels *levels = levels_of(scheduler);
    uint8_t rotated[SCHEDULER_WARPS];
    const uint32_t count = levels->order_count;
    uint32_t at = 0;
    while (at < count && levels->order[at] != slot)
        at++;
    for (uint32_t i = 0; i < count; i++)
        rotated[i] = levels->order[(at + 1 + i) % count];
    memcpy(levels->order, rotated, count);
}

static const char *list_print(const uint8_t *list, uint32_t count, char text[SLOTS_TEXT])
{
    size_t used = 0;
    snprintf(text, SLOTS_TEXT, "none");
    for (uint32_t i = 0; i < count && used < SLOTS_TEXT; i++)
        used += (size_t)snprintf(text + used, SLOTS_TEXT - used, "%sw%u", i ? " " : "", list[i]);
    return text;
}

static const char *two_level_explain(const struct scheduler *scheduler, int slot, char *text,
                                     size_t size)
{
    const struct levels *levels = levels_seen(scheduler);
    char active[SLOTS_TEXT], pending[SLOTS_TEXT];
    list_print(levels->order, levels->order_count, active);
    list_print(levels->pending, levels->pending_count, pending);
    if (slot < 0)
        snprintf(text, size, "no active warp is ready; active: %s, pending: %s", active, pending);
    else
        snprintf(text, size, "the first ready warp of the active %s; pending: %s", active, pending);
    return text;
}

const struct scheduler_kind scheduler_kind_SCHEDULER_TWO_LEVEL = {.init = two_level_init,
                                                                  .begin = two_level_begin,
                                                                  .considers = two_level_considers,
                                                                  .pick = two_level_pick,
                                                                  .issued = two_level_issued,
                                                                  .explain = two_level_explain};
