/* Warp schedulers: orders by hand (those of tb_priority as its paper's rules give them), and all
 * members against their slow twins. An order is what scheduler_pick returns if every warp can issue
 * and those before it are taken away one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/timing/schedulers/schedule_steps.h"
#include "support/roll_cache.h"
#include "support/slow_scheduler.h"

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
    assert_false(scheduler_begin(&scheduler, 0)); /* nobody leaves */
    /* Those that wait go to the end of the pending warps; as many come from their head. */
    assert_true(scheduler_begin(&scheduler, UINT64_C(1) << 3 | UINT64_C(1) << 0));
    CHECK(scheduler, 2, 1, 4, 5);
    assert_true(scheduler_begin(&scheduler, UINT64_C(0x36))); /* all four */
    CHECK(scheduler, 6, 7, 8, 9);
    for (unsigned i = 0; i < 2; i++)
        scheduler_begin(&scheduler, ~UINT64_C(0));
    CHECK(scheduler, 2, 1, 4, 5); /* after 10, 11, 3 and 0 */
}

/* ---- against the twins ---- */

static void test_each_has_a_twin(void **state)
{
    (void)state;
    for (int policy = 0; policy < SCHEDULER_COUNT; policy++)
        if (!slow_scheduler_has(policy))
            fail_msg("tests/support/slow_scheduler.c has no twin of %s",
                     scheduler_facts[policy].name);
}

struct pair {
    struct scheduler fast;
    struct slow_scheduler slow;
    uint64_t warps, blocks; /* that came so far */
};

static void let_block_come(struct pair *pair, uint32_t slot, uint32_t warps)
{
    for (uint32_t i = slot; i < slot + warps && i < pair->slow.count; i++) {
        scheduler_add(&pair->fast, i, pair->warps, pair->blocks);
        pair->slow.warps[i] = (struct slow_scheduler_warp){
            .present = true, .age = pair->warps++, .block = pair->blocks};
    }
    pair->blocks++;
}

/* Some warps end, blocks come to free slots, and every warp does something else. Few cycles have no
 * ready warp and in many all are, so that each policy shows its order. */
static void roll_cycle(struct dice *dice, struct pair *pair, uint64_t *held, uint64_t *ready)
{
    const uint64_t likely = roll(dice, 4), block = 1 + roll(dice, 6);
    for (uint32_t i = 0; i < pair->slow.count; i++) {
        struct slow_scheduler_warp *warp = &pair->slow.warps[i];
        if (warp->present && !roll(dice, 20)) {
            warp->present = false;
            pair->fast.present &= ~(UINT64_C(1) << i);
        } else if (!warp->present && !roll(dice, 10)) {
            let_block_come(pair, i, 1 + (uint32_t)roll(dice, block));
        }
    }
    *held = *ready = 0;
    pair->fast.waits = UINT64_MAX;
    pair->fast.loaded = 0;
    for (uint32_t i = 0; i < pair->slow.count; i++) {
        struct slow_scheduler_warp *warp = &pair->slow.warps[i];
        const uint64_t bit = UINT64_C(1) << i;
        warp->waits = !roll(dice, 6);
        warp->loaded = !warp->waits && !roll(dice, 6);
        warp->held = !roll(dice, 9);
        warp->ready = !warp->waits && roll(dice, 4) >= likely;
        *held |= warp->held ? bit : 0;
        *ready |= warp->present && warp->ready ? bit : 0;
        pair->fast.loaded |= warp->present && warp->loaded ? bit : 0;
        pair->fast.waits &= warp->present && !warp->waits ? ~bit : UINT64_MAX;
    }
}

/* A block may come to slots that have warps: these count as ended. */
static void test_twins(void **state)
{
    (void)state;
    struct dice dice = {7, 0};
    for (unsigned round = 0; round < 150 * SCHEDULER_COUNT; round++) {
        const int policy = (int)(round % SCHEDULER_COUNT);
        const uint32_t warps = 1 + (uint32_t)roll(&dice, round % 7 ? 13 : SLOW_WARPS);
        const uint64_t active = 1 + roll(&dice, warps);
        const struct scheduler_config config = {.policy = policy, .count = 1, .active = active};
        struct pair pair = {.warps = 0};
        scheduler_init(&pair.fast, &config, warps);
        slow_scheduler_init(&pair.slow, policy, warps, active);
        for (unsigned cycle = 0; cycle < 60; cycle++) {
            uint64_t held, ready;
            bool moved;
            if (!roll(&dice, 15)) {
                pair.slow.first = pair.blocks;
                scheduler_launch(&pair.fast, pair.blocks);
            }
            roll_cycle(&dice, &pair, &held, &ready);
            pair.fast.ready = ready;
            const int expected = slow_scheduler_cycle(&pair.slow, &moved);
            const bool began = scheduler_begin(&pair.fast, held);
            assert_int_equal(began, pair.fast.begins && moved);
            const uint64_t left = ready & scheduler_considers(&pair.fast, held);
            const int picked = left ? scheduler_pick(&pair.fast, left) : -1;
            if (picked != expected)
                fail_msg("%s picks w%d, its twin w%d (round %u, cycle %u)",
                         scheduler_facts[policy].name, picked, expected, round, cycle);
            if (picked >= 0)
                scheduler_issued(&pair.fast, (uint32_t)picked);
        }
    }
}

/* ---- in words ---- */

static const char *why_of(int policy, const struct schedule_cycle *cycles, unsigned count)
{
    static struct schedule_step step;
    struct schedule_steps steps;
    const struct scheduler_config config = {.policy = policy, .count = 1, .active = 2};
    schedule_steps_init(&steps, &config, 6, 2);
    for (unsigned i = 0; i < count; i++)
        schedule_steps_cycle(&steps, &cycles[i], &step);
    return step.why;
}

/* Every member has a sentence, for a pick and where it lets no ready warp issue. */
static void test_words(void **state)
{
    (void)state;
    const struct schedule_cycle cycles[] = {{.ready = 0x3f}, {.ready = 0x30, .memory = 0x03}};
    for (int policy = 0; policy < SCHEDULER_COUNT; policy++)
        for (unsigned count = 1; count <= 2; count++)
            assert_true(strlen(why_of(policy, cycles, count)) > 10);
    assert_string_equal(why_of(SCHEDULER_OLD, cycles, 2), "the oldest ready warp");
    assert_string_equal(why_of(SCHEDULER_RRR, &cycles[1], 1),
                        "after w5 it is the turn of w0, which is not ready: none issues");
    assert_string_equal(
        why_of(SCHEDULER_TB_PRIORITY, cycles, 2),
        "block 0, the oldest, has priority (w0 w1), but no ready warp: the first one "
        "beyond it");
    const struct schedule_cycle none = {.memory = 0x3f};
    assert_string_equal(why_of(SCHEDULER_GTO, &none, 1), "no warp is ready");
}

/* The steps take what the SM would: the priority passes to the next block when one has ended, and a
 * block that comes to its slots is the youngest. */
static void test_steps(void **state)
{
    (void)state;
    const struct scheduler_config config = {.policy = SCHEDULER_TB_PRIORITY, .count = 1};
    struct schedule_steps steps;
    struct schedule_step step;
    schedule_steps_init(&steps, &config, 6, 2);
    schedule_steps_cycle(&steps, &(struct schedule_cycle){.ready = 0x3c, .ended = 0x03}, &step);
    assert_int_equal(step.slot, 2);
    schedule_steps_cycle(&steps, &(struct schedule_cycle){.ready = 0x33, .come = 0x03}, &step);
    assert_int_equal(step.slot, 4); /* block 1, of which 3 was next, is not ready: beyond it */
    const uint8_t order[] = {4, 5, 0, 1};
    assert_int_equal(step.ordered, 4);
    assert_memory_equal(step.order, order, sizeof order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tb_priority),
        cmocka_unit_test(test_tb_priority_passes),
        cmocka_unit_test(test_tb_first),
        cmocka_unit_test(test_lrr),
        cmocka_unit_test(test_by_age),
        cmocka_unit_test(test_rrr),
        cmocka_unit_test(test_swl),
        cmocka_unit_test(test_two_level),
        cmocka_unit_test(test_each_has_a_twin),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
