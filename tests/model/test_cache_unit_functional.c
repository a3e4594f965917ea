/* cache_unit.h on random streams whose data come at once: the same hits and misses as the cache of
 * the functional depth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/cache/cache.h"
#include "schema/parameters.h"
#include "support/roll_cache.h"
#include "support/unit_bench.h"

enum { TRACE = 1200 };

static void run_sectors(struct bench *bench, const struct request *request)
{
    const struct geometry *geometry = &bench->unit.geometry;
    const uint64_t first = request->address >> geometry->sector_bits;
    const uint64_t last = (request->address + request->bytes - 1) >> geometry->sector_bits;
    for (uint64_t sector = first; sector <= last; sector++) {
        const struct request part = request_part(geometry, request, sector);
        const struct packet packet = {.address = part.address,
                                      .bytes = part.bytes,
                                      .touched = part.touched,
                                      .pc = part.pc,
                                      .kind = part.op == OP_STORE ? PACKET_WRITE : PACKET_READ,
                                      .flags = part.space == SPACE_LOCAL ? PACKET_LOCAL : 0};
        assert_true(bench_access(bench, &packet) < UNIT_OUTCOMES);
        bench_settle(bench, PACKET_READ);
    }
}

/* What goes to the next level is the same, too, where stores drop what they write. (GPGPU-Sim's
 * write-through leaves lines dirty, and its write-allocate sends the store.) */
static void assert_same(const struct cache_config *config, const struct cache_counts *expected,
                        const struct cache_unit_counts *got)
{
    if (config->write == WRITE_EVICT)
        assert_int_equal(got->write_bytes, expected->write_bytes);
    assert_int_equal(got->reads[UNIT_PENDING] + got->writes[UNIT_PENDING], 0);
    assert_int_equal(got->reads[UNIT_HIT], expected->reads - expected->read_misses);
    assert_int_equal(got->reads[UNIT_MISS] + got->reads[UNIT_SECTOR_MISS], expected->read_misses);
    assert_int_equal(got->writes[UNIT_HIT], expected->writes - expected->write_misses);
    assert_int_equal(got->writes[UNIT_MISS] + got->writes[UNIT_SECTOR_MISS],
                     expected->write_misses);
    assert_int_equal(got->reads[UNIT_SECTOR_MISS] + got->writes[UNIT_SECTOR_MISS],
                     expected->sector_misses);
}

/* Where the two differ on purpose: a store that drops one of a line's sectors is a use of the line
 * there and none in GPGPU-Sim, whose policies are lru and fifo; an L2 gets its lines numbered
 * within a slice; atomics are reads here and writes there. */
static bool agree(const struct cache_config *config)
{
    const unsigned traits = replacement_facts[config->replacement].traits;
    const bool drops = config->sector < config->line && write_traits[config->write] & WRITE_DROPS;
    return !(traits & REPLACEMENT_FUTURE) &&
           (!drops || config->ways == 1 || !(traits & (REPLACEMENT_RECENCY | REPLACEMENT_QUEUE)));
}

/* Whether the parts of a store mark just what it covers. A part marks whatever the store overlaps,
 * so one whose own 32nds do not lie in those of the sectors would bring more than the functional
 * depth gives it. */
static bool cuts_exactly(const struct geometry *geometry, const struct request *request)
{
    const uint64_t first = request->address >> geometry->sector_bits;
    const uint64_t last = (request->address + request->bytes - 1) >> geometry->sector_bits;
    for (uint64_t sector = first; sector <= last; sector++) {
        const struct request part = request_part(geometry, request, sector);
        if (request_covers(geometry, request, sector) != request_covers(geometry, &part, sector))
            return false;
    }
    return true;
}

static void check_functional(uint64_t seed)
{
    struct dice dice = {.seed = seed};
    struct cache_config config;
    do
        config = roll_cache(&dice);
    while (!agree(&config) || config.slices > 1);
    const bool late = write_allocate_traits[config.write_allocate] & WRITE_ALLOCATE_LATE;
    if (!late && config.write != WRITE_BACK && roll(&dice, 2))
        config.allocate = roll(&dice, 2) ? ALLOCATE_ON_FILL : ALLOCATE_STREAMING;
    config.mshr.entries = config.mshr.merge = config.miss_queue = 64;
    struct request *requests = malloc(TRACE * sizeof *requests);
    assert_non_null(requests);
    roll_requests(&dice, &config, 1, requests, TRACE);
    struct cache *cache;
    struct cache_counts counts;
    struct bench bench = bench_of(&config);
    size_t kept = 0;
    for (size_t i = 0; i < TRACE; i++)
        if (requests[i].op != OP_ATOMIC && !cache_passes(config.write, 0, &requests[i]) &&
            (requests[i].op != OP_STORE || cuts_exactly(&bench.unit.geometry, &requests[i])))
            requests[kept++] = requests[i];
    assert_int_equal(cache_create(&config, 1, 1, 0, &cache), STATUS_OK);
    assert_int_equal(cache_run(cache, requests, kept, NULL), STATUS_OK);
    cache_read_counts(cache, &counts);
    for (size_t i = 0; i < kept; i++)
        run_sectors(&bench, &requests[i]);
    assert_same(&config, &counts, &bench.unit.counts);
    cache_unit_free(&bench.unit);
    cache_free(cache);
    free(requests);
}

static void test_equals_functional(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        if (seed % 100 == 0)
            print_message("from configuration %d\n", (int)seed);
        check_functional(seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_functional),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
