#include "support/slow_scheduler.h"

#include <string.h>

struct order {
    uint32_t slots[2 * SLOW_WARPS], count;
};

static void add(struct order *order, uint32_t slot)
{
    order->slots[order->count++] = slot;
}

static bool has(const struct order *order, uint32_t slot)
{
    for (uint32_t i = 0; i < order->count; i++)
        if (order->slots[i] == slot)
            return true;
    return false;
}

/* All slots once round, from `from` on. */
static void add_circle(const struct slow_scheduler *slow, uint32_t from, struct order *order)
{
    for (uint32_t i = 0; i < slow->count; i++)
        add(order, (from + i) % slow->count);
}

/* All warps that are there, by age. */
static void add_by_age(const struct slow_scheduler *slow, bool youngest, struct order *order)
{
    bool done[SLOW_WARPS] = {false};
    for (uint32_t n = 0; n < slow->count; n++) {
        int best = -1;
        for (uint32_t i = 0; i < slow->count; i++) {
            if (!slow->warps[i].present || done[i])
                continue;
            const bool older = best < 0 || slow->warps[i].age < slow->warps[best].age;
            if (best < 0 || older != youngest)
                best = (int)i;
        }
        if (best < 0)
            return;
        done[best] = true;
        add(order, (uint32_t)best);
    }
}

static bool able(const struct slow_scheduler_warp *warp)
{
    return warp->present && !warp->waits && !warp->held;
}

/* ---- one function a policy ---- */

static void order_lrr(const struct slow_scheduler *slow, struct order *order)
{
    add_circle(slow, (slow->last + 1) % slow->count, order);
}

static void order_gto(const struct slow_scheduler *slow, struct order *order)
{
    add(order, slow->last);
    add_by_age(slow, false, order);
}

static void order_gty(const struct slow_scheduler *slow, struct order *order)
{
    add(order, slow->last);
    add_by_age(slow, true, order);
}

static void order_old(const struct slow_scheduler *slow, struct order *order)
{
    add_by_age(slow, false, order);
}

static void order_two_level(const struct slow_scheduler *slow, struct order *order)
{
    for (uint32_t i = 0; i < slow->issuing_count; i++)
        add(order, slow->issuing[i]);
}

/* One warp, whose turn it is. */
static void order_rrr(const struct slow_scheduler *slow, struct order *order)
{
    struct order circle = {.count = 0};
    add_circle(slow, (slow->last + 1) % slow->count, &circle);
    for (uint32_t i = 0; i < circle.count && !order->count; i++)
        if (able(&slow->warps[circle.slots[i]]))
            add(order, circle.slots[i]);
}

static void order_swl(const struct slow_scheduler *slow, struct order *order)
{
    struct order by_age = {.count = 0};
    uint32_t taken = 0;
    add(order, slow->last);
    add_by_age(slow, false, &by_age);
    for (uint32_t i = 0; i < by_age.count && taken < slow->active; i++) {
        if (!able(&slow->warps[by_age.slots[i]]))
            continue;
        add(order, by_age.slots[i]);
        taken++;
    }
}

/* The paper's four rules (Jia et al., 2023, 3.1), line by line. */
static void order_block(const struct slow_scheduler *slow, uint64_t block, struct order *order)
{
    const uint32_t next = (slow->last + 1) % slow->count; /* its "last executed warp" */
    struct order own = {.count = 0};
    for (uint32_t i = 0; i < slow->count; i++)
        if (slow->warps[i].present && slow->warps[i].block == block)
            add(&own, i);
    const bool inside = has(&own, next);
    if (!own.count) {
        add_circle(slow, next, order);
        return;
    }
    /* Its first warp, then the others of the block in their order. */
    uint32_t start = 0;
    while (inside && own.slots[start] != next)
        start++;
    for (uint32_t i = 0; i < own.count; i++)
        add(order, own.slots[(start + i) % own.count]);
    /* The others, from the one after the block or from that warp on. */
    struct order circle = {.count = 0};
    add_circle(slow, inside ? (own.slots[own.count - 1] + 1) % slow->count : next, &circle);
    for (uint32_t i = 0; i < circle.count; i++)
        if (!has(&own, circle.slots[i]))
            add(order, circle.slots[i]);
}

static void order_tb_priority(const struct slow_scheduler *slow, struct order *order)
{
    uint64_t oldest = UINT64_MAX;
    for (uint32_t i = 0; i < slow->count; i++)
        if (slow->warps[i].present && slow->warps[i].block < oldest)
            oldest = slow->warps[i].block;
    order_block(slow, oldest, order);
}

static void order_tb_first(const struct slow_scheduler *slow, struct order *order)
{
    order_block(slow, slow->first, order);
}

static void (*const orders[SCHEDULER_COUNT])(const struct slow_scheduler *slow,
                                             struct order *order) = {
    [SCHEDULER_LRR] = order_lrr,           [SCHEDULER_GTO] = order_gto,
    [SCHEDULER_GTY] = order_gty,           [SCHEDULER_TWO_LEVEL] = order_two_level,
    [SCHEDULER_RRR] = order_rrr,           [SCHEDULER_OLD] = order_old,
    [SCHEDULER_SWL] = order_swl,           [SCHEDULER_TB_PRIORITY] = order_tb_priority,
    [SCHEDULER_TB_FIRST] = order_tb_first,
};

bool slow_scheduler_has(int policy)
{
    return orders[policy] != NULL;
}

/* ---- the lists of two_level, which the others keep and do not look at ---- */

/* Takes the slot at place `at` out of a list. */
static uint32_t take(uint32_t *list, uint32_t *count, uint32_t at)
{
    const uint32_t slot = list[at];
    memmove(list + at, list + at + 1, (*count - at - 1) * sizeof *list);
    --*count;
    return slot;
}

static bool exchange(struct slow_scheduler *slow)
{
    bool moved = false;
    for (uint32_t i = 0; i < slow->issuing_count;) {
        const struct slow_scheduler_warp *warp = &slow->warps[slow->issuing[i]];
        if (able(warp) && !warp->loaded) {
            i++;
            continue;
        }
        slow->pending[slow->pending_count++] = take(slow->issuing, &slow->issuing_count, i);
        moved = true;
    }
    while (slow->pending_count && slow->issuing_count < slow->active) {
        slow->issuing[slow->issuing_count++] = take(slow->pending, &slow->pending_count, 0);
        moved = true;
    }
    return moved;
}

void slow_scheduler_init(struct slow_scheduler *slow, int policy, uint32_t count, uint64_t active)
{
    *slow = (struct slow_scheduler){
        .policy = policy, .count = count, .active = (uint32_t)active, .last = count - 1};
    for (uint32_t i = 0; i < count; i++) {
        if (i < active)
            slow->issuing[slow->issuing_count++] = i;
        else
            slow->pending[slow->pending_count++] = i;
    }
}

void slow_scheduler_issued(struct slow_scheduler *slow, uint32_t slot)
{
    slow->last = slot;
    /* Warps up to it in the list go to its end, in their order. */
    for (uint32_t i = 0; i < slow->issuing_count; i++) {
        const uint32_t moved = take(slow->issuing, &slow->issuing_count, 0);
        slow->issuing[slow->issuing_count++] = moved;
        if (moved == slot)
            return;
    }
}

int slow_scheduler_cycle(struct slow_scheduler *slow, bool *moved)
{
    struct order order = {.count = 0};
    *moved = exchange(slow);
    orders[slow->policy](slow, &order);
    for (uint32_t i = 0; i < order.count; i++) {
        const struct slow_scheduler_warp *warp = &slow->warps[order.slots[i]];
        if (!warp->present || !warp->ready || warp->held)
            continue;
        slow_scheduler_issued(slow, order.slots[i]);
        return (int)order.slots[i];
    }
    return -1;
}
