/* One stack pass against a cache of every number of ways, and its two kernels against each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/stack.h"

enum { COUNT = 4000, UNITS = 2 };

static struct cache_config roll_config(uint64_t seed)
{
    static const int policies[] = {WRITE_READ_ONLY, WRITE_BACK, WRITE_THROUGH};
    struct cache_config config = {.enabled = 1, .slices = 1, .interleave = 1024, .ways = 1};
    config.line = config.sector = UINT64_C(32) << random_at(seed, 0) % 4;
    config.index = (int)(random_at(seed, 1) % INDEX_COUNT);
    config.write = policies[random_at(seed, 2) % 3];
    config.write_allocate = random_at(seed, 3) % 2 ? WRITE_ALLOCATE_FETCH : WRITE_ALLOCATE_ON_WRITE;
    uint64_t sets = UINT64_C(1) << random_at(seed, 4) % 6;
    if (config.index == INDEX_LINEAR)
        sets = 1 + random_at(seed, 4) % 40;
    if (config.index == INDEX_FERMI)
        sets = 32;
    if (random_at(seed, 5) % 3 == 0)
        config.slices = 1 + random_at(seed, 5) % 5;
    config.size = sets * config.line * config.slices;
    return config;
}

static void roll_requests(uint64_t seed, const struct cache_config *config,
                          struct request requests[COUNT])
{
    uint64_t lines = config->size / config->line * (1 + random_at(seed, 7) % 40);
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t random = random_at(seed + 1000000, i);
        uint64_t bytes = UINT64_C(32) << (random & 3);
        uint64_t address = (random >> 40) % lines * config->line;
        if ((random >> 3) % 3 == 0) /* near places of the lists */
            address = (random >> 40) % (1 + lines / 16) * config->line;
        if ((random >> 5) % 64 == 0)
            address += random << 20;
        requests[i] = (struct request){.address = address - address % bytes,
                                       .bytes = (uint16_t)bytes,
                                       .touched = UINT32_MAX,
                                       .unit = random >> 12 & 1,
                                       .op = (random >> 13) % 4 ? OP_LOAD : OP_STORE,
                                       .flags = (random >> 16) % 8 ? 0 : REQUEST_BYPASS_L1};
        if ((random >> 20) % 32 == 0)
            requests[i].op = OP_ATOMIC;
    }
}

static void run_stack(const struct cache_config *config, unsigned options,
                      const struct request *requests, struct stack_counts *counts)
{
    struct stack_pass *pass;
    assert_int_equal(stack_create(config, UNITS, options, &pass), STATUS_OK);
    assert_int_equal(stack_run(pass, requests, COUNT / 2), STATUS_OK);
    assert_int_equal(stack_run(pass, requests + COUNT / 2, COUNT - COUNT / 2), STATUS_OK);
    stack_read_counts(pass, counts);
    stack_free(pass);
}

static void test_equals_caches(void **state)
{
    (void)state;
    static struct request requests[COUNT];
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct cache_config config = roll_config(seed);
        unsigned options = seed % 2 ? CACHE_L1 : 0;
        struct stack_counts stack, portable;
        roll_requests(seed, &config, requests);
        run_stack(&config, options, requests, &stack);
        run_stack(&config, options | STACK_PORTABLE, requests, &portable);
        assert_memory_equal(&stack, &portable, sizeof stack);
        uint64_t row = config.size;
        for (unsigned ways = 1; ways <= STACK_WAYS; ways++) {
            struct cache_counts counts, expected;
            struct cache *cache;
            config.ways = ways;
            config.size = row * ways;
            assert_int_equal(cache_create(&config, UNITS, 0, options, &cache), STATUS_OK);
            assert_int_equal(cache_run(cache, requests, COUNT, NULL), STATUS_OK);
            cache_read_counts(cache, &expected);
            cache_free(cache);
            stack_cache_counts(&stack, ways, &counts);
            assert_int_equal(counts.reads, expected.reads);
            assert_int_equal(counts.read_misses, expected.read_misses);
            assert_int_equal(counts.writes, expected.writes);
            assert_int_equal(counts.write_misses, expected.write_misses);
            assert_int_equal(counts.misses, expected.misses);
            assert_int_equal(counts.accesses, expected.accesses);
        }
    }
}

static void test_flush_and_reset(void **state)
{
    (void)state;
    struct cache_config config = roll_config(1);
    config.write = WRITE_BACK;
    struct stack_pass *pass;
    struct stack_counts counts;
    const struct request request = {.bytes = 32};
    assert_int_equal(stack_create(&config, 1, 0, &pass), STATUS_OK);
    assert_int_equal(stack_run(pass, &request, 1), STATUS_OK);
    stack_reset_counts(pass);
    assert_int_equal(stack_run(pass, &request, 1), STATUS_OK);
    stack_flush(pass);
    assert_int_equal(stack_run(pass, &request, 1), STATUS_OK);
    stack_read_counts(pass, &counts);
    assert_int_equal(counts.reads, 2);
    assert_int_equal(counts.read_places[0], 1);
    assert_int_equal(counts.read_places[STACK_WAYS], 1);
    const struct request unknown_unit = {.bytes = 32, .unit = 1};
    assert_int_equal(stack_run(pass, &unknown_unit, 1), STATUS_INVALID);
    stack_free(pass);
}

static void test_applies(void **state)
{
    (void)state;
    struct cache_config config = roll_config(1);
    struct stack_pass *pass;
    config.write = WRITE_BACK;
    assert_true(stack_applies(&config));
    struct cache_config other = config;
    other.write_allocate = WRITE_ALLOCATE_NONE;
    assert_false(stack_applies(&other));
    other.write_allocate = WRITE_ALLOCATE_LAZY;
    assert_false(stack_applies(&other));
    other = config;
    other.write = WRITE_LOCAL_BACK;
    assert_false(stack_applies(&other));
    other = config;
    other.replacement = REPLACEMENT_FIFO;
    assert_false(stack_applies(&other));
    other = config;
    other.line *= 2;
    assert_false(stack_applies(&other));
    assert_int_equal(stack_create(&other, 1, 0, &pass), STATUS_UNSUPPORTED);
    config.ways = 0;
    assert_int_equal(stack_create(&config, 1, 0, &pass), STATUS_INVALID);
    assert_null(pass);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_caches),
        cmocka_unit_test(test_flush_and_reset),
        cmocka_unit_test(test_applies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
