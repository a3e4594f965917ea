#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/cache.h"
#include "model/cache/set_steps.h"
#include "schema/families.h"
#include "support/pick_members.h"
#include "support/roll_cache.h"

/* The second of two sets of a cache hits and misses as the steps do. */
static void steps_are_those_of_a_cache(void **state)
{
    (void)state;
    const struct set_step *step;
    for (int policy = 0; policy < REPLACEMENT_COUNT; policy++) {
        if (replacement_facts[policy].traits & REPLACEMENT_FUTURE ||
            policy == REPLACEMENT_RANDOM) /* draws from the seed of its cache */
            continue;
        const uint64_t ways = fit_ways(policy, 8);
        struct cache_config config = plain_cache(128, 2, ways, INDEX_MODULO);
        struct set_steps *steps;
        struct cache *cache;
        config.replacement = policy;
        assert_int_equal(cache_create(&config, 1, 0, 0, &cache), STATUS_OK);
        assert_int_equal(set_steps_create(policy, RESET_PAPER, (uint32_t)ways, &steps), STATUS_OK);
        uint64_t hits = 0;
        for (uint64_t i = 0; i < 3000; i++) {
            struct cache_counts counts;
            const uint64_t line = 2 * (random_at(1, i) % 13) + 1;
            const uint32_t pc = (uint32_t)(line % 5);
            const struct request request = {
                .address = 128 * line, .pc = pc, .touched = UINT32_MAX, .bytes = 128};
            assert_int_equal(set_steps_access(steps, line / 2, pc, &step), STATUS_OK);
            hits += step->hit;
            assert_int_equal(step->tags[step->way], line / 2 + 1);
            assert_int_equal(cache_run(cache, &request, 1, NULL), STATUS_OK);
            cache_read_counts(cache, &counts);
            assert_int_equal(counts.misses, i + 1 - hits);
        }
        set_steps_free(steps);
        cache_free(cache);
    }
}

static void what_cannot_be_stepped_is_refused(void **state)
{
    (void)state;
    struct set_steps *steps;
    assert_int_equal(set_steps_create(REPLACEMENT_OPT, 0, 4, &steps), STATUS_INVALID);
    assert_int_equal(set_steps_create(REPLACEMENT_PLRU, 0, 3, &steps), STATUS_INVALID);
    assert_int_equal(set_steps_create(REPLACEMENT_LRU_STACK, RESET_ONES, 4, &steps),
                     STATUS_INVALID);
    assert_int_equal(set_steps_create(REPLACEMENT_LRU, 0, 0, &steps), STATUS_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_a_cache),
        cmocka_unit_test(what_cannot_be_stepped_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
