/* shadow.h against the slow twin of a cache with all lines in one set, which shadows itself: all
 * that it misses and knows, it misses for want of capacity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/bits.h"
#include "model/cache/shadow.h"
#include "schema/parameters.h"
#include "support/roll_cache.h"
#include "support/slow_cache.h"

static struct slow_cache *slow_shadow(const struct cache_config *config, uint64_t lines,
                                      unsigned instances, unsigned options)
{
    struct cache_config ideal = *config;
    ideal.ways = lines;
    ideal.size = lines * ideal.line;
    ideal.slices = 1;
    ideal.index = INDEX_MODULO;
    ideal.replacement = REPLACEMENT_LRU;
    return slow_cache_create(&ideal, instances, 0, options | CACHE_CLASSIFY);
}

/* Lines that a request is looked up in. */
static size_t lines_of(const struct cache_config *config, unsigned options,
                       const struct request *request)
{
    if (cache_passes(config->write, options, request))
        return 0;
    uint64_t last = request->address + request->bytes - 1;
    return last / config->line - request->address / config->line + 1;
}

/* What a batch added to the twin's counts, request by request, and *lost for each of them. */
static void check_batch(struct shadow *shadow, struct slow_cache *slow,
                        const struct cache_config *config, unsigned options,
                        const struct request *requests, size_t count)
{
    struct cache_counts counts = {0}, before, after, start;
    const uint32_t *lost;
    size_t lines = 0;
    slow_cache_counts(slow, &start);
    assert_int_equal(shadow_run(shadow, requests, count, &counts, &lost), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        slow_cache_counts(slow, &before);
        slow_cache_run(slow, &requests[i], 1, NULL);
        slow_cache_counts(slow, &after);
        uint64_t capacity = 0;
        for (size_t n = lines_of(config, options, &requests[i]); n; n--)
            capacity += bits_count(lost[lines++]);
        assert_int_equal(capacity, after.capacity - before.capacity);
        assert_int_equal(after.conflict, 0);
    }
    slow_cache_counts(slow, &after);
    assert_int_equal(counts.compulsory, after.compulsory - start.compulsory);
    assert_int_equal(counts.flush, after.flush - start.flush);
}

enum { TRACE = 900 };

static void check_config(uint64_t seed)
{
    struct dice dice = {.seed = seed + 9000};
    struct cache_config config = roll_cache(&dice);
    config.partition = roll(&dice, 2) ? PARTITION_LINEAR : PARTITION_XOR;
    unsigned instances = 1 + (unsigned)roll(&dice, 3), options = roll(&dice, 2) ? CACHE_L1 : 0;
    uint64_t lines = cache_sets(&config) * config.ways;
    struct request requests[TRACE];
    roll_requests(&dice, &config, instances, requests, TRACE);
    struct shadow *shadow;
    assert_int_equal(shadow_create(&config, instances, options, &shadow), STATUS_OK);
    struct slow_cache *slow = slow_shadow(&config, lines, instances, options);
    for (size_t done = 0, count; done < TRACE; done += count) {
        count = 1 + roll(&dice, TRACE - done);
        check_batch(shadow, slow, &config, options, requests + done, count);
        if (roll(&dice, 2)) {
            shadow_flush(shadow, lines);
            slow_cache_flush(slow, NULL);
        }
    }
    slow_cache_free(slow);
    shadow_free(shadow);
}

static void test_equals_slow_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        if (seed % 100 == 0)
            print_message("from configuration %d\n", (int)seed);
        check_config(seed);
    }
}

static const struct cache_config base_config = {.enabled = 1,
                                                .size = 4096,
                                                .ways = 4,
                                                .line = 128,
                                                .sector = 32,
                                                .write = WRITE_BACK,
                                                .write_allocate = WRITE_ALLOCATE_FETCH,
                                                .slices = 1};

/* One load of 32 bytes; returns the sectors that were lost. */
static uint32_t load(struct shadow *shadow, uint64_t address, struct cache_counts *counts)
{
    const struct request request = {.address = address, .bytes = 32, .touched = UINT32_MAX};
    const uint32_t *lost;
    *counts = (struct cache_counts){0};
    assert_int_equal(shadow_run(shadow, &request, 1, counts, &lost), STATUS_OK);
    return *lost;
}

/* With room for three lines after the flush: the fourth throws out the first, and the sectors of
 * that one come back as lost. */
static void test_changes_size(void **state)
{
    (void)state;
    struct shadow *shadow;
    struct cache_counts counts;
    assert_int_equal(shadow_create(&base_config, 1, 0, &shadow), STATUS_OK);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(load(shadow, 128 * i + 32, &counts), 0);
        assert_int_equal(counts.compulsory, 1);
    }
    shadow_flush(shadow, 3);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(load(shadow, 128 * i + 32, &counts), 0);
        assert_int_equal(counts.flush, 1);
        assert_int_equal(counts.compulsory, 0);
    }
    assert_int_equal(load(shadow, 128 * 3 + 32, &counts), 0);
    assert_int_equal(load(shadow, 32, &counts), 1 << 1);
    assert_int_equal(load(shadow, 96, &counts), 0);
    assert_int_equal(counts.compulsory, 1);
    shadow_free(shadow);
}

/* Far more regions than there are at first, all over the address space. */
static void test_grows(void **state)
{
    (void)state;
    enum { LINES = 5000 };
    const uint64_t stride = UINT64_MAX / LINES & ~UINT64_C(127);
    struct shadow *shadow;
    struct cache_counts counts;
    assert_int_equal(shadow_create(&base_config, 1, 0, &shadow), STATUS_OK);
    for (uint64_t i = 0; i < LINES; i++) {
        assert_int_equal(load(shadow, i * stride, &counts), 0);
        assert_int_equal(counts.compulsory, 1);
    }
    for (uint64_t i = 0; i < LINES; i++) {
        assert_int_equal(load(shadow, i * stride, &counts), 1);
        assert_int_equal(counts.compulsory + counts.flush, 0);
    }
    for (uint64_t i = LINES - 32; i < LINES; i++) /* as many as fit */
        assert_int_equal(load(shadow, i * stride, &counts), 0);
    shadow_free(shadow);
}

static void test_refuses(void **state)
{
    (void)state;
    struct shadow *shadow;
    struct cache_counts counts;
    const uint32_t *lost;
    const struct request unknown_instance = {.bytes = 32, .instance = 2}, empty = {.bytes = 0};
    assert_int_equal(shadow_create(&base_config, 2, 0, &shadow), STATUS_OK);
    assert_int_equal(shadow_run(shadow, &unknown_instance, 1, &counts, &lost), STATUS_INVALID);
    assert_int_equal(shadow_run(shadow, &empty, 1, &counts, &lost), STATUS_INVALID);
    shadow_free(shadow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_slow_twin),
        cmocka_unit_test(test_changes_size),
        cmocka_unit_test(test_grows),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
