/* Grids against a cache for each of their configurations, with all kernels that this processor has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/grid.h"

enum { COUNT = 6000, UNITS = 3, CACHES = 24 };

static const enum grid_path paths[] = {GRID_PLAIN, GRID_AVX2, GRID_AVX512, GRID_BEST};

static struct cache_config make_config(uint64_t line, uint64_t sets, uint64_t ways, int index)
{
    return (struct cache_config){.enabled = 1,
                                 .slices = 1,
                                 .interleave = 1024,
                                 .line = line,
                                 .sector = line,
                                 .ways = ways,
                                 .size = line * sets * ways,
                                 .index = index,
                                 .write = WRITE_BACK,
                                 .write_allocate = WRITE_ALLOCATE_FETCH};
}

static struct cache_config roll_config(uint64_t seed, bool read_only)
{
    int index = random_at(seed, 1) % 2 ? INDEX_LINEAR : (int)(random_at(seed, 2) % INDEX_COUNT);
    uint64_t sets = UINT64_C(1) << random_at(seed, 3) % 8;
    if (index == INDEX_FERMI)
        sets = 32 << random_at(seed, 3) % 2;
    else if (index == INDEX_LINEAR && random_at(seed, 4) % 4 == 0)
        sets = 1 + random_at(seed, 5) % 50;
    static const uint64_t most[] = {4, 8, 16, 32, 32};
    uint64_t ways = 1 + random_at(seed, 6) % most[random_at(seed, 7) % 5];
    struct cache_config config =
        make_config(UINT64_C(16) << random_at(seed, 8) % 5, sets, ways, index);
    if (random_at(seed, 10) % 4 == 0) {
        config.replacement = REPLACEMENT_FIFO;
        config.ways = 1 + random_at(seed, 6) % GRID_FIFO_WAYS_MAX;
        config.size = config.line * sets * config.ways;
    }
    config.write = read_only                ? WRITE_READ_ONLY
                   : random_at(seed, 9) % 2 ? WRITE_THROUGH
                                            : WRITE_BACK;
    return config;
}

/* Near and far lines, short and long ones; `reach` KiB, and with `sparse` some far apart. */
static void roll_requests(uint64_t seed, uint64_t reach, bool sparse,
                          struct request requests[COUNT])
{
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t random = random_at(seed + 1000000, i);
        uint64_t bytes = UINT64_C(16) << (random & 3);
        uint64_t address = (random >> 40) % (reach << 10);
        if ((random >> 3) % 3 == 0)
            address = (random >> 40) % (1 + (reach << 4));
        if (sparse && (random >> 5) % 8 == 0)
            address += (random >> 32) << 22;
        requests[i] = (struct request){.address = address - address % bytes,
                                       .bytes = (uint16_t)bytes,
                                       .touched = UINT32_MAX,
                                       .unit = (uint16_t)((random >> 12) % UNITS),
                                       .op = (random >> 14) % 4 ? OP_LOAD : OP_STORE,
                                       .flags = (random >> 17) % 8 ? 0 : REQUEST_BYPASS_L1};
        if ((random >> 20) % 32 == 0)
            requests[i].op = OP_ATOMIC;
        if ((random >> 25) % 8 == 0) /* across a boundary of lines */
            requests[i].address += 8;
    }
}

static void count_with_cache(const struct cache_config *config, unsigned options,
                             const struct request *requests, bool flush,
                             struct cache_counts *counts)
{
    struct cache *cache;
    assert_int_equal(cache_create(config, UNITS, 0, options, &cache), STATUS_OK);
    assert_int_equal(cache_run(cache, requests, COUNT / 2, NULL), STATUS_OK);
    if (flush)
        assert_int_equal(cache_flush(cache, NULL), STATUS_OK);
    assert_int_equal(cache_run(cache, requests + COUNT / 2, COUNT - COUNT / 2, NULL), STATUS_OK);
    cache_read_counts(cache, counts);
    cache_free(cache);
}

static void check_counts(const struct cache_counts *counts, const struct cache_counts *expected,
                         bool split)
{
    assert_int_equal(counts->accesses, expected->accesses);
    assert_int_equal(counts->reads, expected->reads);
    assert_int_equal(counts->writes, expected->writes);
    assert_int_equal(counts->misses, expected->misses);
    if (split) {
        assert_int_equal(counts->read_misses, expected->read_misses);
        assert_int_equal(counts->write_misses, expected->write_misses);
    }
}

static void check_grid(const struct cache_config *configs, size_t count,
                       const struct grid_options *options, const struct request *requests,
                       bool flush, const struct cache_counts *expected)
{
    struct grid *grid;
    enum status status = grid_create(configs, count, options, &grid);
    if (status == STATUS_UNSUPPORTED && options->path != GRID_PLAIN)
        return; /* this processor has no such instructions */
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(grid_run(grid, requests, COUNT / 2), STATUS_OK);
    if (flush)
        assert_int_equal(grid_flush(grid), STATUS_OK);
    assert_int_equal(grid_run(grid, requests + COUNT / 2, COUNT - COUNT / 2), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        struct cache_counts counts;
        assert_int_equal(grid_read_counts(grid, i, &counts), STATUS_OK);
        check_counts(&counts, &expected[i], options->split_writes);
    }
    grid_free(grid);
}

static void check_all_paths(const struct cache_config *configs, size_t count,
                            unsigned cache_options, const struct request *requests, bool flush)
{
    struct cache_counts expected[CACHES];
    for (size_t i = 0; i < count; i++)
        count_with_cache(&configs[i], cache_options, requests, flush, &expected[i]);
    for (size_t i = 0; i < 2 * sizeof paths / sizeof *paths; i++) {
        const struct grid_options options = {
            .units = UNITS, .cache = cache_options, .path = paths[i / 2], .split_writes = i % 2};
        check_grid(configs, count, &options, requests, flush, expected);
    }
}

static void test_equals_caches(void **state)
{
    (void)state;
    static struct request requests[COUNT];
    struct cache_config configs[CACHES];
    for (uint64_t seed = 0; seed < 24; seed++) {
        for (uint64_t i = 0; i < CACHES; i++)
            configs[i] = roll_config(seed * CACHES + i, seed % 5 == 4);
        uint64_t reach = UINT64_C(1) << (2 + seed % 14);
        roll_requests(seed, reach, seed % 3 == 1, requests);
        check_all_paths(configs, CACHES, seed % 2 ? CACHE_L1 : 0, requests, seed % 4 == 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_caches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
