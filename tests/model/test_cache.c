/* cache.h against its slow twin on random traces over random configurations, and single behaviours
 * by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "schema/parameters.h"
#include "support/slow_cache.h"

struct dice {
    uint64_t seed, next;
};

static uint64_t roll(struct dice *dice, uint64_t bound)
{
    return random_below(random_at(dice->seed, dice->next++), bound);
}

static struct cache_config roll_config(struct dice *dice)
{
    static const uint64_t ways[] = {1,  2,  3,  4,  5,  6,  7,  8,  12,
                                    15, 16, 17, 24, 32, 33, 48, 64, 100};
    static const uint64_t plru_ways[] = {1, 2, 4, 8, 16, 32, 64};
    static const uint64_t sets[] = {1, 2, 4, 8, 16, 32, 64, 3, 5, 12};
    struct cache_config config = {.enabled = 1, .slices = 1, .interleave = 256};
    config.replacement = (int)roll(dice, REPLACEMENT_OPT);
    config.index = (int)roll(dice, INDEX_COUNT);
    config.write = (int)roll(dice, WRITE_LOCAL_BACK + 1);
    config.write_allocate = (int)roll(dice, WRITE_ALLOCATE_LAZY + 1);
    config.line = UINT64_C(16) << roll(dice, 5);
    config.sector = config.line >> roll(dice, 4);
    if (config.sector < 16 || roll(dice, 3) == 0)
        config.sector = config.line;
    config.ways = ways[roll(dice, sizeof ways / sizeof *ways)];
    if (config.replacement == REPLACEMENT_PLRU)
        config.ways = plru_ways[roll(dice, sizeof plru_ways / sizeof *plru_ways)];
    uint64_t count = sets[roll(dice, config.index == INDEX_LINEAR ? 10 : 7)];
    if (config.index == INDEX_FERMI)
        count = roll(dice, 2) ? 32 : 64;
    config.slices = 1 + roll(dice, 3);
    config.size = count * config.ways * config.line * config.slices;
    return config;
}

/* Requests that reuse a small number of lines, with some far away. */
static void roll_requests(struct dice *dice, const struct cache_config *config, unsigned units,
                          struct request *requests, size_t count)
{
    uint64_t lines = 1 + config->size / config->line * (1 + roll(dice, 3));
    uint64_t stores = roll(dice, 60), cursor = 0;
    for (size_t i = 0; i < count; i++) {
        struct request *request = &requests[i];
        memset(request, 0, sizeof *request);
        uint64_t bytes = UINT64_C(16) << roll(dice, 4);
        if (roll(dice, 8) == 0)
            bytes = 16 * (1 + roll(dice, 12));
        uint64_t line = roll(dice, 3) ? roll(dice, lines) : cursor++ % lines;
        if (roll(dice, 50) == 0)
            line += roll(dice, UINT64_C(1) << 40);
        uint64_t address = line * config->line + roll(dice, config->line);
        request->address = address - address % bytes;
        request->bytes = (uint16_t)bytes;
        request->pc = (uint32_t)roll(dice, 64);
        request->touched =
            roll(dice, 2) ? UINT32_MAX : (uint32_t)random_at(dice->seed, dice->next++);
        request->unit = (uint16_t)roll(dice, units);
        request->op = roll(dice, 100) < stores ? OP_STORE : OP_LOAD;
        if (roll(dice, 40) == 0)
            request->op = OP_ATOMIC;
        request->space = roll(dice, 3) ? SPACE_GLOBAL : SPACE_LOCAL;
        request->flags = roll(dice, 30) ? REQUEST_FIRST : REQUEST_BYPASS_L1;
    }
}

static void assert_same_counts(const struct cache_counts *a, const struct cache_counts *b)
{
    assert_int_equal(a->accesses, b->accesses);
    assert_int_equal(a->reads, b->reads);
    assert_int_equal(a->read_misses, b->read_misses);
    assert_int_equal(a->writes, b->writes);
    assert_int_equal(a->write_misses, b->write_misses);
    assert_int_equal(a->misses, b->misses);
    assert_int_equal(a->sector_misses, b->sector_misses);
    assert_int_equal(a->writebacks, b->writebacks);
    assert_int_equal(a->compulsory, b->compulsory);
    assert_int_equal(a->capacity, b->capacity);
    assert_int_equal(a->conflict, b->conflict);
    assert_int_equal(a->read_bytes, b->read_bytes);
    assert_int_equal(a->write_bytes, b->write_bytes);
}

static void assert_same_stream(const struct request_buffer *a, const struct request_buffer *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_memory_equal(&a->items[i], &b->items[i], sizeof *a->items);
}

enum { TRACE = 1500 };

static void check_config(uint64_t seed)
{
    struct dice dice = {.seed = seed};
    struct cache_config config = roll_config(&dice);
    unsigned units = 1 + (unsigned)roll(&dice, 3);
    unsigned options = (roll(&dice, 2) ? CACHE_CLASSIFY : 0) | (roll(&dice, 2) ? CACHE_L1 : 0);
    struct cache *cache;
    assert_int_equal(cache_create(&config, units, seed, options, &cache), STATUS_OK);
    struct slow_cache *slow = slow_cache_create(&config, units, seed, options);
    struct request *requests = malloc(TRACE * sizeof *requests);
    assert_non_null(requests);
    roll_requests(&dice, &config, units, requests, TRACE);
    struct request_buffer fast_down = {0}, slow_down = {0};
    for (size_t done = 0; done < TRACE;) {
        size_t count = 1 + roll(&dice, 700);
        if (count > TRACE - done)
            count = TRACE - done;
        assert_int_equal(cache_run(cache, requests + done, count, &fast_down), STATUS_OK);
        slow_cache_run(slow, requests + done, count, &slow_down);
        done += count;
        if (roll(&dice, 6) == 0) {
            assert_int_equal(cache_flush(cache, &fast_down), STATUS_OK);
            slow_cache_flush(slow, &slow_down);
        }
    }
    assert_int_equal(cache_flush(cache, &fast_down), STATUS_OK);
    slow_cache_flush(slow, &slow_down);
    struct cache_counts fast_counts, slow_counts;
    cache_read_counts(cache, &fast_counts);
    slow_cache_counts(slow, &slow_counts);
    assert_same_counts(&fast_counts, &slow_counts);
    assert_same_stream(&fast_down, &slow_down);
    if (options & CACHE_CLASSIFY)
        assert_int_equal(fast_counts.compulsory + fast_counts.capacity + fast_counts.conflict,
                         fast_counts.misses);
    free(fast_down.items);
    free(slow_down.items);
    free(requests);
    slow_cache_free(slow);
    cache_free(cache);
}

static void test_equals_slow_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 600; seed++) {
        print_message(seed % 100 ? "" : "from configuration %d\n", (int)seed);
        check_config(seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_slow_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
