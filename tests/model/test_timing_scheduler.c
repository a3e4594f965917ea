/* The orders of warp schedulers: those of tb_priority as its paper's rules give them, the others by
 * hand. An order is what scheduler_pick returns if every warp can issue and those before it are
 * taken away one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/timing/schedulers/scheduler.h"

enum { WARPS = 12, BLOCK = 4 };

/* A scheduler with 12 warps, four of each block. `first`: the block that came first; the warps'
 * ages run the other way round than their slots if `reversed`. */
static struct scheduler scheduler_of(int policy, uint64_t active, uint64_t first, bool reversed)
{
    const struct scheduler_config config = {.policy = policy, .count = 1, .active = active};
    struct scheduler scheduler;
    scheduler_init(&scheduler, &config, WARPS);
    for (uint32_t slot = 0; slot < WARPS; slot++) {
        const uint64_t block = slot / BLOCK;
        const uint64_t came = block == first ? 0 : block + 1;
        scheduler_add(&scheduler, slot, reversed ? WARPS - slot : slot, came);
    }
    return scheduler;
}

static void check_order(struct scheduler *scheduler, const uint32_t *expected, uint32_t count)
{
    uint64_t left = (UINT64_C(1) << WARPS) - 1;
    left &= scheduler_considers(scheduler, 0);
    for (uint32_t i = 0; i < count; i++) {
        const int picked = scheduler_pick(scheduler, left);
        assert_int_equal(picked, expected[i]);
        left &= ~(UINT64_C(1) << picked);
    }
    assert_true(!left || scheduler_pick(scheduler, left) < 0);
}

#define CHECK(scheduler, ...)                                                                      \
    do {                                                                                           \
        const uint32_t expected[] = {__VA_ARGS__};                                                 \
        check_order(&(scheduler), expected, sizeof expected / sizeof *expected);                   \
    } while (0)

/* `next` is the warp after the last that issued; the warps of `block` have priority. */
static struct scheduler priority_of(uint64_t block, uint32_t next)
{
    struct scheduler scheduler = scheduler_of(SCHEDULER_TB_PRIORITY, 0, block, false);
    scheduler_issued(&scheduler, (next + WARPS - 1) % WARPS);
    return scheduler;
}

static void test_tb_priority(void **state)
{
    (void)state;
    struct scheduler scheduler = priority_of(1, 5);
    CHECK(scheduler, 5, 6, 7, 4, 8, 9, 10, 11, 0, 1, 2, 3);
    scheduler = priority_of(1, 4);
    CHECK(scheduler, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3);
    scheduler = priority_of(1, 7);
    CHECK(scheduler, 7, 4, 5, 6, 8, 9, 10, 11, 0, 1, 2, 3);
    scheduler = priority_of(1, 9);
    CHECK(scheduler, 4, 5, 6, 7, 9, 10, 11, 0, 1, 2, 3, 8);
    scheduler = priority_of(1, 2);
    CHECK(scheduler, 4, 5, 6, 7, 2, 3, 8, 9, 10, 11, 0, 1);
    scheduler = priority_of(1, 11);
    CHECK(scheduler, 4, 5, 6, 7, 11, 0, 1, 2, 3, 8, 9, 10);
    scheduler = priority_of(0, 5);
    CHECK(scheduler, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 4);
    scheduler = priority_of(2, 9);
    CHECK(scheduler, 9, 10, 11, 8, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* The priority passes to the next block once the warps of the first have gone. */
static void test_tb_priority_passes(void **state)
{
    (void)state;
    struct scheduler scheduler = priority_of(1, 0);
    scheduler.present &= ~UINT64_C(0xf0);
    CHECK(scheduler, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    scheduler.present &= ~UINT64_C(0x0f);
    const uint32_t first[] = {8, 9, 10, 11};
    uint64_t left = scheduler.present;
    for (uint32_t i = 0; i < BLOCK; i++) {
        assert_int_equal(scheduler_pick(&scheduler, left), first[i]);
        left &= ~(UINT64_C(1) << first[i]);
    }
}

/* Priority is that of one block alone: without it the order is lrr, whatever came when. */
static void test_tb_first(void **state)
{
    (void)state;
    struct scheduler scheduler = scheduler_of(SCHEDULER_TB_FIRST, 0, 1, false);
    scheduler_launch(&scheduler, 0); /* block 1 came first */
    scheduler_issued(&scheduler, 8);
    CHECK(scheduler, 4, 5, 6, 7, 9, 10, 11, 0, 1, 2, 3, 8);
    scheduler_launch(&scheduler, 7); /* a block of another launch */
    CHECK(scheduler, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    scheduler_launch(&scheduler, 0);
    scheduler.present &= ~UINT64_C(0xf0);
    assert_int_equal(scheduler_pick(&scheduler, scheduler.present), 9);
    assert_int_equal(scheduler_pick(&scheduler, 1), 0);
}

static void test_lrr(void **state)
{
    (void)state;
    struct scheduler scheduler = scheduler_of(SCHEDULER_LRR, 0, 0, true);
    CHECK(scheduler, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    scheduler_issued(&scheduler, 6);
    CHECK(scheduler, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6);
    scheduler_issued(&scheduler, 11);
    CHECK(scheduler, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
}

static void test_by_age(void **state)
{
    (void)state;
    struct scheduler scheduler = scheduler_of(SCHEDULER_GTO, 0, 0, true);
    scheduler_issued(&scheduler, 6);
    CHECK(scheduler, 6, 11, 10, 9, 8, 7, 5, 4, 3, 2, 1, 0);
    scheduler = scheduler_of(SCHEDULER_GTY, 0, 0, true);
    scheduler_issued(&scheduler, 6);
    CHECK(scheduler, 6, 0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11);
    scheduler = scheduler_of(SCHEDULER_OLD, 0, 0, true);
    scheduler_issued(&scheduler, 6);
    CHECK(scheduler, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/* Only the warp whose turn it is, unless it waits at a barrier. */
static void test_rrr(void **state)
{
    (void)state;
    struct scheduler scheduler = scheduler_of(SCHEDULER_RRR, 0, 0, false);
    scheduler_issued(&scheduler, 3);
    CHECK(scheduler, 4);
    scheduler.waits = UINT64_C(1) << 4;
    CHECK(scheduler, 5);
    assert_int_equal(scheduler_considers(&scheduler, UINT64_C(1) << 5), UINT64_C(1) << 6);
}

/* gto among the oldest few; a warp that waits makes room for a younger one. */
static void test_swl(void **state)
{
    (void)state;
    struct scheduler scheduler = scheduler_of(SCHEDULER_SWL, 3, 0, false);
    scheduler_issued(&scheduler, 1);
    CHECK(scheduler, 1, 0, 2);
    scheduler.waits = UINT64_C(1) << 0;
    CHECK(scheduler, 1, 2, 3);
    /* Warps 0 and 1 cannot go on, so 2 to 4 are the oldest three that can. */
    assert_int_equal(scheduler_considers(&scheduler, UINT64_C(1) << 1), 0x1c);
}

static void test_two_level(void **state)
{
    (void)state;
    struct scheduler scheduler = scheduler_of(SCHEDULER_TWO_LEVEL, 4, 0, false);
    CHECK(scheduler, 0, 1, 2, 3);
    scheduler_issued(&scheduler, 1);
    CHECK(scheduler, 2, 3, 0, 1);
    assert_false(scheduler_exchange(&scheduler, 0)); /* nobody leaves */
    /* Those that wait go to the end of the pending warps; as many come from their head. */
    assert_true(scheduler_exchange(&scheduler, UINT64_C(1) << 3 | UINT64_C(1) << 0));
    CHECK(scheduler, 2, 1, 4, 5);
    assert_true(scheduler_exchange(&scheduler, UINT64_C(0x36))); /* all four */
    CHECK(scheduler, 6, 7, 8, 9);
    for (unsigned i = 0; i < 2; i++)
        scheduler_exchange(&scheduler, ~UINT64_C(0));
    CHECK(scheduler, 2, 1, 4, 5); /* after 10, 11, 3 and 0 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tb_priority), cmocka_unit_test(test_tb_priority_passes),
        cmocka_unit_test(test_tb_first),    cmocka_unit_test(test_lrr),
        cmocka_unit_test(test_by_age),      cmocka_unit_test(test_rrr),
        cmocka_unit_test(test_swl),         cmocka_unit_test(test_two_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
