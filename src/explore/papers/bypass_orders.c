#include "explore/papers/bypass_orders.h"

#include "model/timing/schedulers/scheduler.h"

/* The priority block from the warp that is next if it is one of it, else from its first; then the
 * others: from after the block if the next warp was of it, else from that warp. */
const struct bypass_order_case bypass_order_cases[BYPASS_ORDER_CASES] = {
    {1, 5, {5, 6, 7, 4, 8, 9, 10, 11, 0, 1, 2, 3}}, {1, 4, {4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3}},
    {1, 7, {7, 4, 5, 6, 8, 9, 10, 11, 0, 1, 2, 3}}, {1, 9, {4, 5, 6, 7, 9, 10, 11, 0, 1, 2, 3, 8}},
    {1, 2, {4, 5, 6, 7, 2, 3, 8, 9, 10, 11, 0, 1}}, {1, 11, {4, 5, 6, 7, 11, 0, 1, 2, 3, 8, 9, 10}},
    {0, 5, {0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 4}}, {2, 9, {9, 10, 11, 8, 0, 1, 2, 3, 4, 5, 6, 7}},
};

void bypass_order_of(const struct bypass_order_case *wanted, uint8_t order[ORDER_WARPS])
{
    const struct scheduler_config config = {.policy = SCHEDULER_TB_PRIORITY, .count = 1};
    struct scheduler scheduler;
    uint64_t left = (UINT64_C(1) << ORDER_WARPS) - 1;
    scheduler_init(&scheduler, &config, ORDER_WARPS);
    for (uint32_t slot = 0; slot < ORDER_WARPS; slot++) {
        const uint64_t block = slot / ORDER_BLOCK;
        scheduler_add(&scheduler, slot, slot, block == wanted->block ? 0 : block + 1);
    }
    scheduler_issued(&scheduler, (wanted->next + ORDER_WARPS - 1) % ORDER_WARPS);
    for (uint32_t i = 0; i < ORDER_WARPS; i++) {
        order[i] = (uint8_t)scheduler_pick(&scheduler, left);
        left &= ~(UINT64_C(1) << order[i]);
    }
}
