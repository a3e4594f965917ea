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
#include "model/lru/grid.h"
#include "support/pick_members.h"
#include "support/roll_cache.h"

enum { COUNT = 6000, INSTANCES = 3, CACHES = 24 };

static const enum grid_path paths[] = {GRID_PLAIN, GRID_AVX2, GRID_AVX512, GRID_BEST};

static struct cache_config roll_config(uint64_t seed, bool read_only)
{
    int index = random_at(seed, 1) % 2 ? INDEX_MODULO : pick_grid_index(random_at(seed, 2));
    uint64_t sets = UINT64_C(1) << random_at(seed, 3) % 8;
    if (random_at(seed, 4) % 4 == 0)
        sets = 1 + random_at(seed, 5) % 70;
    sets = fit_sets(index, sets);
    static const uint64_t most[] = {4, 8, 16, 32, 32};
    uint64_t ways = 1 + random_at(seed, 6) % most[random_at(seed, 7) % 5];
    struct cache_config config =
        plain_cache(UINT64_C(16) << random_at(seed, 8) % 5, sets, ways, index);
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
static void draw_requests(uint64_t seed, uint64_t reach, bool sparse,
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
                                       .instance = (uint16_t)((random >> 12) % INSTANCES),
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
    assert_int_equal(cache_create(config, INSTANCES, 0, options, &cache), STATUS_OK);
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
    assert_int_equal(grid_drain(grid), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        struct cache_counts counts;
        grid_read_counts(grid, i, &counts);
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
        const struct grid_options options = {.instances = INSTANCES,
                                             .cache = cache_options,
                                             .path = paths[i / 2],
                                             .split_writes = i % 2};
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
        draw_requests(seed, reach, seed % 3 == 1, requests);
        check_all_paths(configs, CACHES, seed % 2 ? CACHE_L1 : 0, requests, seed % 4 == 3);
    }
}

/* Loads `count` lines from line `first` on, by instance 0. */
static void run_lines(struct grid *grid, struct cache *cache, uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const struct request request = {
            .address = (first + i) * 64, .bytes = 32, .touched = UINT32_MAX};
        assert_int_equal(grid_run(grid, &request, 1), STATUS_OK);
        assert_int_equal(cache_run(cache, &request, 1, NULL), STATUS_OK);
    }
}

/* One set of 32 ways or one FIFO set of 16, around the last code of 16 bits: with full lists it is
 * used, else, and one line further, lists get their second plane. Old lines must be found again. */
static void check_last_code(int replacement, enum grid_path path, uint64_t fill, bool flush)
{
    struct cache_config config =
        plain_cache(64, 1, replacement == REPLACEMENT_FIFO ? 16 : 32, INDEX_MODULO);
    config.replacement = replacement;
    const struct grid_options options = {.instances = 1, .path = path, .split_writes = true};
    struct grid *grid;
    struct cache *cache;
    enum status status = grid_create(&config, 1, &options, &grid);
    if (status == STATUS_UNSUPPORTED && path != GRID_PLAIN)
        return;
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(cache_create(&config, 1, 0, 0, &cache), STATUS_OK);
    /* Regions are numbered in the order of their first use: these are 1,024 lines each. */
    for (uint64_t region = 0; region < 63; region++)
        run_lines(grid, cache, region * 1024, 1);
    struct cache_counts counts, expected;
    if (flush) {
        assert_int_equal(grid_flush(grid), STATUS_OK);
        assert_int_equal(cache_flush(cache, NULL), STATUS_OK);
    }
    run_lines(grid, cache, 0, fill);
    assert_int_equal(grid_drain(grid), STATUS_OK);
    grid_read_counts(grid, 0, &counts);
    run_lines(grid, cache, 63 * 1024 + 1020, 4); /* the last has the tag 65,535 */
    run_lines(grid, cache, 63 * 1024 + 1023, 1);
    assert_int_equal(grid_drain(grid), STATUS_OK);
    grid_read_counts(grid, 0, &counts);
    run_lines(grid, cache, 0, 20);
    run_lines(grid, cache, 64 * 1024, 3);
    run_lines(grid, cache, 63 * 1024 + 1020, 4);
    run_lines(grid, cache, 0, 3);
    assert_int_equal(grid_drain(grid), STATUS_OK);
    grid_read_counts(grid, 0, &counts);
    cache_read_counts(cache, &expected);
    check_counts(&counts, &expected, true);
    cache_free(cache);
    grid_free(grid);
}

static void test_last_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        for (unsigned variant = 0; variant < 8; variant++)
            check_last_code(variant & 1 ? REPLACEMENT_FIFO : REPLACEMENT_LRU, paths[i],
                            variant & 2 ? 40 : 7, variant & 4);
}

static void test_shared_ids(void **state)
{
    (void)state;
    enum { ITEMS = 30000 };
    static uint32_t items[ITEMS];
    struct cache_config configs[3] = {plain_cache(64, 16, 8, INDEX_MODULO),
                                      plain_cache(128, 32, 20, INDEX_IPOLY),
                                      plain_cache(64, 7, 3, INDEX_MODULO)};
    const struct grid_options options = {.instances = 1};
    struct line_ids ids, small;
    struct grid *grid;
    struct cache *caches[3];
    assert_int_equal(line_ids_init(&ids, 5, 15), STATUS_OK);
    assert_int_equal(line_ids_init(&small, 7, 15), STATUS_OK);
    assert_int_equal(grid_create(configs, 3, &options, &grid), STATUS_OK);
    assert_int_equal(grid_use_ids(grid, &small), STATUS_INVALID);
    assert_int_equal(grid_use_ids(grid, &ids), STATUS_OK);
    for (size_t k = 0; k < 3; k++)
        assert_int_equal(cache_create(&configs[k], 1, 0, 0, &caches[k]), STATUS_OK);
    for (uint64_t i = 0; i < ITEMS; i++) {
        uint64_t random = random_at(5, i);
        const struct request request = {.address = (random >> 3) % 4096 * 32 + (random % 5 << 40),
                                        .bytes = 32,
                                        .op = random >> 60 ? OP_LOAD : OP_STORE};
        assert_int_equal(line_ids_find(&ids, request.address, &items[i]), STATUS_OK);
        items[i] = items[i] << 1 | (uint32_t)request_writes(&request);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(cache_run(caches[k], &request, 1, NULL), STATUS_OK);
    }
    assert_int_equal(grid_run_items(grid, 0, items, 7), STATUS_OK);
    assert_int_equal(grid_run_items(grid, 0, items + 7, ITEMS - 7), STATUS_OK);
    assert_int_equal(grid_run_items(grid, 1, items, 1), STATUS_INVALID);
    assert_int_equal(grid_drain(grid), STATUS_OK);
    for (size_t k = 0; k < 3; k++) {
        struct cache_counts counts, expected;
        grid_read_counts(grid, k, &counts);
        cache_read_counts(caches[k], &expected);
        check_counts(&counts, &expected, false);
        cache_free(caches[k]);
    }
    grid_free(grid);
    line_ids_free(&ids);
    line_ids_free(&small);
}

static void test_reset_and_errors(void **state)
{
    (void)state;
    struct cache_config config = plain_cache(64, 4, 2, INDEX_MODULO), other = config;
    const struct grid_options options = {.instances = 2};
    struct grid_options none = {.instances = 0};
    struct cache_counts counts;
    struct grid *grid;
    assert_int_equal(grid_create(&config, 1, &none, &grid), STATUS_INVALID);
    assert_int_equal(grid_create(&config, 0, &options, &grid), STATUS_INVALID);
    other.write_allocate = WRITE_ALLOCATE_NONE;
    assert_false(grid_applies(&other));
    assert_int_equal(grid_create(&other, 1, &options, &grid), STATUS_UNSUPPORTED);
    other = plain_cache(64, 4, 33, INDEX_MODULO);
    assert_false(grid_applies(&other));
    struct cache_config both[2] = {config, config};
    both[1].write = WRITE_READ_ONLY;
    assert_int_equal(grid_create(both, 2, &options, &grid), STATUS_UNSUPPORTED);
    assert_null(grid);
    assert_int_equal(grid_create(&config, 1, &options, &grid), STATUS_OK);
    struct request request = {.bytes = 32};
    assert_int_equal(grid_run(grid, &request, 1), STATUS_OK);
    assert_int_equal(grid_reset_counts(grid), STATUS_OK);
    assert_int_equal(grid_run(grid, &request, 1), STATUS_OK);
    assert_int_equal(grid_drain(grid), STATUS_OK);
    grid_read_counts(grid, 0, &counts);
    assert_int_equal(counts.accesses, 1);
    assert_int_equal(counts.misses, 0);
    request.instance = 1;
    assert_int_equal(grid_run(grid, &request, 1), STATUS_OK);
    assert_int_equal(grid_drain(grid), STATUS_OK);
    grid_read_counts(grid, 0, &counts);
    assert_int_equal(counts.misses, 1);
    request.instance = 2;
    assert_int_equal(grid_run(grid, &request, 1), STATUS_INVALID);
    request = (struct request){.address = UINT64_MAX - 15, .bytes = 32};
    assert_int_equal(grid_run(grid, &request, 1), STATUS_INVALID);
    grid_free(grid);
}

/* Every line in a region of its own, until there are no more numbers. */
static void test_too_many_regions(void **state)
{
    (void)state;
    struct line_ids ids;
    uint32_t id, again;
    assert_int_equal(line_ids_init(&ids, 5, 0), STATUS_INVALID);
    assert_int_equal(line_ids_init(&ids, 40, 24), STATUS_INVALID);
    assert_int_equal(line_ids_init(&ids, 5, 20), STATUS_OK);
    for (uint64_t i = 0; i < 2048; i++) {
        assert_int_equal(line_ids_find(&ids, i * i << 30 | 96, &id), STATUS_OK);
        assert_int_equal(id, i << 20 | 3);
    }
    assert_int_equal(line_ids_find(&ids, UINT64_C(1) << 60, &id), STATUS_UNSUPPORTED);
    assert_int_equal(line_ids_find(&ids, (UINT64_C(7) * 7 << 30) + 32, &again), STATUS_OK);
    assert_int_equal(again, 7 << 20 | 1);
    line_ids_free(&ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_caches),    cmocka_unit_test(test_last_code),
        cmocka_unit_test(test_shared_ids),       cmocka_unit_test(test_reset_and_errors),
        cmocka_unit_test(test_too_many_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
