/* Which other caches hold what a cache held, against counting the lines of each set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/timing/memory/footprint.h"

enum { LINE = 128, LINES = 24 };

static struct cache_config cache_of(uint64_t sets, uint64_t ways, int index)
{
    return (struct cache_config){.enabled = 1,
                                 .size = sets * ways * LINE,
                                 .ways = ways,
                                 .line = LINE,
                                 .sector = 32,
                                 .index = index,
                                 .replacement = REPLACEMENT_LRU,
                                 .slices = 1,
                                 .mshr = {.entries = 8, .merge = 8},
                                 .miss_queue = 8};
}

/* Whether all lines fit, by the definition. */
static bool holds(const struct cache_config *config, const uint64_t *lines)
{
    struct geometry geometry;
    if (geometry_init(&geometry, config))
        return false;
    for (unsigned i = 0; i < LINES; i++) {
        const uint64_t set = geometry_set(&geometry, config->index, lines[i]);
        unsigned count = 0;
        for (unsigned k = 0; k < LINES; k++)
            count += geometry_set(&geometry, config->index, lines[k]) == set;
        if (count > config->ways)
            return false;
    }
    return true;
}

static void draw_lines(uint64_t seed, uint64_t lines[LINES])
{
    for (unsigned i = 0; i < LINES;
         i++) { /* distinct: the low bits are drawn, the high ones count */
        const uint64_t span = seed % 2 ? 64 : 1 << 20;
        lines[i] = i * span + random_below(random_at(seed, i), span);
    }
}

static void check_index(uint64_t seed, int index, unsigned *held)
{
    uint64_t lines[LINES];
    struct cache_unit unit;
    struct footprint footprint;
    const struct cache_config own = cache_of(32, 32, index);
    draw_lines(seed, lines);
    assert_int_equal(cache_unit_init(&unit, &own, own.ways, 0), STATUS_OK);
    for (unsigned i = 0; i < LINES; i++) /* which way a line is in does not matter */
        unit.tags[i * own.ways + i] = lines[i];
    unit.empty = false;
    footprint_begin(&footprint, &own);
    footprint_add(&footprint, &unit, NULL);
    for (unsigned bits = 0; bits < 10; bits++)
        for (uint64_t ways = 1; ways <= 32; ways *= 2) {
            const struct cache_config other = cache_of(UINT64_C(1) << bits, ways, index);
            const bool same = other.size == own.size && other.ways == own.ways;
            const bool known = index == INDEX_MODULO || bits == 5;
            assert_int_equal(footprint_covers(&footprint, &other),
                             same || (known && holds(&other, lines)));
            *held += !same && footprint_covers(&footprint, &other);
        }
    unit.evicts = true;
    footprint_add(&footprint, &unit, NULL);
    const struct cache_config larger = cache_of(32, 64, index);
    assert_false(footprint_covers(&footprint, &larger));
    assert_true(footprint_covers(&footprint, &own));
    cache_unit_free(&unit);
}

static void test_other_caches(void **state)
{
    (void)state;
    static const int indices[] = {INDEX_MODULO, INDEX_XOR, INDEX_FERMI};
    unsigned held = 0;
    for (uint64_t seed = 0; seed < 60; seed++)
        check_index(seed, indices[seed % 3], &held);
    assert_true(held > 100);
}

/* What was there before a cache was emptied has to fit, too. */
static void test_emptied(void **state)
{
    (void)state;
    const struct cache_config own = cache_of(4, 4, INDEX_MODULO),
                              small = cache_of(4, 2, INDEX_MODULO);
    struct cache_unit unit;
    struct footprint first, second;
    assert_int_equal(cache_unit_init(&unit, &own, own.ways, 0), STATUS_OK);
    footprint_begin(&first, &own);
    footprint_begin(&second, &own);
    for (unsigned i = 0; i < 3; i++)
        unit.tags[i] = 4 * i;
    unit.empty = false;
    footprint_add(&first, &unit, NULL);
    cache_unit_flush(&unit);
    unit.tags[0] = 4;
    unit.empty = false;
    footprint_add(&second, &unit, NULL);
    assert_true(footprint_covers(&second, &small));
    footprint_join(&second, &first);
    assert_false(footprint_covers(&second, &small));
    cache_unit_free(&unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_caches),
        cmocka_unit_test(test_emptied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
