/* One pass with distances of sectors against caches of every number of ways and of several numbers
 * of sets: every count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/lru/sector_stack.h"
#include "model/lru/stack.h"
#include "schema/parameters.h"
#include "support/pick_members.h"

enum { COUNT = 3000, INSTANCES = 2, CACHES = 5 };

static struct cache_config roll_config(uint64_t seed)
{
    static const int writes[] = {WRITE_READ_ONLY, WRITE_BACK, WRITE_THROUGH, WRITE_EVICT,
                                 WRITE_LOCAL_BACK};
    static const int allocates[] = {WRITE_ALLOCATE_FETCH, WRITE_ALLOCATE_ON_WRITE,
                                    WRITE_ALLOCATE_LAZY};
    struct cache_config config = {.enabled = 1, .slices = 1, .interleave = 1024, .ways = 1};
    config.line = UINT64_C(32) << random_at(seed, 0) % 4;
    config.sector = config.line >> random_at(seed, 6) % 4;
    if (config.sector < 16)
        config.sector = 16;
    config.index = pick_index(random_at(seed, 1));
    config.write = writes[random_at(seed, 2) % 5];
    config.write_allocate = allocates[random_at(seed, 3) % 3];
    if (config.write == WRITE_EVICT || config.write == WRITE_LOCAL_BACK) {
        config.write_allocate = WRITE_ALLOCATE_NONE;
        config.sector = config.line;
    }
    uint64_t sets = UINT64_C(1) << random_at(seed, 4) % 5;
    if (random_at(seed, 8) & 1)
        sets = 1 + random_at(seed, 4) % 20;
    sets = fit_sets(config.index, sets);
    if (random_at(seed, 5) % 3 == 0)
        config.slices = 1 + random_at(seed, 5) % 5;
    config.size = sets * config.line * config.slices;
    return config;
}

/* Requests of several sizes, many to the same lines, that touch all, some or hardly anything of
 * what they ask for. */
static void roll_requests(uint64_t seed, const struct cache_config *config,
                          struct request requests[COUNT])
{
    uint64_t lines = config->size / config->line * (1 + random_at(seed, 7) % 4) / 2 + 1;
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t random = random_at(seed + 1000000, i);
        uint64_t bytes = UINT64_C(16) << (random & 3);
        uint64_t reach = (random >> 3) % 3 ? lines : 1 + lines / 16;
        uint64_t address = (random >> 40) % (reach * config->line);
        uint64_t first = (random >> 21) % 32, length = (random >> 26) % (32 - first);
        requests[i] = (struct request){.address = address - address % bytes,
                                       .bytes = (uint16_t)bytes,
                                       .touched = UINT32_MAX >> (31 - length) << first,
                                       .instance = random >> 12 & 1,
                                       .op = (random >> 13) % 3 ? OP_LOAD : OP_STORE,
                                       .flags = (random >> 16) % 8 ? 0 : REQUEST_BYPASS_L1};
        if ((random >> 31) % 3 == 0)
            requests[i].touched = UINT32_MAX;
        if ((random >> 34) % 32 == 0)
            requests[i].op = OP_ATOMIC;
    }
}

/* Caches that join: of other sets, index functions and ways. */
static void roll_family(uint64_t seed, uint64_t ways_max, struct cache_config family[CACHES])
{
    struct cache_config first = roll_config(seed);
    for (uint64_t i = 0; i < CACHES; i++) {
        uint64_t random = random_at(seed + 2000000, i);
        struct cache_config *config = &family[i];
        *config = first;
        if ((random >> 8) % 2)
            config->index = pick_index(random >> 9);
        uint64_t sets = cache_sets(&first), fit = fit_sets(config->index, sets * (1 + random % 6));
        config->size = config->size / sets * fit;
        config->ways = i ? 1 + (random >> 16) % ways_max : ways_max;
        config->size *= config->ways;
    }
}

/* What happens between the halves. */
struct break_of {
    bool flush, reset;
};

static struct sector_stack *run_stack(const struct cache_config family[CACHES], unsigned options,
                                      struct break_of between, const struct request *requests)
{
    struct sector_stack *pass;
    assert_int_equal(sector_stack_create(family, CACHES, INSTANCES, options, &pass), STATUS_OK);
    assert_int_equal(sector_stack_run(pass, requests, COUNT / 2), STATUS_OK);
    if (between.flush)
        assert_int_equal(sector_stack_flush(pass), STATUS_OK);
    if (between.reset)
        assert_int_equal(sector_stack_reset_counts(pass), STATUS_OK);
    assert_int_equal(sector_stack_run(pass, requests + COUNT / 2, COUNT - COUNT / 2), STATUS_OK);
    assert_int_equal(sector_stack_settle(pass), STATUS_OK);
    return pass;
}

static void run_cache(const struct cache_config *config, unsigned options, struct break_of between,
                      const struct request *requests, struct cache_counts *counts)
{
    struct cache *cache;
    assert_int_equal(cache_create(config, INSTANCES, 0, options, &cache), STATUS_OK);
    cache_count(cache, !between.reset);
    assert_int_equal(cache_run(cache, requests, COUNT / 2, NULL), STATUS_OK);
    if (between.flush)
        assert_int_equal(cache_flush(cache, NULL), STATUS_OK);
    cache_count(cache, true);
    assert_int_equal(cache_run(cache, requests + COUNT / 2, COUNT - COUNT / 2, NULL), STATUS_OK);
    cache_read_counts(cache, counts);
    cache_free(cache);
}

static void check_caches(const struct cache_config family[CACHES], struct sector_stack *passes[2],
                         unsigned options, struct break_of between, const struct request *requests)
{
    for (size_t i = 0; i < CACHES; i++)
        for (uint64_t ways = family[i].ways; ways; ways -= 1 + ways / 8) {
            struct cache_counts counts, expected;
            struct cache_config config = family[i];
            config.size = config.size / config.ways * ways;
            config.ways = ways;
            run_cache(&config, options, between, requests, &expected);
            expected.tag_misses = 0; /* a pass does not count them */
            for (size_t k = 0; k < 2; k++) {
                sector_stack_read_counts(passes[k], i, ways, &counts);
                assert_memory_equal(&counts, &expected, sizeof counts);
            }
        }
}

static void test_equals_caches(void **state)
{
    (void)state;
    static struct request requests[COUNT];
    static const uint64_t most[] = {1, 5, 16, 33, 70};
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct cache_config family[CACHES];
        struct sector_stack *passes[2];
        roll_family(seed, most[seed % 5], family);
        const unsigned options = seed % 2 || stack_evicts(&family[0]) ? CACHE_L1 : 0;
        const struct break_of between = {.flush = seed % 3 == 0, .reset = seed % 4 == 0};
        roll_requests(seed, &family[0], requests);
        passes[0] = run_stack(family, options, between, requests);
        passes[1] = run_stack(family, options | STACK_PORTABLE, between, requests);
        check_caches(family, passes, options, between, requests);
        sector_stack_free(passes[0]);
        sector_stack_free(passes[1]);
    }
}

static void test_applies(void **state)
{
    (void)state;
    struct sector_stack *pass;
    struct cache_config config = {.enabled = 1,
                                  .slices = 1,
                                  .ways = 1,
                                  .line = 128,
                                  .sector = 32,
                                  .size = 128,
                                  .write = WRITE_BACK,
                                  .write_allocate = WRITE_ALLOCATE_LAZY};
    assert_true(sector_stack_applies(&config));
    struct cache_config other = config;
    other.write_allocate = WRITE_ALLOCATE_NONE;
    assert_false(sector_stack_applies(&other));
    other.write = WRITE_READ_ONLY;
    assert_true(sector_stack_applies(&other));
    other.replacement = REPLACEMENT_FIFO;
    assert_false(sector_stack_applies(&other));
    assert_int_equal(sector_stack_create(&other, 1, 1, 0, &pass), STATUS_UNSUPPORTED);
    other = config;
    other.ways = SECTOR_STACK_WAYS_MAX + 1;
    assert_false(sector_stack_applies(&other));
    struct cache_config two[] = {config, config};
    two[1].write = WRITE_THROUGH;
    assert_false(sector_stack_joins(&two[0], &two[1]));
    assert_int_equal(sector_stack_create(two, 2, 1, 0, &pass), STATUS_UNSUPPORTED);
    assert_int_equal(sector_stack_create(&config, 0, 1, 0, &pass), STATUS_INVALID);
    other = config;
    other.line = 96;
    assert_int_equal(sector_stack_create(&other, 1, 1, 0, &pass), STATUS_INVALID);
    assert_null(pass);
    other = config;
    other.write = WRITE_LOCAL_BACK;
    other.write_allocate = WRITE_ALLOCATE_NONE;
    assert_false(sector_stack_applies(&other)); /* some caches would lose a line, others not */
    other.sector = other.line;
    assert_true(sector_stack_applies(&other));
    const struct request local = {.bytes = 32, .op = OP_STORE, .space = SPACE_LOCAL};
    assert_int_equal(sector_stack_create(&other, 1, 1, 0, &pass), STATUS_OK);
    assert_int_equal(sector_stack_run(pass, &local, 1), STATUS_UNSUPPORTED);
    sector_stack_free(pass);
    const struct request unknown_instance = {.bytes = 32, .instance = 1};
    assert_int_equal(sector_stack_create(&config, 1, 1, 0, &pass), STATUS_OK);
    assert_int_equal(sector_stack_run(pass, &unknown_instance, 1), STATUS_INVALID);
    sector_stack_free(pass);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_caches),
        cmocka_unit_test(test_applies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
