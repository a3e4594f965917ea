/* Every replacement policy against its slow twin (support/policy_twin.h). Then the orders that are
 * known: nothing beats the optimum, and on a loop that does not fit some policies beat
 * LRU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/cache.h"
#include "model/cache/opt.h"
#include "model/cache/replacement.h"
#include "support/policy_twin.h"
#include "support/roll_cache.h"
#include "support/sanitized.h"

static void test_twins(void **state)
{
    (void)state;
    for (int policy = 0; policy < REPLACEMENT_COUNT; policy++)
        for (uint64_t seed = 0; seed < ROLLS(60); seed++)
            if (!(replacement_facts[policy].traits & REPLACEMENT_FUTURE))
                policy_twin_check(policy, seed);
}

static struct cache_config one_sector(int replacement, uint64_t sets, uint64_t ways)
{
    struct cache_config config = plain_cache(128, sets, ways, INDEX_MODULO);
    config.replacement = replacement;
    return config;
}

static uint64_t misses_of(const struct cache_config *config, const struct request *requests,
                          size_t count)
{
    struct cache *cache;
    struct cache_counts counts;
    assert_int_equal(cache_create(config, 1, 1, 0, &cache), STATUS_OK);
    assert_int_equal(cache_run(cache, requests, count, NULL), STATUS_OK);
    cache_read_counts(cache, &counts);
    cache_free(cache);
    return counts.misses;
}

static uint64_t optimum_of(const struct cache_config *config, const struct request *requests,
                           size_t count, bool bypassing)
{
    struct opt_cache *opt;
    struct cache_counts counts;
    assert_int_equal(opt_create(config, 1, 0, 0, &opt), STATUS_OK);
    assert_int_equal(opt_run(opt, requests, count, NULL), STATUS_OK);
    assert_int_equal(opt_finish(opt, bypassing, &counts), STATUS_OK);
    opt_free(opt);
    return counts.misses;
}

enum { ACCESSES = 4000 };

static void test_nothing_beats_the_optimum(void **state)
{
    (void)state;
    static struct request requests[ACCESSES];
    for (uint64_t seed = 0; seed < ROLLS(20); seed++) {
        struct dice dice = {.seed = seed};
        const uint64_t ways = UINT64_C(1) << roll(&dice, 5), sets = UINT64_C(1) << roll(&dice, 5);
        const uint64_t lines = ways * sets * 3 / 2 + 1;
        for (size_t i = 0; i < ACCESSES; i++) {
            const uint64_t line = roll(&dice, 3) ? roll(&dice, lines) : i % lines;
            requests[i] = (struct request){.address = 128 * line,
                                           .pc = (uint32_t)(line % 11),
                                           .touched = UINT32_MAX,
                                           .bytes = 128,
                                           .op = OP_LOAD};
        }
        const struct cache_config plain = one_sector(REPLACEMENT_LRU, sets, ways);
        const uint64_t least = optimum_of(&plain, requests, ACCESSES, false);
        assert_true(optimum_of(&plain, requests, ACCESSES, true) <= least);
        for (int policy = 0; policy < REPLACEMENT_COUNT; policy++) {
            const struct cache_config config = one_sector(policy, sets, ways);
            if (!(replacement_facts[policy].traits & REPLACEMENT_FUTURE) &&
                replacement_holds(policy, ways))
                assert_true(misses_of(&config, requests, ACCESSES) >= least);
        }
    }
}

/* Round and round over half as many lines again as the cache holds: LRU never hits, and those that
 * keep some lines do. */
static void test_a_loop_that_does_not_fit(void **state)
{
    (void)state;
    static const int better[] = {REPLACEMENT_LIP,   REPLACEMENT_BIP,     REPLACEMENT_DIP,
                                 REPLACEMENT_MRU,   REPLACEMENT_BRRIP,   REPLACEMENT_DRRIP,
                                 REPLACEMENT_LFU,   REPLACEMENT_HAWKEYE, REPLACEMENT_MOCKINGJAY,
                                 REPLACEMENT_RANDOM};
    enum { SETS = 64, WAYS = 8, LINES = SETS * WAYS * 3 / 2, ROUNDS = 100 };
    struct request *requests = calloc(ROUNDS * LINES, sizeof *requests);
    assert_non_null(requests);
    for (size_t i = 0; i < ROUNDS * LINES; i++)
        requests[i] = (struct request){
            .address = 128 * (i % LINES), .touched = UINT32_MAX, .bytes = 128, .op = OP_LOAD};
    const struct cache_config lru = one_sector(REPLACEMENT_LRU, SETS, WAYS);
    const uint64_t all = misses_of(&lru, requests, ROUNDS * LINES);
    assert_int_equal(all, ROUNDS * LINES);
    for (size_t i = 0; i < sizeof better / sizeof *better; i++) {
        const struct cache_config config = one_sector(better[i], SETS, WAYS);
        const uint64_t misses = misses_of(&config, requests, ROUNDS * LINES);
        print_message("%s: %.1f %% of LRU's misses\n", replacement_facts[better[i]].name,
                      100.0 * (double)misses / (double)all);
        assert_true(misses < all);
    }
    free(requests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_nothing_beats_the_optimum),
        cmocka_unit_test(test_a_loop_that_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
