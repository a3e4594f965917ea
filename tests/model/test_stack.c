/* One stack pass against a cache of every number of ways, with both kinds of lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/lru/stack.h"
#include "support/pick_members.h"

enum { COUNT = 4000, INSTANCES = 2 };

static struct cache_config roll_config(uint64_t seed)
{
    static const int policies[] = {WRITE_READ_ONLY, WRITE_BACK, WRITE_THROUGH, WRITE_EVICT,
                                   WRITE_LOCAL_BACK};
    struct cache_config config = {.enabled = 1, .slices = 1, .interleave = 1024, .ways = 1};
    config.line = config.sector = UINT64_C(32) << random_at(seed, 0) % 4;
    config.index = pick_index(random_at(seed, 1));
    config.write = policies[random_at(seed, 2) % 5];
    config.write_allocate = random_at(seed, 3) % 2 ? WRITE_ALLOCATE_FETCH : WRITE_ALLOCATE_ON_WRITE;
    if (config.write == WRITE_EVICT || config.write == WRITE_LOCAL_BACK)
        config.write_allocate = WRITE_ALLOCATE_NONE;
    uint64_t sets = UINT64_C(1) << random_at(seed, 4) % 6;
    if (random_at(seed, 8) & 1)
        sets = 1 + random_at(seed, 4) % 40;
    sets = fit_sets(config.index, sets);
    if (random_at(seed, 5) % 3 == 0)
        config.slices = 1 + random_at(seed, 5) % 5;
    config.size = sets * config.line * config.slices;
    return config;
}

static void roll_requests(uint64_t seed, const struct cache_config *config, uint64_t ways,
                          struct request requests[COUNT])
{
    uint64_t lines = config->size / config->line * (1 + random_at(seed, 7) % (ways + 10));
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
                                       .instance = random >> 12 & 1,
                                       .op = (random >> 13) % 4 ? OP_LOAD : OP_STORE,
                                       .flags = (random >> 16) % 8 ? 0 : REQUEST_BYPASS_L1};
        if ((random >> 20) % 32 == 0)
            requests[i].op = OP_ATOMIC;
    }
}

/* Runs the requests in two parts, with all forgotten in between if `flush`. */
static struct stack_pass *run_stack(const struct cache_config *config, uint64_t ways,
                                    unsigned options, bool flush, const struct request *requests)
{
    struct stack_pass *pass;
    assert_int_equal(stack_create(config, ways, INSTANCES, options, &pass), STATUS_OK);
    assert_int_equal(stack_run(pass, requests, COUNT / 2), STATUS_OK);
    if (flush)
        stack_flush(pass);
    assert_int_equal(stack_run(pass, requests + COUNT / 2, COUNT - COUNT / 2), STATUS_OK);
    return pass;
}

static void run_cache(const struct cache_config *config, unsigned options, bool flush,
                      const struct request *requests, struct cache_counts *counts)
{
    struct cache *cache;
    assert_int_equal(cache_create(config, INSTANCES, 0, options, &cache), STATUS_OK);
    assert_int_equal(cache_run(cache, requests, COUNT / 2, NULL), STATUS_OK);
    if (flush)
        assert_int_equal(cache_flush(cache, NULL), STATUS_OK);
    assert_int_equal(cache_run(cache, requests + COUNT / 2, COUNT - COUNT / 2, NULL), STATUS_OK);
    cache_read_counts(cache, counts);
    cache_free(cache);
}

static void check_ways(struct cache_config config, const struct stack_pass *pass, uint64_t ways,
                       unsigned options, bool flush, const struct request *requests)
{
    struct cache_counts counts, expected;
    config.size *= ways;
    config.ways = ways;
    run_cache(&config, options, flush, requests, &expected);
    stack_read_counts(pass, ways, &counts);
    assert_int_equal(counts.reads, expected.reads);
    assert_int_equal(counts.read_misses, expected.read_misses);
    assert_int_equal(counts.writes, expected.writes);
    assert_int_equal(counts.write_misses, expected.write_misses);
    assert_int_equal(counts.misses, expected.misses);
    assert_int_equal(counts.accesses, expected.accesses);
}

static void test_equals_caches(void **state)
{
    (void)state;
    static struct request requests[COUNT];
    static const uint64_t most[] = {1, 5, 32, 70, 300};
    for (uint64_t seed = 0; seed < 80; seed++) {
        struct cache_config config = roll_config(seed);
        unsigned options = seed % 2 || stack_evicts(&config) ? CACHE_L1 : 0; /* no atomics */
        bool flush = seed % 3 == 0;
        uint64_t ways_max = most[seed % 5];
        roll_requests(seed, &config, ways_max, requests);
        for (int portable = 0; portable < 2; portable++) {
            unsigned how = options | (portable ? STACK_PORTABLE : 0);
            struct stack_pass *pass = run_stack(&config, ways_max, how, flush, requests);
            for (uint64_t ways = 1; ways <= ways_max; ways += 1 + ways / 8)
                check_ways(config, pass, ways, options, flush, requests);
            check_ways(config, pass, ways_max, options, flush, requests);
            stack_free(pass);
        }
    }
}

/* Thousands of lines in one set: sums over several blocks, and lines that are moved together. */
static void test_fully_associative(void **state)
{
    (void)state;
    enum { WAYS = 5000, LENGTH = 15 * COUNT };
    static struct request requests[LENGTH];
    const struct cache_config config = {.enabled = 1,
                                        .slices = 1,
                                        .ways = 1,
                                        .line = 32,
                                        .sector = 32,
                                        .size = 32,
                                        .write = WRITE_READ_ONLY};
    for (uint64_t i = 0; i < LENGTH; i++) {
        uint64_t random = random_at(5, i), reach = i % 7 ? 6000 : i % 3 ? 100 : 30000;
        requests[i] = (struct request){.address = (random >> 20) % reach * 32, .bytes = 32};
    }
    struct stack_pass *pass;
    assert_int_equal(stack_create(&config, WAYS, 1, 0, &pass), STATUS_OK);
    assert_int_equal(stack_run(pass, requests, LENGTH), STATUS_OK);
    static const uint64_t chosen[] = {1, 2, 63, 64, 65, 100, 1000, 4095, 4096, 4097, 4999, WAYS};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        struct cache_config alone = config;
        struct cache_counts counts, expected;
        struct cache *cache;
        alone.ways = chosen[i];
        alone.size *= chosen[i];
        assert_int_equal(cache_create(&alone, 1, 0, 0, &cache), STATUS_OK);
        assert_int_equal(cache_run(cache, requests, LENGTH, NULL), STATUS_OK);
        cache_read_counts(cache, &expected);
        cache_free(cache);
        stack_read_counts(pass, chosen[i], &counts);
        assert_int_equal(counts.misses, expected.misses);
    }
    stack_free(pass);
}

static void test_flush(void **state)
{
    (void)state;
    struct cache_config config = roll_config(1);
    config.write = WRITE_BACK;
    struct stack_pass *pass;
    struct cache_counts counts;
    const struct request request = {.bytes = 32};
    assert_int_equal(stack_create(&config, 2, 1, 0, &pass), STATUS_OK);
    assert_int_equal(stack_run(pass, &request, 1), STATUS_OK);
    assert_int_equal(stack_run(pass, &request, 1), STATUS_OK);
    stack_flush(pass);
    assert_int_equal(stack_run(pass, &request, 1), STATUS_OK);
    stack_read_counts(pass, 1, &counts);
    assert_int_equal(counts.reads, 3);
    assert_int_equal(counts.read_misses, 2);
    const struct request unknown_instance = {.bytes = 32, .instance = 1};
    assert_int_equal(stack_run(pass, &unknown_instance, 1), STATUS_INVALID);
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
    other.write_allocate = WRITE_ALLOCATE_NONE;
    assert_true(stack_applies(&other));
    const struct request local = {.bytes = 32, .op = OP_STORE, .space = SPACE_LOCAL};
    assert_int_equal(stack_create(&other, 1, 1, 0, &pass), STATUS_OK);
    assert_int_equal(stack_run(pass, &local, 1), STATUS_UNSUPPORTED);
    stack_free(pass);
    other = config;
    other.replacement = REPLACEMENT_FIFO;
    assert_false(stack_applies(&other));
    other = config;
    other.line *= 2;
    assert_false(stack_applies(&other));
    assert_int_equal(stack_create(&other, 1, 1, 0, &pass), STATUS_UNSUPPORTED);
    assert_int_equal(stack_create(&config, STACK_WAYS_MAX + 1, 1, 0, &pass), STATUS_UNSUPPORTED);
    assert_int_equal(stack_create(&config, 0, 1, 0, &pass), STATUS_INVALID);
    assert_null(pass);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_caches),
        cmocka_unit_test(test_fully_associative),
        cmocka_unit_test(test_flush),
        cmocka_unit_test(test_applies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
