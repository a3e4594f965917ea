/* Belady's optimum against the least misses over all choices, tried one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/opt.h"

enum { LINES = 7, LENGTH = 40 };

/* The least misses of a set of `ways` ways on lines[0..LENGTH): the best over all sets of lines
 * that may be held after each access. best[held] = misses so far, held = a bit set of lines. */
static unsigned least_misses(const unsigned *lines, unsigned ways, bool bypass)
{
    unsigned best[1 << LINES], after[1 << LINES];
    memset(best, 0xff, sizeof best);
    best[0] = 0;
    for (size_t i = 0; i < LENGTH; i++) {
        unsigned wanted = 1u << lines[i];
        memset(after, 0xff, sizeof after);
        for (unsigned held = 0; held < 1 << LINES; held++) {
            if (best[held] == UINT32_MAX)
                continue;
            unsigned misses = best[held] + !(held & wanted);
            if (held & wanted || bypass)
                after[held] = misses < after[held] ? misses : after[held];
            if (held & wanted)
                continue;
            unsigned full = held | wanted;
            if ((unsigned)__builtin_popcount(full) <= ways) {
                after[full] = misses < after[full] ? misses : after[full];
                continue;
            }
            for (unsigned out = 0; out < LINES; out++)
                if (held >> out & 1) {
                    unsigned next = full & ~(1u << out);
                    after[next] = misses < after[next] ? misses : after[next];
                }
        }
        memcpy(best, after, sizeof best);
    }
    unsigned least = UINT32_MAX;
    for (unsigned held = 0; held < 1 << LINES; held++)
        least = best[held] < least ? best[held] : least;
    return least;
}

static struct cache_config config_of(uint64_t sets, uint64_t ways, uint64_t sector)
{
    return (struct cache_config){.enabled = 1,
                                 .size = sets * ways * 128,
                                 .ways = ways,
                                 .line = 128,
                                 .sector = sector,
                                 .write = WRITE_BACK,
                                 .write_allocate = WRITE_ALLOCATE_FETCH,
                                 .slices = 1};
}

static void test_equals_all_choices(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        unsigned ways = 1 + seed % 4, lines[LENGTH];
        bool bypass = seed / 4 % 2;
        struct request requests[LENGTH];
        for (size_t i = 0; i < LENGTH; i++) {
            lines[i] = (unsigned)(random_at(seed, i) % LINES);
            requests[i] =
                (struct request){.address = lines[i] * 128,
                                 .bytes = 128,
                                 .op = random_at(seed, i + 1000) % 3 ? OP_LOAD : OP_STORE};
        }
        struct cache_config config = config_of(1, ways, 128);
        struct opt_cache *opt;
        struct cache_counts counts;
        assert_int_equal(opt_create(&config, 1, bypass, 0, 0, &opt), STATUS_OK);
        assert_int_equal(opt_run(opt, requests, LENGTH / 2, NULL), STATUS_OK);
        assert_int_equal(opt_run(opt, requests + LENGTH / 2, LENGTH - LENGTH / 2, NULL), STATUS_OK);
        assert_int_equal(opt_finish(opt, &counts), STATUS_OK);
        assert_int_equal(counts.misses, least_misses(lines, ways, bypass));
        assert_int_equal(counts.accesses, LENGTH);
        assert_int_equal(counts.read_misses + counts.write_misses, counts.misses);
        opt_free(opt);
    }
}

/* Never more misses than any policy, over several instances and sets, sectored or not: then line
 * misses. */
static void test_bounds_policies(void **state)
{
    (void)state;
    enum { COUNT = 6000 };
    static struct request requests[COUNT];
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct cache_config config =
            config_of(1 + seed % 5, UINT64_C(1) << seed % 7, seed % 3 ? 128 : 32);
        for (size_t i = 0; i < COUNT; i++) {
            uint64_t random = random_at(seed, i);
            requests[i] = (struct request){.address = random % 4096 * 32,
                                           .bytes = 32,
                                           .touched = UINT32_MAX,
                                           .instance = random >> 20 & 1,
                                           .op = random >> 21 & 1 ? OP_LOAD : OP_STORE};
            if (random >> 22 & 1)
                requests[i].address %= 8192;
        }
        struct opt_cache *opt;
        struct cache_counts least, counts;
        assert_int_equal(opt_create(&config, 2, false, 0, 0, &opt), STATUS_OK);
        assert_int_equal(opt_run(opt, requests, COUNT, NULL), STATUS_OK);
        assert_int_equal(opt_finish(opt, &least), STATUS_OK);
        opt_free(opt);
        for (int policy = 0; policy < REPLACEMENT_OPT; policy++) {
            struct cache *cache;
            config.replacement = policy;
            assert_int_equal(cache_create(&config, 2, 1, 0, &cache), STATUS_OK);
            assert_int_equal(cache_run(cache, requests, COUNT, NULL), STATUS_OK);
            cache_read_counts(cache, &counts);
            assert_int_equal(counts.accesses, least.accesses);
            assert_true(least.misses - least.sector_misses <= counts.misses - counts.sector_misses);
            cache_free(cache);
        }
    }
}

static void test_refuses_without_memory(void **state)
{
    (void)state;
    struct cache_config config = config_of(4, 4, 128);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct opt_cache *opt;
    struct cache_counts counts;
    assert_int_equal(opt_create(&config, 1, false, 0, 900, &opt), STATUS_OK);
    struct request request = {.address = 0, .bytes = 32};
    enum status status = STATUS_OK;
    for (int i = 0; i < 200 && !status; i++)
        status = opt_run(opt, &request, 1, &diagnostics);
    assert_int_equal(status, STATUS_MEMORY);
    assert_int_equal(diagnostics.count, 1);
    assert_int_equal(opt_finish(opt, &counts), STATUS_OK);
    assert_in_range(counts.accesses, 80, 100);
    opt_free(opt);
    diagnostics_free(&diagnostics);
    config.ways = 0;
    assert_int_equal(opt_create(&config, 1, false, 0, 0, &opt), STATUS_INVALID);
    assert_null(opt);
}

/* Nothing at all, and what passes an L1D or a read-only cache. */
static void test_counts_look_ups_only(void **state)
{
    (void)state;
    struct cache_config config = config_of(4, 4, 128);
    config.write = WRITE_READ_ONLY;
    struct opt_cache *opt;
    struct cache_counts counts;
    const struct request requests[] = {
        {.bytes = 32, .op = OP_STORE},
        {.bytes = 32, .op = OP_ATOMIC},
        {.bytes = 32, .flags = REQUEST_BYPASS_L1},
    };
    assert_int_equal(opt_create(&config, 1, true, CACHE_L1, 0, &opt), STATUS_OK);
    assert_int_equal(opt_finish(opt, &counts), STATUS_OK);
    assert_int_equal(counts.accesses, 0);
    assert_int_equal(opt_run(opt, requests, 3, NULL), STATUS_OK);
    assert_int_equal(opt_finish(opt, &counts), STATUS_OK);
    assert_int_equal(counts.accesses, 0);
    assert_int_equal(opt_run(opt, &(struct request){.bytes = 32, .instance = 1}, 1, NULL),
                     STATUS_INVALID);
    opt_free(opt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_all_choices),
        cmocka_unit_test(test_bounds_policies),
        cmocka_unit_test(test_refuses_without_memory),
        cmocka_unit_test(test_counts_look_ups_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
