/* cache.h against its slow twin on random traces over random configurations, and single behaviours
 * by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/cache_twin.h"
#include "support/roll_cache.h"
#include "support/sanitized.h"

static void test_equals_slow_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(600); seed++) {
        if (seed % 100 == 0)
            print_message("from configuration %d\n", (int)seed);
        cache_twin_check(seed, 0);
        cache_twin_check(seed, CACHE_PORTABLE);
    }
}

static const struct cache_config base_config = {.enabled = 1,
                                                .size = 1024,
                                                .ways = 4,
                                                .line = 128,
                                                .sector = 32,
                                                .write = WRITE_BACK,
                                                .write_allocate = WRITE_ALLOCATE_LAZY,
                                                .slices = 1};

struct bench { /* a cache, what it sent down so far, and its counts after the last step */
    struct cache *cache;
    struct request_buffer down;
    struct cache_counts counts;
};

static struct bench bench_of(const struct cache_config *config, unsigned options)
{
    struct bench bench = {0};
    assert_int_equal(cache_create(config, 2, 1, options, &bench.cache), STATUS_OK);
    return bench;
}

static void bench_free(struct bench *bench)
{
    cache_free(bench->cache);
    free(bench->down.items);
}

static void step(struct bench *bench, int op, uint64_t address, unsigned bytes, uint32_t touched)
{
    struct request request = {
        .address = address, .bytes = (uint16_t)bytes, .touched = touched, .op = (uint8_t)op};
    bench->down.count = 0;
    assert_int_equal(cache_run(bench->cache, &request, 1, &bench->down), STATUS_OK);
    cache_read_counts(bench->cache, &bench->counts);
}

static void assert_sent(const struct bench *bench, size_t place, int op, uint64_t address,
                        unsigned bytes, uint32_t touched)
{
    assert_true(place < bench->down.count);
    const struct request *sent = &bench->down.items[place];
    assert_int_equal(sent->op, op);
    assert_int_equal(sent->address, address);
    assert_int_equal(sent->bytes, bytes);
    assert_int_equal(sent->touched, touched);
}

static void test_lazy_fetch(void **state)
{
    (void)state;
    struct bench bench = bench_of(&base_config, 0);
    step(&bench, OP_STORE, 0x1000, 32, 0x0000ffff); /* half of a sector: nothing is fetched */
    assert_int_equal(bench.down.count, 0);
    assert_int_equal(bench.counts.write_misses, 1);
    step(&bench, OP_STORE, 0x1000, 32, 0x000000ff); /* hits what is half there */
    assert_int_equal(bench.counts.write_misses, 1);
    step(&bench, OP_LOAD, 0x1000, 32, 0x000000ff); /* but cannot be read */
    assert_sent(&bench, 0, OP_LOAD, 0x1000, 32, UINT32_MAX);
    assert_int_equal(bench.counts.read_misses, 1);
    assert_int_equal(bench.counts.sector_misses, 1);
    step(&bench, OP_LOAD, 0x1000, 32, UINT32_MAX);
    assert_int_equal(bench.counts.read_misses, 1);
    step(&bench, OP_STORE, 0x1020, 32, 0x0000ffff); /* the next sector in two halves */
    step(&bench, OP_STORE, 0x1020, 32, 0xffff0000);
    assert_int_equal(bench.counts.write_misses, 2);
    step(&bench, OP_LOAD, 0x1020, 32, UINT32_MAX); /* is whole without a fetch */
    assert_int_equal(bench.down.count, 0);
    assert_int_equal(bench.counts.read_misses, 1);
    step(&bench, OP_STORE, 0x1040, 32, 0x000000f0);
    bench.down.count = 0;
    assert_int_equal(cache_flush(bench.cache, &bench.down), STATUS_OK);
    cache_read_counts(bench.cache, &bench.counts);
    assert_int_equal(bench.down.count, 3);
    assert_sent(&bench, 0, OP_STORE, 0x1000, 32, UINT32_MAX);
    assert_sent(&bench, 2, OP_STORE, 0x1040, 32, 0x000000f0); /* only what was written */
    assert_int_equal(bench.down.items[2].flags, REQUEST_WRITEBACK);
    assert_int_equal(bench.counts.writebacks, 1);
    assert_int_equal(bench.counts.write_bytes, 96);
    bench_free(&bench);
}

static void test_wide_requests(void **state)
{
    (void)state;
    struct bench bench = bench_of(&base_config, 0);
    step(&bench, OP_LOAD, 0x1000, 128, UINT32_MAX); /* a line of four sectors */
    assert_int_equal(bench.counts.accesses, 4);
    assert_int_equal(bench.counts.misses, 4);
    assert_int_equal(bench.counts.sector_misses, 3);
    assert_int_equal(bench.down.count, 4);
    assert_sent(&bench, 3, OP_LOAD, 0x1060, 32, UINT32_MAX);
    bench_free(&bench);
    struct cache_config config = base_config;
    config.sector = 128;
    config.write = WRITE_THROUGH;
    bench = bench_of(&config, 0);
    step(&bench, OP_LOAD, 0x1000, 128, UINT32_MAX);
    step(&bench, OP_LOAD, 0x1020, 32, UINT32_MAX);
    assert_int_equal(bench.counts.accesses, 2);
    assert_int_equal(bench.counts.misses, 1);
    step(&bench, OP_STORE, 0x1100, 256, 0x0f0f00ff); /* two lines: two accesses, two stores down */
    assert_int_equal(bench.counts.writes, 2);
    assert_int_equal(bench.down.count, 2);
    assert_sent(&bench, 0, OP_STORE, 0x1100, 128, 0x0000ffff);
    assert_sent(&bench, 1, OP_STORE, 0x1180, 128, 0x00ff00ff);
    bench_free(&bench);
}

static void test_write_evict(void **state)
{
    (void)state;
    struct cache_config config = base_config;
    config.sector = 128;
    config.write = WRITE_LOCAL_BACK;
    config.write_allocate = WRITE_ALLOCATE_NONE;
    struct bench bench = bench_of(&config, 0);
    step(&bench, OP_LOAD, 0x1000, 128, UINT32_MAX);
    step(&bench, OP_STORE, 0x1000, 32, 1); /* hits, goes down as it is, drops the line */
    assert_int_equal(bench.counts.write_misses, 0);
    assert_int_equal(bench.down.count, 1);
    assert_sent(&bench, 0, OP_STORE, 0x1000, 32, 1);
    step(&bench, OP_LOAD, 0x1000, 128, UINT32_MAX);
    assert_int_equal(bench.counts.read_misses, 2);
    assert_int_equal(bench.counts.writebacks, 0);
    bench_free(&bench);
}

static void test_passes_an_l1(void **state)
{
    (void)state;
    struct bench bench = bench_of(&base_config, CACHE_L1);
    step(&bench, OP_ATOMIC, 0x1000, 32, 3);
    assert_sent(&bench, 0, OP_ATOMIC, 0x1000, 32, 3);
    assert_int_equal(bench.counts.accesses, 0);
    bench_free(&bench);
    bench = bench_of(&base_config, 0); /* an L2 does it: fetches, and is dirty */
    step(&bench, OP_ATOMIC, 0x1000, 32, 3);
    assert_sent(&bench, 0, OP_LOAD, 0x1000, 32, UINT32_MAX);
    assert_int_equal(bench.counts.write_misses, 1);
    assert_int_equal(cache_flush(bench.cache, NULL), STATUS_OK);
    cache_read_counts(bench.cache, &bench.counts);
    assert_int_equal(bench.counts.writebacks, 1);
    bench_free(&bench);
}

/* A cyclic walk over ways + 1 lines of one set: with LRU in that set every access misses, in a
 * cache of that size without sets none but the first. */
static void test_classes(void **state)
{
    (void)state;
    struct cache_config config = base_config;
    config.sector = config.line;
    config.size = 8 * 4 * 128;
    struct bench bench = bench_of(&config, CACHE_CLASSIFY);
    for (uint64_t turn = 0; turn < 10; turn++)
        for (uint64_t i = 0; i < 5; i++)
            step(&bench, OP_LOAD, i * 8 * 128, 32, UINT32_MAX);
    assert_int_equal(bench.counts.misses, 50);
    assert_int_equal(bench.counts.compulsory, 5);
    assert_int_equal(bench.counts.conflict, 45);
    const uint64_t known = bench.counts.compulsory;
    for (uint64_t turn = 0; turn < 3; turn++)
        for (uint64_t i = 0; i < 33; i++) /* one line more than fit in the whole cache */
            step(&bench, OP_LOAD, i * 128, 32, UINT32_MAX);
    assert_int_equal(bench.counts.compulsory - known, 28); /* five were seen before */
    assert_int_equal(bench.counts.compulsory + bench.counts.capacity + bench.counts.conflict,
                     bench.counts.misses);
    assert_true(bench.counts.capacity > 0);
    bench_free(&bench);
}

/* Emptied between two walks over three lines: the second walk misses what it knows. A fourth line
 * is new, and a walk that finds all of them has no miss. */
static void test_flush_misses(void **state)
{
    (void)state;
    struct cache_config config = base_config;
    config.sector = config.line;
    config.size = 8 * 4 * 128;
    struct bench bench = bench_of(&config, CACHE_CLASSIFY);
    for (uint64_t i = 0; i < 3; i++)
        step(&bench, OP_LOAD, i * 128, 32, UINT32_MAX);
    assert_int_equal(cache_flush(bench.cache, NULL), STATUS_OK);
    for (uint64_t turn = 0; turn < 2; turn++)
        for (uint64_t i = 0; i < 4; i++)
            step(&bench, OP_LOAD, i * 128, 32, UINT32_MAX);
    assert_int_equal(bench.counts.misses, 7);
    assert_int_equal(bench.counts.compulsory, 4);
    assert_int_equal(bench.counts.flush, 3);
    assert_int_equal(bench.counts.capacity + bench.counts.conflict, 0);
    bench_free(&bench);
}

/* Stores that no cache keeps: those that pass by, and the loads of lines that stores dropped. They
 * are no want of capacity, however small the cache is. */
static void test_store_misses(void **state)
{
    (void)state;
    struct cache_config config = base_config;
    config.write = WRITE_EVICT;
    config.write_allocate = WRITE_ALLOCATE_NONE;
    for (config.size = 1024; config.size <= 65536; config.size *= 8) {
        struct bench bench = bench_of(&config, CACHE_CLASSIFY);
        for (unsigned turn = 0; turn < 3; turn++)
            step(&bench, OP_STORE, 0, 32, UINT32_MAX); /* one compulsory miss */
        step(&bench, OP_LOAD, 0, 32, UINT32_MAX);
        step(&bench, OP_LOAD, 0, 32, UINT32_MAX);  /* hits */
        step(&bench, OP_STORE, 0, 32, UINT32_MAX); /* hits */
        step(&bench, OP_LOAD, 0, 32, UINT32_MAX);
        assert_int_equal(bench.counts.misses, 5);
        assert_int_equal(bench.counts.compulsory, 1);
        assert_int_equal(bench.counts.store, 4);
        bench_free(&bench);
    }
    config = base_config; /* a sector that is written in part is there for stores alone */
    struct bench bench = bench_of(&config, CACHE_CLASSIFY);
    step(&bench, OP_STORE, 0, 32, 0xffff);
    step(&bench, OP_STORE, 0, 32, 0xffff);
    step(&bench, OP_LOAD, 0, 32, UINT32_MAX);
    step(&bench, OP_LOAD, 0, 32, UINT32_MAX);
    assert_int_equal(bench.counts.misses, 2);
    assert_int_equal(bench.counts.store, 1);
    bench_free(&bench);
}

/* After a resize the cache is a new one of the new size, its counts those of both; with the ways
 * that it has it stays as it is. */
static void test_resize(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(60); seed++) {
        struct dice dice = {.seed = seed + 5000};
        struct cache_config before = base_config, after;
        before.ways = 1 + roll(&dice, 40);
        before.size = 4 * before.ways * 128;
        after = before;
        after.ways = 1 + roll(&dice, 40);
        after.size = 4 * after.ways * 128;
        unsigned options = roll(&dice, 2) ? CACHE_CLASSIFY : 0;
        struct request requests[400];
        roll_requests(&dice, &before, 2, requests, 400);
        struct bench resized = bench_of(&before, options);
        struct bench first = bench_of(&before, 0), second = bench_of(&after, 0);
        const bool changes = before.ways != after.ways;
        struct cache *behind = changes ? second.cache : first.cache;
        assert_int_equal(cache_run(resized.cache, requests, 200, &resized.down), STATUS_OK);
        assert_int_equal(cache_resize(resized.cache, after.ways, &resized.down), STATUS_OK);
        assert_int_equal(cache_run(resized.cache, requests + 200, 200, &resized.down), STATUS_OK);
        assert_int_equal(cache_run(first.cache, requests, 200, &first.down), STATUS_OK);
        if (changes)
            assert_int_equal(cache_flush(first.cache, &first.down), STATUS_OK);
        assert_int_equal(cache_run(behind, requests + 200, 200, &first.down), STATUS_OK);
        assert_same_stream(&resized.down, &first.down);
        cache_read_counts(resized.cache, &resized.counts);
        cache_read_counts(first.cache, &first.counts);
        cache_read_counts(second.cache, &second.counts);
        assert_int_equal(resized.counts.misses, first.counts.misses + second.counts.misses);
        assert_int_equal(resized.counts.write_bytes,
                         first.counts.write_bytes + second.counts.write_bytes);
        bench_free(&resized);
        bench_free(&first);
        bench_free(&second);
    }
}

static void test_refuses(void **state)
{
    (void)state;
    struct cache *cache;
    struct cache_config config = base_config;
    config.replacement = REPLACEMENT_OPT;
    assert_int_equal(cache_create(&config, 1, 0, 0, &cache), STATUS_UNSUPPORTED);
    config.replacement = REPLACEMENT_PLRU;
    config.ways = 3;
    assert_int_equal(cache_create(&config, 1, 0, 0, &cache), STATUS_INVALID);
    config = base_config;
    config.index = INDEX_FERMI;
    assert_int_equal(cache_create(&config, 1, 0, 0, &cache), STATUS_INVALID);
    config = base_config;
    config.line = 96;
    assert_int_equal(cache_create(&config, 1, 0, 0, &cache), STATUS_INVALID);
    config = base_config;
    config.sector = 256;
    assert_int_equal(cache_create(&config, 1, 0, 0, &cache), STATUS_INVALID);
    config = base_config;
    config.ways = 0;
    assert_int_equal(cache_create(&config, 1, 0, 0, &cache), STATUS_INVALID);
    assert_int_equal(cache_create(&base_config, 0, 0, 0, &cache), STATUS_INVALID);
    assert_null(cache);
    assert_int_equal(cache_create(&base_config, 2, 0, 0, &cache), STATUS_OK);
    const struct request unknown_instance = {.bytes = 32, .instance = 2}, empty = {.bytes = 0};
    assert_int_equal(cache_run(cache, &unknown_instance, 1, NULL), STATUS_INVALID);
    assert_int_equal(cache_run(cache, &empty, 1, NULL), STATUS_INVALID);
    const struct request last = {.address = UINT64_MAX - 31, .bytes = 32, .touched = 1};
    assert_int_equal(cache_run(cache, &last, 1, NULL), STATUS_OK);
    assert_int_equal(cache_resize(cache, 0, NULL), STATUS_INVALID);
    assert_int_equal(cache_resize(cache, UINT64_MAX / 3, NULL), STATUS_INVALID);
    cache_free(cache);
    cache_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_slow_twin), cmocka_unit_test(test_lazy_fetch),
        cmocka_unit_test(test_wide_requests),    cmocka_unit_test(test_write_evict),
        cmocka_unit_test(test_passes_an_l1),     cmocka_unit_test(test_classes),
        cmocka_unit_test(test_flush_misses),     cmocka_unit_test(test_store_misses),
        cmocka_unit_test(test_resize),           cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
