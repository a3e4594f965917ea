/* Belady's optimum against the least misses over all choices of a policy, tried one by one, and
 * against every policy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/opt.h"
#include "support/roll_cache.h"

/* ---- the least misses over all choices, for one set -------------------------------------------
 */

enum { LENGTH = 40, SECTORS = 8, STATES = 1 << SECTORS };

/* The least misses to reach each set of valid sectors. `width` sectors in a row are a line. */
struct least {
    unsigned misses[STATES];
    unsigned width, ways;
    int write, allocate;
    bool bypassing; /* a load that misses need not come */
};

static void reach(unsigned *misses, unsigned held, unsigned value)
{
    if (value < misses[held])
        misses[held] = value;
}

static unsigned line_of(const struct least *least, unsigned sector)
{
    return ((1u << least->width) - 1) << (sector / least->width * least->width);
}

static unsigned lines_held(const struct least *least, unsigned held)
{
    unsigned lines = 0;
    for (unsigned first = 0; first < SECTORS; first += least->width)
        lines += (held & line_of(least, first)) != 0;
    return lines;
}

/* The sector comes into the cache, in every way that a policy may choose. */
static void bring(const struct least *least, unsigned *after, unsigned held, unsigned sector,
                  unsigned misses)
{
    unsigned added = held | 1u << sector;
    if (held & line_of(least, sector) || lines_held(least, held) < least->ways) {
        reach(after, added, misses);
        return;
    }
    for (unsigned out = 0; out < SECTORS; out += least->width)
        if (held & line_of(least, out))
            reach(after, added & ~line_of(least, out), misses);
}

static void step(struct least *least, unsigned sector, bool store)
{
    unsigned after[STATES];
    memset(after, 0xff, sizeof after);
    for (unsigned held = 0; held < STATES; held++) {
        const unsigned misses = least->misses[held];
        const bool hit = held >> sector & 1;
        if (misses == UINT32_MAX)
            continue;
        if (hit)
            reach(after, store && least->write == WRITE_EVICT ? held & ~(1u << sector) : held,
                  misses);
        else if (store && least->allocate == WRITE_ALLOCATE_NONE)
            reach(after, held, misses + 1);
        else
            bring(least, after, held, sector, misses + 1);
        if (!hit && !store && least->bypassing)
            reach(after, held, misses + 1);
    }
    memcpy(least->misses, after, sizeof after);
}

static unsigned best(const struct least *least)
{
    unsigned misses = UINT32_MAX;
    for (unsigned held = 0; held < STATES; held++)
        reach(&misses, 0, least->misses[held]);
    return misses;
}

static void empty(struct least *least, unsigned ways)
{
    unsigned misses = best(least);
    memset(least->misses, 0xff, sizeof least->misses);
    least->misses[0] = misses;
    least->ways = ways;
}

static struct cache_config config_of(uint64_t sets, uint64_t ways, uint64_t sector)
{
    return (struct cache_config){.enabled = 1,
                                 .size = sets * ways * 128,
                                 .ways = ways,
                                 .line = 128,
                                 .sector = sector,
                                 .write = WRITE_BACK,
                                 .write_allocate = WRITE_ALLOCATE_FETCH,
                                 .slices = 1};
}

/* A stream in three launches; between two of them the set is emptied, or gets other ways. Returns
 * whether the optimum reaches the least misses. */
static bool check_choice(uint64_t seed, unsigned width, int write, int allocate, bool bypassing)
{
    const unsigned ways = 1 + seed % 3;
    struct cache_config config = config_of(1, ways, 128 / width);
    config.write = write;
    config.write_allocate = allocate;
    struct least least = {
        .width = width, .ways = ways, .write = write, .allocate = allocate, .bypassing = bypassing};
    memset(least.misses, 0xff, sizeof least.misses);
    least.misses[0] = 0;
    struct opt_cache *opt;
    struct cache_counts counts;
    assert_int_equal(opt_create(&config, 1, 0, 0, &opt), STATUS_OK);
    for (size_t i = 0; i < LENGTH; i++) {
        const unsigned sector = (unsigned)(random_at(seed, i) % SECTORS);
        const struct request request = {.address = sector * config.sector,
                                        .bytes = (uint16_t)config.sector,
                                        .touched = UINT32_MAX,
                                        .op = random_at(seed, i + 1000) % 3 ? OP_LOAD : OP_STORE};
        if (i == LENGTH / 3) {
            opt_flush(opt);
            empty(&least, ways);
        } else if (i == 2 * LENGTH / 3 && seed % 2) {
            assert_int_equal(opt_resize(opt, ways + seed / 2 % 2), STATUS_OK);
            if (seed / 2 % 2)
                empty(&least, ways + 1);
        }
        assert_int_equal(opt_run(opt, &request, 1, NULL), STATUS_OK);
        step(&least, sector, request.op == OP_STORE);
    }
    struct cache_counts other;
    assert_int_equal(opt_finish(opt, !bypassing, &other), STATUS_OK);
    assert_int_equal(opt_finish(opt, bypassing, &counts), STATUS_OK); /* in either order */
    assert_int_equal(counts.accesses, LENGTH);
    assert_int_equal(counts.read_misses + counts.write_misses, counts.misses);
    assert_true(counts.misses <= best(&least));
    assert_true(bypassing ? counts.misses <= other.misses : counts.misses >= other.misses);
    opt_free(opt);
    return counts.misses == best(&least);
}

static bool check_choices(uint64_t seed, unsigned width, int write, int allocate)
{
    const bool kept = check_choice(seed, width, write, allocate, false);
    return check_choice(seed, width, write, allocate, true) && kept;
}

/* Stores allocate, or drop what they hit and bring nothing: the bound is reached. */
static void test_equals_all_choices(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        assert_true(check_choices(seed, 1, WRITE_BACK, WRITE_ALLOCATE_FETCH));
        assert_true(check_choices(seed, 1, WRITE_THROUGH, WRITE_ALLOCATE_ON_WRITE));
        assert_true(check_choices(seed, 1, WRITE_EVICT, WRITE_ALLOCATE_NONE));
    }
}

/* Elsewhere it is never above, and not far below: most often it is reached. */
static void test_bounds_all_choices(void **state)
{
    (void)state;
    enum { SEEDS = 300 };
    unsigned through = 0, sectors = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        through += check_choices(seed, 1, WRITE_THROUGH, WRITE_ALLOCATE_NONE);
        sectors += check_choices(seed, 2, WRITE_BACK, WRITE_ALLOCATE_FETCH);
        check_choices(seed, 1, WRITE_EVICT, WRITE_ALLOCATE_FETCH);
        check_choices(seed, 2, WRITE_EVICT, WRITE_ALLOCATE_NONE);
        check_choices(seed, 4, WRITE_THROUGH, WRITE_ALLOCATE_NONE);
    }
    print_message("reached: write-through %u, two sectors %u of %d\n", through, sectors, SEEDS);
    assert_true(through > SEEDS / 2);
}

/* Every access to a line is to all its sectors: then the places choose alike, and the bound is that
 * of whole lines. */
static void test_whole_lines(void **state)
{
    (void)state;
    struct cache_config whole = config_of(4, 3, 128), split = config_of(4, 3, 32);
    struct opt_cache *lines, *sectors;
    struct cache_counts counts[2];
    assert_int_equal(opt_create(&whole, 1, 0, 0, &lines), STATUS_OK);
    assert_int_equal(opt_create(&split, 1, 0, 0, &sectors), STATUS_OK);
    for (uint64_t i = 0; i < 4000; i++) {
        const struct request request = {.address = random_at(5, i) % 24 * 128, .bytes = 128};
        assert_int_equal(opt_run(lines, &request, 1, NULL), STATUS_OK);
        assert_int_equal(opt_run(sectors, &request, 1, NULL), STATUS_OK);
    }
    assert_int_equal(opt_finish(lines, false, &counts[0]), STATUS_OK);
    assert_int_equal(opt_finish(sectors, false, &counts[1]), STATUS_OK);
    assert_true(counts[0].misses > 1000);
    assert_int_equal(counts[1].misses, 4 * counts[0].misses);
    opt_free(lines);
    opt_free(sectors);
}

/* ---- every policy of the tree -----------------------------------------------------------------
 */

enum { COUNT = 1200 };

static void check_policy(const struct cache_config *base, int policy, unsigned options,
                         const struct request *requests, const size_t ends[3], uint64_t ways,
                         const struct cache_counts *least)
{
    struct cache_config config = *base;
    struct cache *cache;
    struct cache_counts counts;
    config.replacement = policy;
    if (cache_create(&config, 2, 1, options, &cache))
        return; /* tree PLRU has powers of two alone */
    for (size_t part = 0, done = 0; part < 3; done = ends[part++]) {
        enum status status = part == 1 ? cache_flush(cache, NULL) : STATUS_OK;
        if (part == 2)
            status = cache_resize(cache, ways, NULL);
        if (status)
            break; /* as above */
        assert_int_equal(cache_run(cache, requests + done, ends[part] - done, NULL), STATUS_OK);
    }
    cache_read_counts(cache, &counts);
    if (counts.accesses == least->accesses)
        assert_true(least->misses <= counts.misses);
    cache_free(cache);
}

/* No policy misses less, in a cache of any geometry and rules, emptied and resized on the way. */
static void test_bounds_policies(void **state)
{
    (void)state;
    static struct request requests[COUNT];
    static const size_t ends[3] = {COUNT / 3, COUNT / 2, COUNT};
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct dice dice = {.seed = seed + 77000};
        struct cache_config config = roll_cache(&dice);
        const unsigned options = roll(&dice, 2) ? CACHE_L1 : 0;
        const uint64_t ways = 1 + roll(&dice, config.ways);
        roll_requests(&dice, &config, 2, requests, COUNT);
        struct opt_cache *opt;
        struct cache_counts least, bypassing;
        assert_int_equal(opt_create(&config, 2, options, 0, &opt), STATUS_OK);
        assert_int_equal(opt_run(opt, requests, ends[0], NULL), STATUS_OK);
        opt_flush(opt);
        assert_int_equal(opt_run(opt, requests + ends[0], ends[1] - ends[0], NULL), STATUS_OK);
        assert_int_equal(opt_resize(opt, ways), STATUS_OK);
        assert_int_equal(opt_run(opt, requests + ends[1], ends[2] - ends[1], NULL), STATUS_OK);
        assert_int_equal(opt_finish(opt, false, &least), STATUS_OK);
        assert_int_equal(opt_finish(opt, true, &bypassing), STATUS_OK);
        assert_true(bypassing.misses <= least.misses);
        opt_free(opt);
        for (int policy = 0; policy < REPLACEMENT_COUNT; policy++)
            if (!(replacement_facts[policy].traits & REPLACEMENT_FUTURE))
                check_policy(&config, policy, options, requests, ends, ways, &least);
    }
}

static void test_refuses_without_memory(void **state)
{
    (void)state;
    struct cache_config config = config_of(4, 4, 128);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct opt_cache *opt;
    struct cache_counts counts;
    assert_int_equal(opt_create(&config, 1, 0, 900, &opt), STATUS_OK);
    struct request request = {.address = 0, .bytes = 32};
    enum status status = STATUS_OK;
    for (int i = 0; i < 200 && !status; i++)
        status = opt_run(opt, &request, 1, &diagnostics);
    assert_int_equal(status, STATUS_MEMORY);
    assert_int_equal(diagnostics.count, 1);
    assert_int_equal(opt_finish(opt, false, &counts), STATUS_OK);
    assert_in_range(counts.accesses, 80, 100);
    opt_free(opt);
    diagnostics_free(&diagnostics);
    config.ways = 0;
    assert_int_equal(opt_create(&config, 1, 0, 0, &opt), STATUS_INVALID);
    assert_null(opt);
}

/* Nothing at all, and what passes an L1D or a read-only cache. */
static void test_counts_look_ups_only(void **state)
{
    (void)state;
    struct cache_config config = config_of(4, 4, 128);
    config.write = WRITE_READ_ONLY;
    struct opt_cache *opt;
    struct cache_counts counts;
    const struct request requests[] = {
        {.bytes = 32, .op = OP_STORE},
        {.bytes = 32, .op = OP_ATOMIC},
        {.bytes = 32, .flags = REQUEST_BYPASS_L1},
    };
    assert_int_equal(opt_create(&config, 1, CACHE_L1, 0, &opt), STATUS_OK);
    assert_int_equal(opt_finish(opt, false, &counts), STATUS_OK);
    assert_int_equal(counts.accesses, 0);
    assert_int_equal(opt_run(opt, requests, 3, NULL), STATUS_OK);
    assert_int_equal(opt_finish(opt, false, &counts), STATUS_OK);
    assert_int_equal(counts.accesses, 0);
    assert_int_equal(opt_run(opt, &(struct request){.bytes = 32, .instance = 1}, 1, NULL),
                     STATUS_INVALID);
    opt_free(opt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_all_choices),
        cmocka_unit_test(test_bounds_all_choices),
        cmocka_unit_test(test_whole_lines),
        cmocka_unit_test(test_bounds_policies),
        cmocka_unit_test(test_refuses_without_memory),
        cmocka_unit_test(test_counts_look_ups_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
