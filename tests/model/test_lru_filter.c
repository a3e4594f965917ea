/* An LRU filter against the cache that it replaces: the same counts with and without miss classes,
 * the same part of each request goes to the next level, with and without vector instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/line_ids.h"
#include "model/lru/lru_filter.h"
#include "support/pick_members.h"

enum { COUNT = 3000 };

static struct cache_config roll_config(uint64_t seed)
{
    static const int policies[] = {WRITE_READ_ONLY, WRITE_THROUGH, WRITE_EVICT, WRITE_LOCAL_BACK};
    struct cache_config config = {.enabled = 1, .slices = 1};
    config.line = config.sector = UINT64_C(16) << random_at(seed, 0) % 6;
    config.index = pick_index(random_at(seed, 1));
    config.write = policies[random_at(seed, 2) % 4];
    config.write_allocate = WRITE_ALLOCATE_NONE;
    config.ways = 1 + random_at(seed, 3) % (seed % 2 ? 16 : LRU_FILTER_WAYS_MAX);
    uint64_t sets = UINT64_C(1) << random_at(seed, 4) % 6;
    if (random_at(seed, 8) & 1)
        sets = 1 + random_at(seed, 4) % 40;
    sets = fit_sets(config.index, sets);
    config.size = sets * config.ways * config.line;
    return config;
}

/* No store to local memory: it would stay under WRITE_LOCAL_BACK. */
static struct request roll_request(uint64_t seed, uint64_t i, const struct cache_config *config)
{
    uint64_t random = random_at(seed + 1000000, i), bytes = UINT64_C(16) << (random & 3);
    uint64_t lines = config->size / config->line;
    lines += random >> 5 & 1 ? lines / 4 : lines * 2;
    uint64_t address = (random >> 32) % lines * config->line + (random >> 8) % 512;
    if (random_at(seed, i) % 32 == 0)
        address += random >> 60 << 40;
    struct request request = {.address = address & -bytes,
                              .bytes = (uint16_t)bytes,
                              .touched = UINT32_MAX,
                              .op = (random >> 20) % 3 ? OP_LOAD : OP_STORE,
                              .flags = (random >> 24) % 16 ? 0 : REQUEST_BYPASS_L1};
    if ((random >> 28) % 16 == 0)
        request.op = OP_ATOMIC;
    return request;
}

/* What the cache sends for one request, as lru_filter_run says it. */
static unsigned sent_by_cache(struct cache *cache, const struct request *request, uint64_t line)
{
    struct request_buffer down = {0};
    unsigned sent = 0;
    bool passes = cache_passes(WRITE_READ_ONLY, CACHE_L1, request) || request_writes(request);
    assert_int_equal(cache_run(cache, request, 1, &down), STATUS_OK);
    for (size_t i = 0; i < down.count; i++)
        sent |= passes ? 1 : 1u << (down.items[i].address / line - request->address / line);
    free(down.items);
    return sent;
}

static struct lru_filter_request to_filter(const struct cache_config *config, struct line_ids *ids,
                                           const struct request *request)
{
    struct lru_filter_request made = {.address = request->address, .bytes = request->bytes};
    assert_int_equal(line_ids_find(ids, request->address, &made.id), STATUS_OK);
    made.act = cache_passes(config->write, CACHE_L1, request) ? LRU_FILTER_PASS
               : request_writes(request)                      ? LRU_FILTER_STORE
                                                              : LRU_FILTER_LOAD;
    return made;
}

static void check_counts(const struct lru_filter *filter, const struct cache *cache)
{
    struct cache_counts found, expected;
    lru_filter_read_counts(filter, &found);
    cache_read_counts(cache, &expected);
    expected.tag_misses = 0; /* a filter does not count them */
    assert_memory_equal(&found, &expected, sizeof found);
}

static void check_config(uint64_t seed, unsigned options)
{
    const struct cache_config config = roll_config(seed);
    struct lru_filter_request requests[COUNT];
    uint8_t expected[COUNT], sent[COUNT];
    struct lru_filter *filter;
    struct cache *cache;
    struct line_ids ids;
    assert_true(lru_filter_applies(&config));
    assert_int_equal(lru_filter_create(&config, options, &filter), STATUS_OK);
    assert_int_equal(cache_create(&config, 1, 0, CACHE_L1 | (options & CACHE_CLASSIFY), &cache),
                     STATUS_OK);
    assert_int_equal(line_ids_init(&ids, LRU_FILTER_ID_BITS, 16), STATUS_OK);
    for (size_t first = 0, end; first < COUNT; first = end) {
        end = first + 1 + random_below(random_at(seed + 7, first), 900);
        end = end < COUNT ? end : COUNT;
        for (size_t i = first; i < end; i++) {
            const struct request request = roll_request(seed, i, &config);
            expected[i] = (uint8_t)sent_by_cache(cache, &request, config.line);
            requests[i] = to_filter(&config, &ids, &request);
        }
        assert_int_equal(lru_filter_run(filter, requests + first, end - first, sent + first),
                         STATUS_OK);
        if (random_at(seed + 8, first) % 4 == 0) {
            lru_filter_flush(filter);
            assert_int_equal(cache_flush(cache, NULL), STATUS_OK);
        }
    }
    assert_memory_equal(sent, expected, COUNT);
    check_counts(filter, cache);
    lru_filter_free(filter);
    cache_free(cache);
    line_ids_free(&ids);
}

static void filters_equal_caches(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        check_config(seed, 0);
        check_config(seed, CACHE_PORTABLE);
        check_config(seed, CACHE_CLASSIFY);
    }
}

/* What an LRU filter cannot be: its lines would have states. */
static void others_are_refused(void **state)
{
    (void)state;
    struct cache_config config = roll_config(1);
    struct lru_filter *filter;
    config.write = WRITE_BACK;
    assert_int_equal(lru_filter_create(&config, 0, &filter), STATUS_UNSUPPORTED);
    config.write = WRITE_EVICT;
    config.write_allocate = WRITE_ALLOCATE_LAZY;
    assert_int_equal(lru_filter_create(&config, 0, &filter), STATUS_UNSUPPORTED);
    config.write_allocate = WRITE_ALLOCATE_NONE;
    config.replacement = REPLACEMENT_FIFO;
    assert_int_equal(lru_filter_create(&config, 0, &filter), STATUS_UNSUPPORTED);
    config.replacement = REPLACEMENT_LRU;
    config.size = config.line * (LRU_FILTER_WAYS_MAX + 1);
    config.ways = LRU_FILTER_WAYS_MAX + 1;
    assert_int_equal(lru_filter_create(&config, 0, &filter), STATUS_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_equal_caches),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
