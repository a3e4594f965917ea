/* Shares of a space: every legal point is in exactly one, sizes differ by one at most, and shares
 * of one workload keep expensive settings together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/space/shard.h"
#include "support/study_builder.h"

static const char text[] = "machine: gtx480\n"
                           "set: {tlb.ways: 16}\n"
                           "workloads: [GEMM, ATAX]\n"
                           "axes:\n"
                           "  tech.node: [22nm, 40nm, 65nm]\n"
                           "  tlb.entries: [16, 32, 64, 128]\n"
                           "  l2.ways: [4, 8]\n"
                           "  l1d.size: [16KiB, 32KiB, 48KiB, 50KiB, 64KiB]\n"
                           "  l1d.ways: [2, 4, 8]\n"
                           "where: [l1d.ways < 8 or tlb.entries > 16]\n"
                           "objectives: [l1d.misses]\n";

struct fixture {
    struct study study;
    struct space space;
    struct census census;
};

static int open_space(void **state)
{
    static struct fixture fixture;
    study_from_text(text, &fixture.study);
    assert_int_equal(space_open(&fixture.study, &fixture.space, NULL), STATUS_OK);
    assert_int_equal(space_census(&fixture.space, &fixture.census, NULL), STATUS_OK);
    *state = &fixture;
    return 0;
}

static int close_space(void **state)
{
    struct fixture *fixture = *state;
    census_free(&fixture->census);
    study_free(&fixture->study);
    return 0;
}

static void test_partition(void **state)
{
    const struct fixture *fixture = *state;
    const struct space *space = &fixture->space;
    uint64_t total = fixture->census.legal * 2;
    for (unsigned shards = 1; shards < 40; shards += 1 + shards / 6) {
        uint8_t *seen = calloc(space->points, 1);
        uint64_t sum = 0;
        for (unsigned shard = 1; shard <= shards; shard++) {
            uint8_t *excluded = calloc(space->points / 8 + 1, 1);
            uint64_t points, counted = 0;
            assert_int_equal(
                shard_exclude(space, &fixture->census, shard, shards, excluded, &points),
                STATUS_OK);
            for (uint64_t p = 0; p < space->points; p++) {
                if (!bit_test(fixture->census.bitmap, p % space->machines) || bit_test(excluded, p))
                    continue;
                seen[p]++;
                counted++;
            }
            assert_int_equal(counted, points);
            assert_true(points == total / shards || points == total / shards + 1);
            sum += points;
            free(excluded);
        }
        assert_int_equal(sum, total);
        for (uint64_t p = 0; p < space->points; p++)
            assert_int_equal(seen[p], bit_test(fixture->census.bitmap, p % space->machines));
        free(seen);
    }
}

/* More shares than points: some are empty, none overlaps. */
static void test_tiny(void **state)
{
    const struct fixture *fixture = *state;
    uint8_t *excluded = calloc(fixture->space.points / 8 + 1, 1);
    uint64_t points;
    assert_int_equal(
        shard_exclude(&fixture->space, &fixture->census, 5000, 5000, excluded, &points), STATUS_OK);
    assert_int_equal(points, 0);
    for (uint64_t p = 0; p < fixture->space.points; p++)
        assert_int_equal(bit_test(excluded, p),
                         bit_test(fixture->census.bitmap, p % fixture->space.machines));
    free(excluded);
}

static void test_missing(void **state)
{
    const struct fixture *fixture = *state;
    const struct space *space = &fixture->space;
    enum { SHARDS = 7 };
    uint8_t *done = calloc(space->points / 8 + 1, 1);
    uint64_t missing[SHARDS];
    for (uint64_t p = 0; p < space->points; p++)
        if (random_below(random_at(9, p), 3))
            bit_set(done, p);
    assert_int_equal(shard_missing(space, &fixture->census, SHARDS, done, missing), STATUS_OK);
    for (unsigned shard = 1; shard <= SHARDS; shard++) {
        uint8_t *excluded = calloc(space->points / 8 + 1, 1);
        uint64_t points, expected = 0;
        assert_int_equal(shard_exclude(space, &fixture->census, shard, SHARDS, excluded, &points),
                         STATUS_OK);
        for (uint64_t p = 0; p < space->points; p++)
            expected += bit_test(fixture->census.bitmap, p % space->machines) &&
                        !bit_test(excluded, p) && !bit_test(done, p);
        assert_int_equal(missing[shard - 1], expected);
        free(excluded);
    }
    free(done);
}

/* The caches have the most settings: with as many shares as L1D settings (and workloads) no more
 * than three of them meet in a share, however the axes stand in the file. */
static void test_settings_stay_together(void **state)
{
    const struct fixture *fixture = *state;
    const struct space *space = &fixture->space;
    for (unsigned shard = 1; shard <= 24; shard++) {
        uint8_t *excluded = calloc(space->points / 8 + 1, 1);
        uint64_t points, settings = 0, found = 0;
        assert_int_equal(shard_exclude(space, &fixture->census, shard, 24, excluded, &points),
                         STATUS_OK);
        for (uint64_t p = 0; p < space->points; p++) {
            uint64_t machine = p % space->machines;
            if (!bit_test(fixture->census.bitmap, machine) || bit_test(excluded, p))
                continue;
            settings |= (uint64_t)1 << (p / space->machines * 15 + machine % 15);
        }
        for (; settings; settings &= settings - 1)
            found++;
        assert_true(found <= 3);
        free(excluded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partition),
        cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_settings_stay_together),
    };
    return cmocka_run_group_tests(tests, open_space, close_space);
}
