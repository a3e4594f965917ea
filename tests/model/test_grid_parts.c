/* Grids in parts against one grid for everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/lru/grid_parts.h"
#include "support/pick_members.h"
#include "support/roll_cache.h"
#include "support/sanitized.h"

enum { CACHES = 40, ITEMS = 20000, THREADS_MAX = 16, GRANULE_BITS = 4 };

static const enum grid_path paths[] = {GRID_PLAIN, GRID_AVX2, GRID_AVX512};

/* Mostly without a hash; with `fifo` some of that policy. */
static struct cache_config roll_config(uint64_t seed, bool fifo)
{
    uint64_t sets = UINT64_C(1) << random_at(seed, 1) % 10;
    int index = random_at(seed, 2) % 2 ? INDEX_MODULO : pick_grid_index(random_at(seed, 8));
    if (random_at(seed, 3) % 8 == 0)
        sets = 1 + random_at(seed, 4) % 50;
    sets = fit_sets(index, sets);
    bool queue = fifo && random_at(seed, 5) % 3 == 0;
    uint64_t most = queue ? GRID_FIFO_WAYS_MAX : GRID_WAYS_MAX;
    struct cache_config config = plain_cache(UINT64_C(16) << random_at(seed, 6) % 3, sets,
                                             1 + random_at(seed, 7) % most, index);
    config.replacement = queue ? REPLACEMENT_FIFO : REPLACEMENT_LRU;
    return config;
}

/* Near and far lines and strides; with `sparse` so many regions that codes need two planes. */
static void roll_items(uint64_t seed, bool sparse, struct line_ids *ids, uint32_t items[ITEMS])
{
    for (uint64_t i = 0; i < ITEMS; i++) {
        uint64_t random = random_at(seed, i), address = (random >> 40) % (1 << 18);
        if (random % 3 == 0)
            address = (random >> 40) % (1 << 12);
        else if (random % 3 == 1)
            address = i * (UINT64_C(16) << seed % 8) % (1 << 20);
        if (sparse && random >> 5 & 1)
            address += (random >> 8) % 3000 << 20;
        assert_int_equal(line_ids_find(ids, address, &items[i]), STATUS_OK);
        items[i] = items[i] << 1 | (random >> 6) % 4 / 3;
    }
}

static void count_at_once(const struct cache_config configs[CACHES], const struct line_ids *ids,
                          const uint32_t items[ITEMS], struct cache_counts counts[CACHES])
{
    const struct grid_options options = {.instances = 1, .path = GRID_PLAIN, .split_writes = true};
    struct grid *grid;
    assert_int_equal(grid_create(configs, CACHES, &options, &grid), STATUS_OK);
    assert_int_equal(grid_use_ids(grid, ids), STATUS_OK);
    assert_int_equal(grid_run_items(grid, 0, items, ITEMS), STATUS_OK);
    for (size_t i = 0; i < CACHES; i++)
        grid_read_counts(grid, i, &counts[i]);
    grid_free(grid);
}

/* Every cache must be in every share of the lines or in every span, once. */
static void check_cover(const struct grid_parts *parts)
{
    for (size_t cache = 0; cache < CACHES; cache++) {
        uint64_t found = 0;
        unsigned pieces = 0;
        for (size_t p = 0; p < parts->count; p++)
            for (size_t i = 0; i < parts->parts[p].count; i++) {
                const struct grid_part *part = &parts->parts[p];
                if (part->caches[i] != cache)
                    continue;
                unsigned number = part->share.number + part->span;
                assert_true(!part->share.bits || part->spans == 1);
                assert_true(!found || part->spans << part->share.bits == pieces);
                assert_false(found >> number & 1);
                pieces = part->spans << part->share.bits;
                found |= UINT64_C(1) << number;
            }
        assert_int_equal(found, (UINT64_C(1) << pieces) - 1);
    }
    for (size_t p = 1; p < parts->count; p++)
        assert_true(parts->parts[p].work <= parts->parts[p - 1].work);
    assert_in_range(parts->threads, 1, parts->count);
}

static void check_parts(const struct cache_config configs[CACHES], unsigned threads,
                        enum grid_path path, const struct line_ids *ids,
                        const uint32_t items[ITEMS], const struct cache_counts expected[CACHES])
{
    const struct grid_options options = {
        .instances = 1, .path = path, .split_writes = threads % 2 == 0};
    struct cache_counts counts[CACHES];
    struct grid_parts parts;
    assert_int_equal(grid_parts_cut(configs, CACHES, UINT64_MAX, threads, &parts), STATUS_OK);
    check_cover(&parts);
    enum status status = grid_parts_run(&parts, configs, &options, ids, items, ITEMS, counts);
    grid_parts_free(&parts);
    if (status == STATUS_UNSUPPORTED && path != GRID_PLAIN)
        return; /* this processor has no such instructions */
    assert_int_equal(status, STATUS_OK);
    for (size_t i = 0; i < CACHES; i++) {
        assert_int_equal(counts[i].accesses, expected[i].accesses);
        assert_int_equal(counts[i].writes, expected[i].writes);
        assert_int_equal(counts[i].misses, expected[i].misses);
        if (options.split_writes)
            assert_int_equal(counts[i].write_misses, expected[i].write_misses);
    }
}

static void test_equals_whole(void **state)
{
    (void)state;
    static uint32_t items[ITEMS];
    struct cache_config configs[CACHES];
    struct cache_counts expected[CACHES];
    for (uint64_t seed = 0; seed < ROLLS(8); seed++) {
        struct line_ids ids;
        unsigned granule_bits, region_bits;
        for (uint64_t i = 0; i < CACHES; i++)
            configs[i] = roll_config(seed * CACHES + i, seed % 2);
        assert_int_equal(grid_measure(configs, CACHES, &granule_bits, &region_bits), STATUS_OK);
        assert_int_equal(
            line_ids_init(&ids, GRANULE_BITS, region_bits + granule_bits - GRANULE_BITS),
            STATUS_OK);
        roll_items(seed, seed % 3 == 0, &ids, items);
        count_at_once(configs, &ids, items, expected);
        for (unsigned threads = 1; threads <= THREADS_MAX; threads++)
            check_parts(configs, threads, paths[(threads + seed) % 3], &ids, items, expected);
        line_ids_free(&ids);
    }
}

/* 16 to 1,024 sets without a hash: neither lines in a row nor those of any stride that uses several
 * sets of all caches may all be one thread's. */
static void test_strides_are_shared(void **state)
{
    (void)state;
    const struct cache_config configs[2] = {plain_cache(64, 16, 2, INDEX_MODULO),
                                            plain_cache(64, 1024, 2, INDEX_MODULO)};
    const struct grid_options options = {.instances = 1, .path = GRID_PLAIN};
    struct grid_parts parts;
    assert_int_equal(grid_parts_cut(configs, 2, UINT64_MAX, 2, &parts), STATUS_OK);
    assert_int_equal(parts.count, 2);
    for (unsigned stride = 0; stride < 4; stride++) {
        uint32_t items[1024];
        for (uint32_t i = 0; i < 1024; i++)
            items[i] = i << stride << 1;
        for (size_t p = 0; p < parts.count; p++) {
            struct grid_options own = options;
            struct cache_counts counts;
            struct grid *grid;
            own.share = parts.parts[p].share;
            assert_int_equal(grid_create(configs, 2, &own, &grid), STATUS_OK);
            assert_int_equal(grid_run_items(grid, 0, items, 1024), STATUS_OK);
            assert_int_equal(grid_drain(grid), STATUS_OK);
            grid_read_counts(grid, 0, &counts);
            assert_int_equal(counts.accesses, 512);
            grid_free(grid);
        }
    }
    grid_parts_free(&parts);
}

static void test_few_threads(void **state)
{
    (void)state;
    const struct cache_config linear = plain_cache(64, 128, 4, INDEX_MODULO),
                              hashed = plain_cache(64, 128, 4, INDEX_XOR);
    struct grid_parts parts;
    assert_int_equal(grid_parts_cut(&linear, 0, 1000, 2, &parts), STATUS_INVALID);
    assert_int_equal(grid_parts_cut(&linear, 1, 1000, 0, &parts), STATUS_INVALID);
    /* Not for a thousand accesses; not for one whose lists may never fill and have no shares. */
    assert_int_equal(grid_parts_cut(&linear, 1, 1000, 16, &parts), STATUS_OK);
    assert_int_equal(parts.threads, 1);
    grid_parts_free(&parts);
    assert_int_equal(grid_parts_cut(&linear, 1, 100000000, 16, &parts), STATUS_OK);
    assert_int_equal(parts.threads, 16);
    grid_parts_free(&parts);
    assert_int_equal(grid_parts_cut(&hashed, 1, 1000000, 16, &parts), STATUS_OK);
    assert_int_equal(parts.threads, 1);
    grid_parts_free(&parts);
    assert_int_equal(grid_parts_cut(&hashed, 1, 100000000, 16, &parts), STATUS_OK);
    assert_int_equal(parts.threads, 16);
    grid_parts_free(&parts);
}

static void check_share(const struct cache_config *configs, size_t count, struct grid_share share,
                        enum status expected)
{
    const struct grid_options options = {.instances = 1, .share = share};
    const struct request request = {.bytes = 32};
    struct grid *grid;
    assert_int_equal(grid_create(configs, count, &options, &grid), expected);
    if (grid) /* requests would need shares of their own */
        assert_int_equal(grid_run(grid, &request, 1), STATUS_INVALID);
    grid_free(grid);
}

static void test_no_share(void **state)
{
    (void)state;
    const struct cache_config few[2] = {plain_cache(64, 8, 4, INDEX_MODULO),
                                        plain_cache(64, 64, 4, INDEX_MODULO)},
                              lines[2] = {plain_cache(64, 8, 4, INDEX_MODULO),
                                          plain_cache(128, 8, 4, INDEX_MODULO)},
                              hash = plain_cache(64, 8, 4, INDEX_XOR),
                              modulo = plain_cache(64, 12, 4, INDEX_MODULO);
    check_share(few, 2, (struct grid_share){3, 7}, STATUS_OK);
    check_share(few, 2, (struct grid_share){3, 8}, STATUS_INVALID);
    check_share(few, 2, (struct grid_share){4, 0}, STATUS_UNSUPPORTED);
    check_share(lines, 2, (struct grid_share){1, 0}, STATUS_UNSUPPORTED);
    check_share(&hash, 1, (struct grid_share){1, 0}, STATUS_UNSUPPORTED);
    check_share(&modulo, 1, (struct grid_share){1, 0}, STATUS_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_whole),
        cmocka_unit_test(test_strides_are_shared),
        cmocka_unit_test(test_few_threads),
        cmocka_unit_test(test_no_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
