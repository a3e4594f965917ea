/* How settings are divided into passes and groups: every setting is in exactly one pass, first
 * levels are not split if possible, and idle threads get groups of the last passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/plan/planner_tasks.h"

enum { ITEMS = 200 };

static int compare(const void *a, const void *b)
{
    return pass_item_compare(a, b);
}

static size_t roll(uint64_t seed, struct pass_item items[ITEMS])
{
    size_t count = 1 + random_at(seed, 0) % ITEMS;
    for (size_t i = 0; i < count; i++) {
        uint64_t draw = random_at(seed, i + 1);
        struct pass_item *item = &items[i];
        *item = (struct pass_item){.stream = draw & 1, .number = (uint32_t)i};
        item->first = (uint32_t)(draw >> 1 & 15) + 16 * item->stream;
        item->shared = item->first % 3 == 0;
        item->level = 16 * item->first + (uint32_t)(draw >> 16 & 15);
        item->cheap = !item->shared && item->first % 3 == 1;
        item->family = item->first % 2;
        item->bytes = draw >> 8 & 1 ? PASS_BYTES / 8 : 1000;
    }
    qsort(items, count, sizeof *items, compare);
    return count;
}

static void check_pass(const struct pass_item *items, size_t count, size_t most)
{
    size_t alone = 0, cheap = 0;
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        bool first = !i || items[i].first != items[i - 1].first;
        assert_int_equal(items[i].stream, items[0].stream);
        assert_int_equal(items[i].shared, items[0].shared);
        cheap = first ? 0 : cheap;
        if (!items[i].shared && (first || items[i].level != items[i - 1].level))
            alone += !items[i].cheap || cheap++ % CHEAP_LEVELS == 0;
    }
    assert_true(alone <= most);
}

static void passes_take_every_setting_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct pass_item items[ITEMS];
        size_t ends[ITEMS], count = roll(seed, items), most = 1 + random_at(seed, 999) % 16;
        size_t passes = pass_cut(items, count, most, seed % 2, ends);
        for (size_t i = 0, first = 0; i < passes; first = ends[i++])
            check_pass(items + first, ends[i] - first, most);
        assert_int_equal(ends[passes - 1], count);
        /* A first level that is shared is whole, and settings of equal levels are together. */
        for (size_t i = 0; i + 1 < passes; i++) {
            const struct pass_item *last = &items[ends[i] - 1], *next = &items[ends[i]];
            assert_false(next->shared && last->first == next->first);
            assert_false(last->first == next->first && last->level == next->level);
        }
    }
}

static void shared_levels_are_one_pass(void **state)
{
    (void)state;
    struct pass_item items[ITEMS];
    size_t ends[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++)
        items[i] = (struct pass_item){.first = i / 4, .number = i, .shared = true, .bytes = 1000};
    assert_int_equal(pass_cut(items, ITEMS, 1, true, ends), 1);
}

static void settings_are_dealt_evenly_whatever_the_threads(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 64; threads *= 4) {
        assert_int_equal(pass_levels(0, DEPTH_FUNCTIONAL, threads), 1);
        assert_int_equal(pass_levels(5, DEPTH_FUNCTIONAL, threads), 5);
        assert_int_equal(pass_levels(16, DEPTH_FUNCTIONAL, threads), 16);
        assert_int_equal(pass_levels(17, DEPTH_FUNCTIONAL, threads), 9);
        assert_int_equal(pass_levels(10000, DEPTH_FUNCTIONAL, threads), 16);
    }
    /* Nobody helps at the reuse depth. */
    assert_int_equal(pass_levels(16, DEPTH_REUSE, 2), 2);
    assert_int_equal(pass_levels(5, DEPTH_REUSE, 64), 1);
    /* Machines in time share nothing. */
    assert_int_equal(pass_levels(1000, DEPTH_TIMING, 1), 1);
}

static void late_passes_have_groups_for_all_threads(void **state)
{
    (void)state;
    for (int threads = 2; threads <= 64; threads *= 2) {
        assert_true(pass_groups_wanted(1, 0, false, threads) >= (size_t)threads);
        assert_true(pass_groups_wanted(1, 0, true, threads) >= (size_t)threads);
        assert_true(pass_groups_wanted(1000, 0, false, threads) > 1);
        assert_int_equal(pass_groups_wanted(1000, 500, false, threads), 1);
    }
    assert_int_equal(pass_groups_wanted(1, 0, false, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_take_every_setting_once),
        cmocka_unit_test(shared_levels_are_one_pass),
        cmocka_unit_test(settings_are_dealt_evenly_whatever_the_threads),
        cmocka_unit_test(late_passes_have_groups_for_all_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
