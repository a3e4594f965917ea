#include "support/cache_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/roll_cache.h"
#include "support/slow_cache.h"

void assert_same_counts(const struct cache_counts *a, const struct cache_counts *b)
{
    assert_int_equal(a->accesses, b->accesses);
    assert_int_equal(a->reads, b->reads);
    assert_int_equal(a->read_misses, b->read_misses);
    assert_int_equal(a->writes, b->writes);
    assert_int_equal(a->write_misses, b->write_misses);
    assert_int_equal(a->misses, b->misses);
    assert_int_equal(a->sector_misses, b->sector_misses);
    assert_int_equal(a->tag_misses, b->tag_misses);
    assert_int_equal(a->writebacks, b->writebacks);
    assert_int_equal(a->compulsory, b->compulsory);
    assert_int_equal(a->flush, b->flush);
    assert_int_equal(a->store, b->store);
    assert_int_equal(a->capacity, b->capacity);
    assert_int_equal(a->conflict, b->conflict);
    assert_int_equal(a->read_bytes, b->read_bytes);
    assert_int_equal(a->write_bytes, b->write_bytes);
}

void assert_same_stream(const struct request_buffer *a, const struct request_buffer *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_memory_equal(&a->items[i], &b->items[i], sizeof *a->items);
}

enum { TRACE = 1500 };

void cache_twin_check(uint64_t seed, unsigned how)
{
    struct dice dice = {.seed = seed};
    struct cache_config config = roll_cache(&dice);
    unsigned instances = 1 + (unsigned)roll(&dice, 3);
    unsigned options = (roll(&dice, 2) ? CACHE_CLASSIFY : 0) | (roll(&dice, 2) ? CACHE_L1 : 0);
    struct cache *cache;
    assert_int_equal(cache_create(&config, instances, seed, options | how, &cache), STATUS_OK);
    struct slow_cache *slow = slow_cache_create(&config, instances, seed, options);
    struct request *requests = malloc(TRACE * sizeof *requests);
    assert_non_null(requests);
    roll_requests(&dice, &config, instances, requests, TRACE);
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
        assert_int_equal(fast_counts.compulsory + fast_counts.flush + fast_counts.store +
                             fast_counts.capacity + fast_counts.conflict,
                         fast_counts.misses);
    free(fast_down.items);
    free(slow_down.items);
    free(requests);
    slow_cache_free(slow);
    cache_free(cache);
}
