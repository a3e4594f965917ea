/* Caches that share passes against each of them simulated alone: with grids, without grids, and on
 * streams that make a pass give up its grids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/evaluate.h"
#include "model/lru/cache_batch.h"
#include "model/lru/grid.h"
#include "schema/parameters.h"
#include "support/list_source.h"
#include "support/pick_members.h"

enum { COUNT = 4000, INSTANCES = 2, CACHES = 40 };

static struct cache_config roll_config(uint64_t seed)
{
    static const int policies[] = {WRITE_READ_ONLY, WRITE_BACK, WRITE_THROUGH, WRITE_EVICT};
    static const uint64_t most[] = {2, 8, 16, 32, 100};
    struct cache_config config = {.enabled = 1, .slices = 1, .interleave = 1024};
    config.ways = 1 + random_at(seed, 0) % most[random_at(seed, 1) % 5];
    config.line = config.sector = UINT64_C(32) << random_at(seed, 2) % 3;
    if (random_at(seed, 13) % 3 == 0 && config.line > 32)
        config.sector = 32;
    config.index = pick_index(random_at(seed, 3));
    config.write = policies[random_at(seed, 4) % 4];
    config.write_allocate = random_at(seed, 5) % 2 ? WRITE_ALLOCATE_FETCH : WRITE_ALLOCATE_ON_WRITE;
    if (random_at(seed, 5) % 3 == 0)
        config.write_allocate = WRITE_ALLOCATE_LAZY;
    config.replacement =
        random_at(seed, 6) % 2 ? REPLACEMENT_LRU : pick_replacement(random_at(seed, 7));
    if (config.write == WRITE_EVICT)
        config.write_allocate = WRITE_ALLOCATE_NONE;
    config.flush = random_at(seed, 8) % 3 == 0;
    uint64_t sets = UINT64_C(1) << random_at(seed, 9) % 4;
    if (random_at(seed, 10) % 3 == 0)
        sets = 1 + random_at(seed, 11) % 10;
    config.ways = fit_ways(config.replacement, config.ways);
    config.size = fit_sets(config.index, sets) * config.line * config.ways;
    return config;
}

static void roll_requests(uint64_t seed, struct request requests[COUNT])
{
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t random = random_at(seed + 1000000, i), bytes = UINT64_C(32) << (random & 1);
        uint64_t reach = (random >> 3) % 3 ? 32768 : 2048;
        uint64_t address = (random >> 30) % reach;
        requests[i] = (struct request){.address = address - address % bytes,
                                       .bytes = (uint16_t)bytes,
                                       .touched = (random >> 33) % 2 ? UINT32_MAX : 0xffff,
                                       .instance = random >> 12 & 1,
                                       .op = (random >> 13) % 4 ? OP_LOAD : OP_STORE,
                                       .flags = (random >> 16) % 8 ? 0 : REQUEST_BYPASS_L1};
        if ((random >> 20) % 32 == 0)
            requests[i].op = OP_ATOMIC;
    }
}

static void count_alone(const struct cache_config *config, unsigned options,
                        const struct request *requests, struct cache_counts *counts)
{
    struct cache *cache;
    assert_int_equal(cache_create(config, INSTANCES, 7, options, &cache), STATUS_OK);
    assert_int_equal(cache_run(cache, requests, COUNT / 2, NULL), STATUS_OK);
    if (config->flush)
        assert_int_equal(cache_flush(cache, NULL), STATUS_OK);
    assert_int_equal(cache_run(cache, requests + COUNT / 2, COUNT - COUNT / 2, NULL), STATUS_OK);
    cache_read_counts(cache, counts);
    cache_free(cache);
}

/* Atomics that do not pass by are not for stores that evict. */
static bool is_shared(const struct cache_config *config, enum pass_share share, unsigned options)
{
    return cache_batch_apply(config, share) && (options & CACHE_L1 || config->write != WRITE_EVICT);
}

static void check_counts(const struct cache_counts *counts, const struct cache_counts *expected,
                         enum pass_share share)
{
    assert_int_equal(counts->accesses, expected->accesses);
    assert_int_equal(counts->misses, expected->misses);
    assert_int_equal(counts->reads, expected->reads);
    assert_int_equal(counts->read_misses, expected->read_misses);
    assert_int_equal(counts->writes, expected->writes);
    assert_int_equal(counts->write_misses, expected->write_misses);
    struct cache_counts all = *expected;
    all.tag_misses = counts->tag_misses; /* passes do not count them */
    if (share == SHARE_TRAFFIC)
        assert_memory_equal(counts, &all, sizeof *counts);
}

static void check_together(const struct cache_config *configs, unsigned options,
                           enum pass_share share, bool grids, const struct request *requests,
                           const struct cache_counts *expected)
{
    struct cache_batch *batch;
    size_t members[CACHES];
    assert_int_equal(cache_batch_create(share, grids, &batch), STATUS_OK);
    for (size_t i = 0; i < CACHES; i++)
        if (is_shared(&configs[i], share, options))
            assert_int_equal(cache_batch_add(batch, &configs[i], INSTANCES, options, &members[i]),
                             STATUS_OK);
    assert_int_equal(cache_batch_launch(batch), STATUS_OK);
    assert_int_equal(cache_batch_run(batch, requests, COUNT / 2), STATUS_OK);
    assert_int_equal(cache_batch_launch(batch), STATUS_OK);
    assert_int_equal(cache_batch_run(batch, requests + COUNT / 2, COUNT - COUNT / 2), STATUS_OK);
    assert_int_equal(cache_batch_finish(batch), STATUS_OK);
    for (size_t i = 0; i < CACHES; i++) {
        struct cache_counts counts;
        if (!is_shared(&configs[i], share, options))
            continue;
        cache_batch_counts(batch, members[i], &counts);
        check_counts(&counts, &expected[i], share);
    }
    cache_batch_free(batch);
}

static void test_equals_caches(void **state)
{
    (void)state;
    static struct request requests[COUNT];
    size_t applied[] = {[SHARE_LOOKUPS] = 0, [SHARE_TRAFFIC] = 0};
    for (uint64_t seed = 0; seed < 16; seed++) {
        struct cache_config configs[CACHES];
        struct cache_counts expected[CACHES];
        unsigned options = seed % 2 ? CACHE_L1 : 0;
        roll_requests(seed, requests);
        for (uint64_t i = 0; i < CACHES; i++) {
            configs[i] = roll_config(seed * CACHES + i);
            count_alone(&configs[i], options, requests, &expected[i]);
            applied[SHARE_LOOKUPS] += cache_batch_apply(&configs[i], SHARE_LOOKUPS);
            applied[SHARE_TRAFFIC] += cache_batch_apply(&configs[i], SHARE_TRAFFIC);
        }
        for (int grids = 0; grids < 2; grids++) {
            check_together(configs, options, SHARE_LOOKUPS, grids, requests, expected);
            check_together(configs, options, SHARE_TRAFFIC, grids, requests, expected);
        }
    }
    assert_true(applied[SHARE_LOOKUPS] > 8 * CACHES);
    assert_true(applied[SHARE_TRAFFIC] > 6 * CACHES);
}

/* L1Ds that a launch may leave other ways, of one number of sets and of two. Where no launch
 * empties them, they are emptied when their ways change. */
static void check_unified(bool flush)
{
    enum { MEMBERS = 3, LAUNCHES = 4 };
    static const uint64_t free_ways[LAUNCHES][MEMBERS] = {
        {3, 3, 1}, {16, 2, 8}, {16, 2, 8}, {1, 9, 2}};
    static const uint64_t kept_ways[LAUNCHES][MEMBERS] = {
        {3, 3, 8}, {16, 16, 8}, {16, 16, 8}, {16, 16, 2}};
    const uint64_t(*ways)[MEMBERS] = flush ? free_ways : kept_ways;
    static struct request requests[COUNT];
    roll_requests(3, requests);
    for (int share = SHARE_TRAFFIC; share <= SHARE_LOOKUPS; share++) {
        struct cache_batch *batch;
        size_t members[MEMBERS];
        struct cache *caches[MEMBERS];
        assert_int_equal(cache_batch_create(share, true, &batch), STATUS_OK);
        for (size_t i = 0; i < MEMBERS; i++) {
            struct cache_config config = {.enabled = 1,
                                          .slices = 1,
                                          .line = 128,
                                          .sector = 32,
                                          .ways = 4,
                                          .size = i < 2 ? 2048 : 4096,
                                          .write = WRITE_BACK,
                                          .write_allocate = WRITE_ALLOCATE_LAZY,
                                          .flush = flush,
                                          .unified = 8192};
            assert_true(cache_batch_apply(&config, share));
            assert_int_equal(cache_batch_add(batch, &config, INSTANCES, CACHE_L1, &members[i]),
                             STATUS_OK);
            assert_int_equal(cache_create(&config, INSTANCES, 0, CACHE_L1, &caches[i]), STATUS_OK);
        }
        for (size_t launch = 0; launch < LAUNCHES; launch++) {
            const struct request *first = requests + COUNT / LAUNCHES * launch;
            for (size_t i = 0; i < MEMBERS; i++) {
                cache_batch_resize(batch, members[i], ways[launch][i]);
                if (flush)
                    assert_int_equal(cache_flush(caches[i], NULL), STATUS_OK);
                assert_int_equal(cache_resize(caches[i], ways[launch][i], NULL), STATUS_OK);
                assert_int_equal(cache_run(caches[i], first, COUNT / LAUNCHES, NULL), STATUS_OK);
            }
            assert_int_equal(cache_batch_launch(batch), STATUS_OK);
            assert_int_equal(cache_batch_run(batch, first, COUNT / LAUNCHES), STATUS_OK);
        }
        assert_int_equal(cache_batch_finish(batch), STATUS_OK);
        for (size_t i = 0; i < MEMBERS; i++) {
            struct cache_counts counts, expected;
            cache_batch_counts(batch, members[i], &counts);
            cache_read_counts(caches[i], &expected);
            check_counts(&counts, &expected, share);
            cache_free(caches[i]);
        }
        cache_batch_free(batch);
    }
}

static void test_unified(void **state)
{
    (void)state;
    check_unified(true);
    check_unified(false);
}

static void test_applies(void **state)
{
    (void)state;
    struct cache_config config = roll_config(1);
    config.index = INDEX_MODULO;
    config.write = WRITE_BACK;
    config.write_allocate = WRITE_ALLOCATE_FETCH;
    config.flush = 0;
    config.ways = 16;
    static const bool sixteen[REPLACEMENT_COUNT] = {[REPLACEMENT_LRU] = true,
                                                    [REPLACEMENT_FIFO] = true,
                                                    [REPLACEMENT_RR] = true,
                                                    [REPLACEMENT_LRU_STACK] = true,
                                                    [REPLACEMENT_LFU_STACK] = true};
    for (int policy = 0; policy < REPLACEMENT_COUNT; policy++) {
        struct cache_config one = config;
        config.replacement = one.replacement = policy;
        config.size = config.line * config.ways;
        one.ways = 1;
        one.size = one.line;
        assert_int_equal(cache_batch_apply(&config, SHARE_LOOKUPS), sixteen[policy]);
        assert_int_equal(replacement_shares(policy) < REPLACEMENT_COUNT, sixteen[policy]);
        assert_int_equal(cache_batch_apply(&one, SHARE_LOOKUPS),
                         !(replacement_facts[policy].traits & REPLACEMENT_FUTURE));
    }
    config.replacement = REPLACEMENT_RR;
    config.flush = 1;
    assert_false(cache_batch_apply(&config, SHARE_LOOKUPS)); /* its counter survives */
    assert_false(cache_batch_apply(&config, SHARE_TRAFFIC));
    config.replacement = REPLACEMENT_LRU;
    config.unified = 4 * config.size;
    assert_true(cache_batch_apply(&config, SHARE_LOOKUPS));
    assert_false(cache_batch_apply(&config, SHARE_NOTHING));
    config.write = WRITE_EVICT;
    config.write_allocate = WRITE_ALLOCATE_NONE;
    assert_false(cache_batch_apply(&config, SHARE_LOOKUPS)); /* holes, and ways that change */
    config.unified = 0;
    assert_true(cache_batch_apply(&config, SHARE_TRAFFIC));
}

/* Stores to local memory stay in an L1D that other stores are dropped from. */
static void test_local_stores(void **state)
{
    (void)state;
    struct request requests[] = {{.bytes = 32, .space = SPACE_LOCAL},
                                 {.bytes = 32, .op = OP_STORE},
                                 {.bytes = 32, .space = SPACE_LOCAL},
                                 {.bytes = 32, .op = OP_STORE, .space = SPACE_LOCAL},
                                 {.bytes = 32, .space = SPACE_LOCAL}};
    const struct cache_config config = {.enabled = 1,
                                        .slices = 1,
                                        .line = 32,
                                        .sector = 32,
                                        .ways = 2,
                                        .size = 64,
                                        .write = WRITE_LOCAL_BACK,
                                        .write_allocate = WRITE_ALLOCATE_NONE};
    for (int grids = 0; grids < 2; grids++) {
        struct cache_batch *batch;
        struct cache_counts counts;
        size_t member;
        assert_int_equal(cache_batch_create(SHARE_LOOKUPS, grids, &batch), STATUS_OK);
        assert_int_equal(cache_batch_add(batch, &config, 1, CACHE_L1, &member), STATUS_OK);
        assert_int_equal(cache_batch_run(batch, requests, 3), STATUS_OK);
        assert_int_equal(cache_batch_run(batch, requests + 3, 2),
                         grids ? STATUS_UNSUPPORTED : STATUS_OK);
        assert_int_equal(cache_batch_finish(batch), STATUS_OK);
        cache_batch_counts(batch, member, &counts);
        assert_int_equal(counts.misses, 2);
        assert_int_equal(counts.accesses, grids ? 3 : 5);
        cache_batch_free(batch);
    }
}

/* Machines that share everything but the ways and the policy of an L1D whose sets reach over 4
 * MiB: a grid has 8,192 regions of that, and the source touches more. */
static void test_goes_on_without_grids(void **state)
{
    (void)state;
    enum { MACHINES = 3 };
    struct machine machines[MACHINES];
    const struct machine *pointers[MACHINES];
    struct metrics shared[MACHINES], alone;
    const struct evaluate_options options = {.share = SHARE_LOOKUPS};
    struct list_source *near = list_source_random(1, 2, 40, 300, 1 << 10);
    struct list_source *far = list_source_random(1, 2, 40, 300, UINT64_C(1) << 36);
    for (size_t i = 0; i < MACHINES; i++) {
        struct machine *machine = &machines[i];
        machine_defaults(machine);
        machine->l1d.line = machine->l1d.sector = 16;
        machine->l1d.ways = 1 + i / 2;
        machine->l1d.size = ((uint64_t)4 << 20) * machine->l1d.ways;
        machine->l1d.index = INDEX_MODULO;
        machine->l1d.write = WRITE_BACK;
        machine->l1d.write_allocate = WRITE_ALLOCATE_FETCH;
        machine->l1d.replacement = i % 2 ? REPLACEMENT_FIFO : REPLACEMENT_LRU;
        machine->gpu.sms = 2;
        machine->l2.enabled = 0;
        machine->pwc.organization = PWC_NONE;
        pointers[i] = machine;
        assert_true(cache_batch_apply(&machine->l1d, SHARE_LOOKUPS));
    }
    for (int k = 0; k < 2; k++) {
        const struct trace_source *source = k ? &far->base : &near->base;
        assert_int_equal(evaluate_many(pointers, MACHINES, source, &options, shared, NULL),
                         STATUS_OK);
        for (size_t i = 0; i < MACHINES; i++) {
            assert_int_equal(evaluate(&machines[i], source, NULL, &alone, NULL), STATUS_OK);
            assert_true(alone.l1d_misses > (k ? 8192 : 100));
            assert_true(shared[i].l1d_misses == alone.l1d_misses);
            assert_true(shared[i].l1d_accesses == alone.l1d_accesses);
            assert_true(shared[i].l1d_write_misses == alone.l1d_write_misses);
            assert_true(shared[i].tlb_misses == alone.tlb_misses);
        }
    }
    trace_source_free(&near->base);
    trace_source_free(&far->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_caches),
        cmocka_unit_test(test_unified),
        cmocka_unit_test(test_applies),
        cmocka_unit_test(test_local_stores),
        cmocka_unit_test(test_goes_on_without_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
